"""From what is asked to what was found: the plan is made, its steps are run, the last of them is judged.

Above: ``run_build``, ``run_tests``. Below: ``process``, ``projects``, ``verdict``, ``output``.
"""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.errors import Untrusted
from groundwire.operations.building.model import Kind, Plan, Project, Ran, Reading, Step, Wanted
from groundwire.operations.building.output import head_and_tail
from groundwire.operations.building.process import run_step
from groundwire.operations.building.projects import Found
from groundwire.operations.building.sources import Sources
from groundwire.operations.building.verdict import Verdict, judge
from groundwire.operations.files.paths import shown_path
from groundwire.operations.operation import Call
from groundwire.registry.markers import directories_up

MOST_PROBLEMS = 200


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The last step that was run, and what it proves."""

    step: Step
    ran: Ran
    reading: Reading
    verdict: Verdict
    note: str

    def shared(self, workspace: Path) -> dict[str, object]:
        """The fields that builds and tests have in common."""
        text = self.ran.text if self.reading.text is None else self.reading.text
        output, cut = head_and_tail(text)
        return {
            "tool": self.step.tool,
            "command": self.step.words,
            "directory": shown_path(self.step.directory, workspace),
            "exit_code": None if self.ran.is_late else self.ran.exit_code,
            "report": self.step.report,
            "output": output,
            "output_cut": cut,
            "note": self.note,
        }


async def carry_out(
    call: Call, kind: Kind, found: Found, paths: Sequence[Path], test: str, deadline: float, note: str = ""
) -> Outcome:
    """``note``: what else there is to say. Raises Untrusted and CapabilityMissing where nothing can be run."""
    if call.pool.settings.code_refusal:
        raise Untrusted(call.pool.settings.code_refusal)
    ecosystem, project = found
    # Programs of the project write here too: they may still be about to when we are done.
    with tempfile.TemporaryDirectory(prefix="groundwire-", ignore_cleanup_errors=True) as reports:
        inner = tuple(path for path in paths if path != project.root)
        wanted = Wanted(project=project, reports=Path(reports), paths=inner, test=test)
        make = ecosystem.build if kind == "build" else ecosystem.test
        plan = await asyncio.to_thread(make, wanted)
        environment = await asyncio.to_thread(project.programs.activated)
        began = asyncio.get_running_loop().time()
        step, ran, reading = await _run(call, plan, project, environment, deadline)
    seconds = max(deadline - began, 0.0)
    verdict = judge(step, ran, reading, seconds, is_test=kind == "test")
    notes = "; ".join(filter(None, (plan.note, note)))
    return Outcome(step=step, ran=ran, reading=reading, verdict=verdict, note=notes)


async def _run(
    call: Call, plan: Plan, project: Project, environment: dict[str, str], deadline: float
) -> tuple[Step, Ran, Reading]:
    """Step by step, until one fails."""
    above = tuple(directories_up(project.root, project.workspace))
    for step in plan.steps:
        ran = await run_step(call, step, environment, deadline)
        sources = Sources(call.pool.workspace, (step.directory, *step.bases, *above), project.workspace)
        reading = await asyncio.to_thread(step.read, ran, sources)
        if step is plan.steps[-1] or ran.is_late or ran.exit_code or reading.problems:
            return step, ran, reading
    raise AssertionError("a plan has steps")

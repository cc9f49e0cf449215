"""Whether a project builds: with the tool of its ecosystem, the errors at their places.

Above: ``table``. Below: ``building``.
"""

import asyncio
from typing import Any, cast

from groundwire.operations.answer import Answer
from groundwire.operations.building.arguments import RunTool, deadline_of, paths_of
from groundwire.operations.building.model import Problem
from groundwire.operations.building.projects import find_project, left_out
from groundwire.operations.building.running import MOST_PROBLEMS, carry_out
from groundwire.operations.operation import Call, operation
from groundwire.operations.results.building import BuildError, BuildOutcome


@operation(
    "Build a project, or check it where there is nothing to build, with its own tools; errors with file and line.",
    effect="executes",
    command="build",
)
async def run_build(call: Call, arguments: RunTool) -> Answer[BuildOutcome]:
    """One run of one tool, or of several in a row."""
    deadline = deadline_of(arguments)
    paths, directory = await asyncio.to_thread(paths_of, call, arguments)
    found = await asyncio.to_thread(find_project, call, "build", paths, arguments.language, directory)
    is_all = not paths and not arguments.language
    note = await asyncio.to_thread(left_out, call, "build", found) if is_all else ""
    outcome = await carry_out(call, "build", found, paths, "", deadline, note)
    problems = outcome.reading.problems
    shared = cast("dict[str, Any]", outcome.shared(call.pool.workspace))  # they are its fields, whatever their types
    result = BuildOutcome(
        **shared,
        checked=outcome.step.checks,
        success=outcome.verdict.went_well,
        errors=tuple(map(_error, problems[:MOST_PROBLEMS])),
        total=len(problems),
    )
    return Answer(value=result, status=outcome.verdict.status, reason=outcome.verdict.reason)


def _error(problem: Problem) -> BuildError:
    return BuildError(message=problem.message, file=problem.file, line=problem.line, column=problem.column)

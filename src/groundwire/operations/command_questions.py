"""What only the command line asks: operations like all others, but that no agent is shown.

Whoever asks is most often answered by a daemon, and loads nothing of what finds the answer: only who answers does.
Above: ``surfaces.cli``, ``command_table``. Below: ``results``, and those who answer, each in its own function.
"""

import asyncio
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from groundwire.operations.answer import Answer, FileFindings, Status
from groundwire.operations.operation import Arguments, Call, Result, operation
from groundwire.operations.results.change_report import ChangeReport
from groundwire.operations.results.explanation import Explanation
from groundwire.operations.results.workspace_status import WorkspaceStatus
from groundwire.pool.policy import Showing


class CheckFiles(Arguments, frozen=True):
    """Which files, or all that is in which directories."""

    files: Annotated[tuple[str, ...], Meta(description="Absolute paths.")]


class CheckChangeSet(Arguments, frozen=True):
    """Which change set."""

    kind: Annotated[Literal["changed", "staged", "base"], Meta(description="Against what.")]
    revision: Annotated[str, Meta(description="The other history, of base.")] = ""


class AboutWorkspace(Arguments, frozen=True):
    """There is nothing to choose."""


class AboutFile(Arguments, frozen=True):
    """Which file."""

    file: Annotated[str, Meta(description="An absolute path.")]


class CheckedFiles(Result, frozen=True):
    """``withheld``: what of the project's wishes had no effect on it."""

    files: tuple[FileFindings, ...]
    withheld: tuple[str, ...] = ()
    showing: Showing = Showing()


class CheckedChangeSet(Result, frozen=True):
    """As ``CheckedFiles``, for what has changed."""

    report: ChangeReport
    withheld: tuple[str, ...] = ()
    showing: Showing = Showing()


class ServersOfWorkspace(Result, frozen=True):
    """All of them."""

    status: WorkspaceStatus


class FileExplained(Result, frozen=True):
    """Every decision."""

    explanation: Explanation


@operation("What is wrong in files.")
async def command_check_files(call: Call, arguments: CheckFiles) -> Answer[CheckedFiles]:
    """Raises FileNotFound or NotAFile."""
    from groundwire.operations.diagnostics.check_paths import check_paths  # noqa: PLC0415  see above

    found = await check_paths(call, [Path(file) for file in arguments.files])
    settings = call.pool.settings
    value = CheckedFiles(files=found.value, withheld=settings.withheld, showing=settings.report.showing)
    return Answer(value=value, status=found.status, reason=found.reason, servers=found.servers, note=found.note)


@operation("What a change set introduced.")
async def command_check_changes(call: Call, arguments: CheckChangeSet) -> Answer[CheckedChangeSet]:
    """Raises InvalidArgument when git does not know."""
    from groundwire.operations.reporting.change_set import Wanted, read_change_set  # noqa: PLC0415  see above
    from groundwire.operations.reporting.check_changes import check_changes  # noqa: PLC0415  see above

    pool = call.pool
    change_set = await asyncio.to_thread(
        read_change_set,
        pool.workspace,
        pool.environment,
        Wanted(arguments.kind, arguments.revision),
        wait_s=max(call.deadline - asyncio.get_running_loop().time(), 0.0),
        largest=pool.settings.max_file_size,
    )
    found = await check_changes(call, change_set)
    settings = pool.settings
    value = CheckedChangeSet(report=found.value, withheld=settings.withheld, showing=settings.report.showing)
    return Answer(value=value, status=found.status, reason=found.reason, servers=found.servers, note=found.note)


@operation("The servers that a workspace needs, and their state.")
async def command_status(call: Call, arguments: AboutWorkspace) -> Answer[ServersOfWorkspace]:  # noqa: ARG001  there are none
    """Starts nothing."""
    from groundwire.operations.serving.pool_decisions import decide  # noqa: PLC0415  see above
    from groundwire.operations.serving.status import workspace_status  # noqa: PLC0415  see above

    running = call.pool.status()
    seen = await decide(call, lambda decisions: workspace_status(decisions, running))
    return Answer(value=ServersOfWorkspace(status=seen), status=Status.CONFIRMED)


@operation("Every decision about a file.")
async def command_explain(call: Call, arguments: AboutFile) -> Answer[FileExplained]:
    """Starts nothing. Raises FileNotFound or NotAFile."""
    from groundwire.operations.serving.explain import explain_file  # noqa: PLC0415  see above
    from groundwire.operations.serving.pool_decisions import decide  # noqa: PLC0415  see above

    explained = await decide(call, lambda decisions: explain_file(decisions, Path(arguments.file)))
    return Answer(value=FileExplained(explanation=explained), status=Status.CONFIRMED)

"""What only the command line asks: operations like all others, but that no agent is shown.

Above: ``surfaces.cli``, ``daemon.calls``. Below: ``check_paths``, ``check_changes``, ``status``, ``explain``.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from groundwire.operations.answer import Answer, FileFindings, Status
from groundwire.operations.diagnostics.check_paths import check_paths
from groundwire.operations.operation import Arguments, Call, Operation, Result, operation
from groundwire.operations.reporting.change_report import ChangeReport
from groundwire.operations.reporting.change_set import Wanted, read_change_set
from groundwire.operations.reporting.check_changes import check_changes
from groundwire.operations.serving.explain import Explanation, explain_file
from groundwire.operations.serving.pool_decisions import decide
from groundwire.operations.serving.status import WorkspaceStatus, workspace_status
from groundwire.operations.serving.stop_servers import stop_servers
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
    found = await check_paths(call, [Path(file) for file in arguments.files])
    settings = call.pool.settings
    value = CheckedFiles(files=found.value, withheld=settings.withheld, showing=settings.report.showing)
    return Answer(value=value, status=found.status, reason=found.reason, servers=found.servers, note=found.note)


@operation("What a change set introduced.")
async def command_check_changes(call: Call, arguments: CheckChangeSet) -> Answer[CheckedChangeSet]:
    """Raises InvalidArgument when git does not know."""
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
    running = call.pool.status()
    seen = await decide(call, lambda decisions: workspace_status(decisions, running))
    return Answer(value=ServersOfWorkspace(status=seen), status=Status.CONFIRMED)


@operation("Every decision about a file.")
async def command_explain(call: Call, arguments: AboutFile) -> Answer[FileExplained]:
    """Starts nothing. Raises FileNotFound or NotAFile."""
    explained = await decide(call, lambda decisions: explain_file(decisions, Path(arguments.file)))
    return Answer(value=FileExplained(explanation=explained), status=Status.CONFIRMED)


# Each has arguments and a result of its own, which its ``parse`` and ``run`` hold together.
_ALL: tuple[Operation[Any, Any], ...] = (
    command_check_files,
    command_check_changes,
    command_status,
    command_explain,
    stop_servers,
)

COMMAND_QUESTIONS: Mapping[str, Operation[Any, Any]] = {each.name: each for each in _ALL}
"""By name."""

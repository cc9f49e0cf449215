"""Servers are stopped, and not started again before somebody asks something of them.

Above: ``command_questions``, who offers people a button for it. Below: ``pool``.
"""

from pathlib import Path
from typing import Annotated

from msgspec import Meta

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Arguments, Call, Result, operation
from groundwire.pool.routing import require_known


class StopServers(Arguments, frozen=True):
    """Which servers; without anything, all."""

    server_id: Annotated[str, Meta(description="Only this server.")] = ""
    root_dir: Annotated[str, Meta(description="Only servers rooted in this directory or below it; absolute.")] = ""


class StoppedServers(Result, frozen=True):
    """How many were stopped: those that share a process with one that is meant, too."""

    stopped: int


@operation("Stop language servers; the next question that needs one starts it again.", effect="manages")
async def stop_servers(call: Call, arguments: StopServers) -> Answer[StoppedServers]:
    """They have ended when it returns."""
    require_known(frozenset(filter(None, [arguments.server_id])), call.pool.catalog)
    ran = len(call.pool.instances())
    root = Path(arguments.root_dir) if arguments.root_dir else None
    await call.pool.restart(arguments.server_id, root, why="somebody stopped it")
    return Answer(value=StoppedServers(stopped=ran - len(call.pool.instances())), status=Status.CONFIRMED)

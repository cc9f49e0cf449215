"""``groundwire status``: the servers that this workspace needs, and their state. Nothing is started.

Above: ``main``. Below: ``asking``, ``operations.status`` and ``render.status``.
"""

import asyncio
import sys
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from groundwire.operations.command_questions import AboutWorkspace, command_status
from groundwire.operations.operation import no_progress
from groundwire.operations.results.workspace_status import WorkspaceStatus
from groundwire.operations.serving.workspace import find_workspace
from groundwire.render.json import dumped
from groundwire.render.status import render_status, render_status_json
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.asking import Asking
from groundwire.surfaces.cli.page import page_of


class Watching(Protocol):
    """What the module of that name holds; loaded only when it is asked for."""

    def watch(self, workspace: Path, *, as_json: bool) -> int:
        """Until it is told to end."""
        ...


def run(arguments: Arguments) -> int:
    """Shows them, and gives 0."""
    if arguments.watch:
        return cast("Watching", import_module("groundwire.surfaces.cli.watching")).watch(
            _workspace(arguments), as_json=arguments.json
        )
    status = asyncio.run(_status(arguments))
    text = dumped(render_status_json(status)) if arguments.json else render_status(status, page_of(sys.stdout))
    sys.stdout.write(text + "\n")
    return 0


async def _status(arguments: Arguments) -> WorkspaceStatus:
    """As the daemon knows it; without one, nothing runs."""
    workspace = _workspace(arguments)
    asking = Asking(workspace, arguments)
    async with asking:
        answer = await asking.daemon(command_status, AboutWorkspace(), no_progress)
        return answer.value.status if answer is not None else _status_here(workspace)


def _status_here(workspace: Path) -> WorkspaceStatus:
    from groundwire.operations.serving.decisions import read_decisions  # noqa: PLC0415  only where no daemon answers
    from groundwire.operations.serving.status import workspace_status  # noqa: PLC0415

    return workspace_status(read_decisions(workspace))


def _workspace(arguments: Arguments) -> Path:
    here = Path.cwd()
    return find_workspace(arguments.root, here / "any", here)

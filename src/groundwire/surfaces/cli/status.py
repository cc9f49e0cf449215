"""``groundwire status``: the servers that this workspace needs, and their state. Nothing is started.

Above: ``main``. Below: ``asking``, ``operations.status`` and ``render.status``.
"""

import asyncio
import json
import sys
from pathlib import Path

from groundwire.operations.command_questions import AboutWorkspace, command_status
from groundwire.operations.decisions import read_decisions
from groundwire.operations.operation import no_progress
from groundwire.operations.status import WorkspaceStatus, workspace_status
from groundwire.operations.workspace import find_workspace
from groundwire.render.status import render_status, render_status_json
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.asking import Asking
from groundwire.surfaces.cli.page import page_of


def run(arguments: Arguments) -> int:
    """Shows them, and gives 0."""
    status = asyncio.run(_status(arguments))
    if arguments.json:
        text = json.dumps(render_status_json(status), ensure_ascii=False)
    else:
        text = render_status(status, page_of(sys.stdout))
    sys.stdout.write(text + "\n")
    return 0


async def _status(arguments: Arguments) -> WorkspaceStatus:
    """As the daemon knows it; without one, nothing runs."""
    here = Path.cwd()
    workspace = find_workspace(arguments.root, here / "any", here)
    asking = Asking(workspace, arguments)
    async with asking:
        answer = await asking.daemon(command_status, AboutWorkspace(), no_progress)
        return answer.value.status if answer is not None else workspace_status(read_decisions(workspace))

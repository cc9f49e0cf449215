"""``groundwire status``: the servers that this workspace needs, and their state. Nothing is started.

Above: ``main``. Below: ``operations.status`` and ``render.status``.
"""

import json
import sys
from pathlib import Path

from groundwire.operations.decisions import read_decisions
from groundwire.operations.status import workspace_status
from groundwire.operations.workspace import find_workspace
from groundwire.render.status import render_status, render_status_json
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.page import page_of


def run(arguments: Arguments) -> int:
    """Shows them, and gives 0."""
    here = Path.cwd()
    status = workspace_status(read_decisions(find_workspace(arguments.root, here / "any", here)))
    if arguments.json:
        text = json.dumps(render_status_json(status), ensure_ascii=False)
    else:
        text = render_status(status, page_of(sys.stdout))
    sys.stdout.write(text + "\n")
    return 0

"""``groundwire explain FILE``: every decision about a file, and why. Nothing is started.

Above: ``main``. Below: ``asking``, ``operations.explain`` and ``render.explain``.
"""

import asyncio
import sys
from pathlib import Path

from groundwire.operations.command_questions import AboutFile, command_explain
from groundwire.operations.files.paths import meant_path
from groundwire.operations.operation import no_progress
from groundwire.operations.results.explanation import Explanation
from groundwire.operations.serving.workspace import find_workspace
from groundwire.render.explain import render_explanation, render_explanation_json
from groundwire.render.json import dumped
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.asking import Asking
from groundwire.surfaces.cli.page import page_of


def run(arguments: Arguments) -> int:
    """Explains, and gives 0."""
    explained = asyncio.run(_explain(arguments))
    if arguments.json:
        text = dumped(render_explanation_json(explained))
    else:
        text = render_explanation(explained, page_of(sys.stdout))
    sys.stdout.write(text + "\n")
    return 0


async def _explain(arguments: Arguments) -> Explanation:
    """As the daemon decides, whose environment may be another; without one, as this process would."""
    here = Path.cwd()
    file = (here / meant_path(str(arguments.files[0]), here)).resolve()
    workspace = find_workspace(arguments.root, file, here)
    asking = Asking(workspace, arguments)
    async with asking:
        answer = await asking.daemon(command_explain, AboutFile(file=str(file)), no_progress)
        return answer.value.explanation if answer is not None else _explain_here(workspace, file)


def _explain_here(workspace: Path, file: Path) -> Explanation:
    from groundwire.operations.serving.decisions import read_decisions  # noqa: PLC0415  only where no daemon answers
    from groundwire.operations.serving.explain import explain_file  # noqa: PLC0415

    return explain_file(read_decisions(workspace), file)

"""``groundwire explain FILE``: every decision about a file, and why. Nothing is started.

Above: ``main``. Below: ``operations.explain`` and ``render.explain``.
"""

import json
import sys
from pathlib import Path

from groundwire.operations.decisions import read_decisions
from groundwire.operations.explain import explain_file
from groundwire.operations.workspace import find_workspace
from groundwire.render.explain import render_explanation, render_explanation_json
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.page import page_of


def run(arguments: Arguments) -> int:
    """Explains, and gives 0."""
    here = Path.cwd()
    file = (here / arguments.files[0]).resolve()
    explained = explain_file(read_decisions(find_workspace(arguments.root, file, here)), file)
    if arguments.json:
        text = json.dumps(render_explanation_json(explained), ensure_ascii=False)
    else:
        text = render_explanation(explained, page_of(sys.stdout))
    sys.stdout.write(text + "\n")
    return 0

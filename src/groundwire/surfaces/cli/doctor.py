"""``groundwire doctor``: starts the servers of this workspace, or all, and says what works and what helps.

Above: ``main``. Below: ``operations.doctor`` and ``render.doctor``.
"""

import asyncio
import os
import sys
from pathlib import Path

from groundwire.operations.serving.decisions import read_decisions
from groundwire.operations.serving.doctor import CheckupReport, examine_catalogue, examine_workspace
from groundwire.operations.serving.workspace import find_workspace
from groundwire.render.doctor import render_checkups, render_checkups_json
from groundwire.render.json import dumped
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.page import page_of
from groundwire.surfaces.cli.progress import progress

_FINE = 0
_NEEDS_ATTENTION = 1


def run(arguments: Arguments) -> int:
    """Tries the servers, shows what came out, and gives the exit status."""
    report = asyncio.run(_examine(arguments))
    text = dumped(render_checkups_json(report)) if arguments.json else render_checkups(report, page_of(sys.stdout))
    sys.stdout.write(text + "\n")
    return _FINE if report.is_fine else _NEEDS_ATTENTION


async def _examine(arguments: Arguments) -> CheckupReport:
    here = Path.cwd()
    async with progress("trying the language servers", sys.stderr):
        if arguments.every:
            return await examine_catalogue(dict(os.environ), wait_s=arguments.wait)
        decisions = read_decisions(find_workspace(arguments.root, here / "any", here))
        return await examine_workspace(decisions, wait_s=arguments.wait)

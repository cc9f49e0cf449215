"""``groundwire check FILE…``: what is wrong in files, and how far that is proven.

Above: ``main``. Below: ``operations.diagnose`` and ``render``.
"""

import asyncio
import json
import sys
from pathlib import Path

from groundwire.operations.answer import Answer, FileFindings
from groundwire.operations.diagnose import check_files
from groundwire.operations.workspace import find_workspace
from groundwire.pool.opening import open_pool
from groundwire.pool.routing import require_known
from groundwire.registry.catalog import load_catalog
from groundwire.render.json import render_findings_json
from groundwire.render.text import Limits, render_findings
from groundwire.render.wording import counted
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.exit_status import exit_code
from groundwire.surfaces.cli.progress import progress


def run(arguments: Arguments) -> int:
    """Checks the files, shows what is known, and gives the exit status."""
    answer, withheld = asyncio.run(_check(arguments))
    sys.stdout.write(_rendered(answer, arguments) + "\n")
    for note in (*withheld, *([answer.note] if answer.note else [])):
        sys.stderr.write(f"{note}\n")
    if withheld:
        sys.stderr.write("To see what the project wants, and to let it: groundwire trust\n")
    return exit_code(answer)


async def _check(arguments: Arguments) -> tuple[Answer[tuple[FileFindings, ...]], tuple[str, ...]]:
    """The answer, and what of the project's wishes had no effect on it."""
    only = frozenset(arguments.server)
    require_known(only, load_catalog())
    here = Path.cwd()
    files = [(here / file).resolve() for file in arguments.files]
    workspace = find_workspace(arguments.root, files[0], here)
    async with (
        progress(f"checking {counted(len(files), 'file')}", sys.stderr),
        open_pool(workspace, only=only) as pool,
    ):
        return await check_files(pool, files, wait_s=arguments.wait), pool.settings.withheld


def _rendered(answer: Answer[tuple[FileFindings, ...]], arguments: Arguments) -> str:
    if arguments.json:
        return json.dumps(render_findings_json(answer), ensure_ascii=False)
    return render_findings(answer, limits=Limits(include_warnings=arguments.warnings))

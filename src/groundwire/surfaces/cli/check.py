"""``groundwire check``: what is wrong in files, or what a change set introduced, and how far that is proven.

Above: ``main``. Below: ``operations.diagnose``, ``operations.check_changes`` and ``render``.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from groundwire import __version__
from groundwire.operations.answer import Answer, FileFindings
from groundwire.operations.change_report import ChangeReport
from groundwire.operations.change_set import Wanted, read_change_set
from groundwire.operations.check_changes import check_changes
from groundwire.operations.diagnose import check_files
from groundwire.operations.operation import Call
from groundwire.operations.workspace import find_workspace
from groundwire.pool.opening import open_pool
from groundwire.pool.routing import require_known
from groundwire.registry.catalog import load_catalog
from groundwire.render.change_report import render_changes, render_changes_json
from groundwire.render.github import render_github
from groundwire.render.json import render_findings_json
from groundwire.render.sarif import render_sarif
from groundwire.render.text import Limits, render_findings
from groundwire.render.wording import counted
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.exit_status import changes_code, exit_code
from groundwire.surfaces.cli.progress import progress

Findings = Answer[tuple[FileFindings, ...]]


def run(arguments: Arguments) -> int:
    """Checks the files, shows what is known, and gives the exit status."""
    if arguments.json:
        arguments.format = "json"
    arguments.json = arguments.format == "json"  # failures are told in the same way
    require_known(frozenset(arguments.server), load_catalog())
    limits = Limits(include_warnings=arguments.warnings)
    if arguments.files:
        found, withheld = asyncio.run(_check_files(arguments))
        code = exit_code(found)
        text = _rendered(found, arguments.format, code, limits)
        note = found.note
    else:
        answer, withheld = asyncio.run(_check_changes(arguments))
        code = changes_code(answer)
        shown = msgspec.structs.replace(answer, value=answer.value.shown(with_existing=arguments.every))
        text = _rendered_changes(shown, arguments.format, code, limits)
        note = answer.note
    sys.stdout.write(f"{text}\n" if text else "")
    _tell_notes(withheld, note)
    return code


async def _check_files(arguments: Arguments) -> tuple[Findings, tuple[str, ...]]:
    """The answer, and what of the project's wishes had no effect on it."""
    here = Path.cwd()
    files = [(here / file).resolve() for file in arguments.files]
    workspace = find_workspace(arguments.root, files[0], here)
    async with (
        progress(f"checking {counted(len(files), 'file')}", sys.stderr),
        open_pool(workspace, only=frozenset(arguments.server)) as pool,
    ):
        return await check_files(pool, files, wait_s=arguments.wait), pool.settings.withheld


async def _check_changes(arguments: Arguments) -> tuple[Answer[ChangeReport], tuple[str, ...]]:
    """As ``_check_files``, for what has changed."""
    here = Path.cwd().resolve()
    workspace = find_workspace(arguments.root, here, here).resolve()
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with (
        progress("checking what has changed", sys.stderr) as hear,
        open_pool(workspace, only=frozenset(arguments.server)) as pool,
    ):
        change_set = await asyncio.to_thread(
            read_change_set,
            pool.workspace,
            pool.environment,
            _wanted(arguments),
            wait_s=arguments.wait,
            largest=pool.settings.max_file_size,
        )
        answer = await check_changes(Call(pool, began + arguments.wait, hear), change_set)
        return msgspec.structs.replace(answer, elapsed_ms=(loop.time() - began) * 1000), pool.settings.withheld


def _wanted(arguments: Arguments) -> Wanted:
    if arguments.base:
        return Wanted("base", arguments.base)
    return Wanted("staged" if arguments.staged else "changed")


def _rendered(found: Findings, form: str, code: int, limits: Limits) -> str:
    match form:
        case "json":
            return json.dumps(render_findings_json(found), ensure_ascii=False)
        case "sarif":
            run = render_sarif(found, version=__version__, exit_code=code, limits=limits)
            return json.dumps(run, ensure_ascii=False, indent=2)
        case "github":
            return render_github(found, limits=limits)
        case _:
            return render_findings(found, limits=limits)


def _rendered_changes(answer: Answer[ChangeReport], form: str, code: int, limits: Limits) -> str:
    if form == "text":
        return render_changes(answer, limits=limits)
    if form == "json":
        return json.dumps(render_changes_json(answer), ensure_ascii=False)
    found = Answer(value=answer.value.files, status=answer.status, reason=answer.reason, servers=answer.servers)
    return _rendered(found, form, code, limits)


def _tell_notes(withheld: Sequence[str], note: str) -> None:
    for each in (*withheld, *([note] if note else [])):
        sys.stderr.write(f"{each}\n")
    if withheld:
        sys.stderr.write("To see what the project wants, and to let it: groundwire trust\n")

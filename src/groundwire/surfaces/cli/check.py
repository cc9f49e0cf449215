"""``groundwire check``: what is wrong in files, or what a change set introduced, and how far that is proven.

Above: ``main``. Below: ``asking``, ``operations.command_questions`` and ``render``.
"""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from groundwire import __version__
from groundwire.operations.answer import Answer, FileFindings, T
from groundwire.operations.command_questions import (
    CheckChangeSet,
    CheckedChangeSet,
    CheckedFiles,
    CheckFiles,
    command_check_changes,
    command_check_files,
)
from groundwire.operations.files.paths import is_directory, meant_path
from groundwire.operations.results.change_report import ChangeReport
from groundwire.operations.serving.workspace import find_workspace
from groundwire.pool.policy import Showing
from groundwire.render.change_report import render_changes, render_changes_json
from groundwire.render.github import render_github
from groundwire.render.json import dumped, render_findings_json
from groundwire.render.limits import Limits, limits_of
from groundwire.render.sarif import render_sarif
from groundwire.render.text import render_findings
from groundwire.render.wording import counted
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.asking import ask
from groundwire.surfaces.cli.exit_status import changes_code, exit_code

_Any = TypeVar("_Any")
Findings = Answer[tuple[FileFindings, ...]]


def run(arguments: Arguments) -> int:
    """Checks the files, shows what is known, and gives the exit status."""
    if arguments.json:
        arguments.format = "json"
    arguments.json = arguments.format == "json"  # failures are told in the same way
    if arguments.files:
        checked = asyncio.run(_check_files(arguments))
        found = _about(checked, checked.value.files)
        code, withheld = exit_code(found), checked.value.withheld
        text = _rendered(found, arguments.format, code, _limits(arguments, checked.value.showing))
    else:
        checked = asyncio.run(_check_changes(arguments))
        report = checked.value.report
        code, withheld = changes_code(_about(checked, report)), checked.value.withheld
        shown = _about(checked, report.shown(with_existing=arguments.every))
        text = _rendered_changes(shown, arguments.format, code, _limits(arguments, checked.value.showing))
    sys.stdout.write(f"{text}\n" if text else "")
    _tell_notes(withheld, checked.note)
    return code


def _limits(arguments: Arguments, showing: Showing) -> Limits:
    return limits_of(showing, has_all=arguments.warnings)


async def _check_files(arguments: Arguments) -> Answer[CheckedFiles]:
    here = Path.cwd()
    files = [(here / meant_path(str(file), here)).resolve() for file in arguments.files]
    # A directory stands for the files in it.
    directories = [file for file in files if is_directory(file)]
    workspace = find_workspace(arguments.root, files[0] / "any" if files[0] in directories else files[0], here)
    wanted = CheckFiles(files=tuple(map(str, files)))
    doing = "checking" if directories else f"checking {counted(len(files), 'file')}"
    return (await ask(command_check_files, wanted, workspace, arguments, doing)).answer


async def _check_changes(arguments: Arguments) -> Answer[CheckedChangeSet]:
    here = Path.cwd().resolve()
    workspace = find_workspace(arguments.root, here, here).resolve()
    doing = "checking what has changed"
    return (await ask(command_check_changes, _wanted(arguments), workspace, arguments, doing)).answer


def _wanted(arguments: Arguments) -> CheckChangeSet:
    if arguments.base:
        return CheckChangeSet(kind="base", revision=arguments.base)
    return CheckChangeSet(kind="staged" if arguments.staged else "changed")


def _about(answer: Answer[_Any], value: T) -> Answer[T]:
    """The same answer, of just that."""
    return Answer(
        value=value,
        status=answer.status,
        reason=answer.reason,
        servers=answer.servers,
        elapsed_ms=answer.elapsed_ms,
        note=answer.note,
    )


def _rendered(found: Findings, form: str, code: int, limits: Limits) -> str:
    match form:
        case "json":
            return dumped(render_findings_json(found))
        case "sarif":
            run = render_sarif(found, version=__version__, exit_code=code, limits=limits)
            return dumped(run, indent=2)
        case "github":
            return render_github(found, limits=limits)
        case _:
            return render_findings(found, limits=limits)


def _rendered_changes(answer: Answer[ChangeReport], form: str, code: int, limits: Limits) -> str:
    if form == "text":
        return render_changes(answer, limits=limits)
    if form == "json":
        return dumped(render_changes_json(answer))
    return _rendered(_about(answer, answer.value.files), form, code, limits)


def _tell_notes(withheld: Sequence[str], note: str) -> None:
    for each in (*withheld, *([note] if note else [])):
        sys.stderr.write(f"{each}\n")
    if withheld:
        sys.stderr.write("To see what the project wants, and to let it: groundwire trust\n")

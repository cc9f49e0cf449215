"""``groundwire def|refs|hover|symbols|…``: an operation, asked from the command line.

Above: ``main``. Below: ``operations``, ``render``, ``operation_parser``.
"""

import asyncio
import re
import sys
from pathlib import Path

import msgspec

from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.operations.answer import Answer
from groundwire.operations.files.paths import meant_path
from groundwire.operations.operation import Result
from groundwire.operations.path_arguments import given_from
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.serving.workspace import find_workspace
from groundwire.operations.table import OPERATIONS, AnyOperation
from groundwire.render.answers import render_answer
from groundwire.render.json import dumped, render_json
from groundwire.render.page import HARD_CAP
from groundwire.surfaces.cli.answer_screen import on_screen
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.asking import ask
from groundwire.surfaces.cli.exit_status import ERRORS, proven_code
from groundwire.surfaces.cli.operation_parser import TARGET, given_arguments, has_failed

_OPERATION = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?", re.DOTALL)


def run(arguments: Arguments) -> int:
    """Asks, shows the answer, and gives the exit status."""
    operation = OPERATIONS[arguments.operation]
    try:
        answer = asyncio.run(_ask(operation, arguments))
    except GroundwireError as error:
        error.hint = in_commands(error.hint)
        raise
    sys.stdout.write(_rendered(operation, answer, arguments) + "\n")
    return ERRORS if has_failed(answer.value) else proven_code(answer)


async def _ask(operation: AnyOperation, arguments: Arguments) -> Answer[Result]:
    here = Path.cwd()
    given = resolved(given_arguments(arguments), here)
    parsed = operation.parse(given)
    file = given.get("file_path")
    workspace = find_workspace(arguments.root, Path(str(file)) if file else here, here)
    doing = f"asking for {operation.command} {_subject(given)}".rstrip()
    heard = await ask(operation, parsed, workspace, arguments, doing)
    return heard.answer if heard.is_kept else _lasting(heard.answer)


def _lasting(answer: Answer[Result]) -> Answer[Result]:
    """What an edit could be undone by is gone with this process."""
    if isinstance(answer.value, EditOutcome) and answer.value.undo_id:
        return msgspec.structs.replace(answer, value=msgspec.structs.replace(answer.value, undo_id=""))
    return answer


def resolved(given: dict[str, object], here: Path) -> dict[str, object]:
    """The arguments with TARGET taken apart, and files as they are seen from ``here``."""
    target = given.pop(TARGET, None)
    taken = {**given, **(target_arguments(target, here) if isinstance(target, str) else {})}
    return given_from(taken, here)


def target_arguments(target: str, here: Path) -> dict[str, object]:
    """What a TARGET says: a place in a file, a symbol of a file, a file, or a symbol anywhere."""
    if not target.strip():
        raise InvalidArgument("TARGET is empty", hint="Name a symbol or a place: Class.method, file.py:12.")
    file, name = _file_before(target, here)
    if file:
        return {"file_path": file, "symbol": name}
    place = _PLACE.fullmatch(target)
    if place is not None and not _is_file(target, here):
        named: dict[str, object] = {"file_path": place["file"], "line": int(place["line"])}
        return {**named, "column": int(place["column"])} if place["column"] else named
    return {"file_path": target} if _is_file(target, here) else {"symbol": target}


def _file_before(target: str, here: Path) -> tuple[str, str]:
    """``file::symbol`` taken apart. Many languages write ``::`` within names: only a file before it decides."""
    at = target.find("::")
    while at > 0:
        if _is_file(target[:at], here):
            return target[:at], target[at + 2 :]
        at = target.find("::", at + 2)
    return "", target


def _is_file(named: str, here: Path) -> bool:
    try:
        return (here / meant_path(named, here)).is_file()
    except OSError:  # a name too long for any file
        return False


def _subject(given: dict[str, object]) -> str:
    for name in ("symbol", "symbol_path", "query"):
        if given.get(name):
            return str(given[name])
    return Path(str(given.get("file_path", ""))).name


def _rendered(operation: AnyOperation, answer: Answer[Result], arguments: Arguments) -> str:
    if arguments.json:
        return dumped(render_json(answer))
    most = HARD_CAP if arguments.max_chars is None else arguments.max_chars
    text = render_answer(operation, answer, max_chars=most, speak=_as_command)
    return on_screen(_undo_as_command(text, answer), sys.stdout)


def _undo_as_command(text: str, answer: Answer[Result]) -> str:
    if not isinstance(answer.value, EditOutcome) or not answer.value.undo_id:
        return text
    spoken = f"{_as_command('undo_edit')} {answer.value.undo_id}"
    return text.replace(f"undo with undo_edit {answer.value.undo_id}", f"undo with {spoken}", 1)


def in_commands(hint: str) -> str:
    """A hint with the operations in it as they are typed here."""
    return _OPERATION.sub(lambda name: _as_command(name[0]) or name[0], hint)


def _as_command(operation: str) -> str:
    known = OPERATIONS.get(operation)
    return f"groundwire {known.command}" if known else ""

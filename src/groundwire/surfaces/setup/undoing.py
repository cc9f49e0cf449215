"""A write taken back: the bytes as they were, or, where the file has changed since, only what is ours taken out of it.

Above: ``surfaces.cli.init``, ``surfaces.cli.uninstall``. Below: ``records``, ``members``, ``edits.transaction``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from groundwire.edits.files import Disk, Files
from groundwire.edits.steps import RemoveFile, Step, Write
from groundwire.edits.transaction import Transaction
from groundwire.errors import GroundwireError, InvalidArgument, NotAFile
from groundwire.surfaces.setup.members import is_bare, take
from groundwire.surfaces.setup.records import Record, Records, digest

State = Literal["restored", "removed", "edited", "unchanged", "failed"]


@dataclass(frozen=True, slots=True)
class Undone:
    """What became of a file. ``edited``: it had changed since, so only our part was taken out."""

    file: Path
    state: State
    problem: GroundwireError | None = None


def undo_all(records: Records, chosen: Iterable[Record], files: Files | None = None) -> list[Undone]:
    """Takes writes back, the newest first as they are given. What fails is told, and its record kept."""
    return [_undo(record, records, files or Disk()) for record in chosen]


def _undo(record: Record, records: Records, files: Files) -> Undone:
    path = Path(record.file)
    try:
        now = _read(path, files)
        state, steps = _way_back(record, path, now)
        if steps:
            Transaction(steps, files).run()
        if now is None or state == "removed":
            _remove_empty(record.directories, files)
    except GroundwireError as problem:
        return Undone(path, "failed", problem)
    except OSError as problem:
        return Undone(path, "failed", NotAFile(f"{path}: {problem.strerror or problem}", hint="Look at it."))
    records.drop(record)
    return Undone(path, state)


def _way_back(record: Record, path: Path, now: bytes | None) -> tuple[State, Sequence[Step]]:
    before = record.bytes_before
    if now is None or now == before:
        return "unchanged", ()
    if digest(now) == record.after:
        if before is None:
            return "removed", [RemoveFile(path, now)]
        return "restored", [Write(path, now, before)]
    kept = _without_ours(record, path, now, before or b"")
    if kept is None:
        return "removed", [RemoveFile(path, now)]
    return ("unchanged", ()) if kept == now else ("edited", [Write(path, now, kept)])


def _without_ours(record: Record, path: Path, now: bytes, before: bytes) -> bytes | None:
    """What is left for the user; None: nothing of a file that was ours."""
    if record.format == "text":
        raise InvalidArgument(
            f"{path} has changed since groundwire wrote it",
            hint="Look at what is in it, and delete it by hand if it is no longer needed.",
        )
    try:
        text, old = now.decode(), before.decode()
    except UnicodeDecodeError as problem:
        raise InvalidArgument(f"{path} is no longer in UTF-8", hint="Take groundwire out of it by hand.") from problem
    try:
        for member in reversed(record.members):
            text = take(record.format, text, member, old)
        is_ours_alone = record.before is None and is_bare(record.format, text, record.members)
    except InvalidArgument as problem:
        raise InvalidArgument(f"{path}: {problem.message}", hint="Take groundwire out of it by hand.") from problem
    return None if is_ours_alone else text.encode()


def _read(path: Path, files: Files) -> bytes | None:
    return None if files.look(path) is None else files.read(path)


def _remove_empty(directories: Sequence[str], files: Files) -> None:
    """Those that were made for the file, while nobody else uses them."""
    for directory in map(Path, reversed(directories)):
        found = files.look(directory)
        if found is None:
            continue
        if found.kind != "directory" or files.names(directory):
            return
        files.remove_directory(directory)

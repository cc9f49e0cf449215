"""A change written: recorded first, then all of the file or nothing of it.

Above: ``surfaces.cli.init``. Below: ``records``, ``edits.transaction``.
"""

from dataclasses import replace
from pathlib import Path

from groundwire.edits.failures import write_failure
from groundwire.edits.files import Disk, Files
from groundwire.edits.steps import MakeDirectory, MakeFile, Step, Write
from groundwire.edits.transaction import Transaction
from groundwire.errors import GroundwireError, PartlyWritten, PermissionDenied
from groundwire.surfaces.setup.agent import Scope
from groundwire.surfaces.setup.drafting import Change
from groundwire.surfaces.setup.records import Record, Records, digest, encoded, new_name

_EXECUTABLE = 0o111


def apply_change(change: Change, records: Records, *, scope: Scope, project: Path, files: Files | None = None) -> None:
    """Writes the file. Raises what ``Transaction`` does, with nothing changed."""
    files = files or Disk()
    try:
        directories = _missing_directories(change.real, files)
    except OSError as problem:
        raise write_failure(problem, change.real) from problem
    record = _record(change, directories, scope, project)
    records.add(record)
    try:
        Transaction(_steps(change, directories), files).run()
    except PartlyWritten:
        raise
    except GroundwireError:
        records.drop(record)
        raise
    if change.is_executable:
        _make_executable(change.real, files)


def _steps(change: Change, directories: list[Path]) -> list[Step]:
    if change.before is not None:
        return [Write(change.real, change.before, change.after)]
    return [*map(MakeDirectory, directories), MakeFile(change.real, change.after)]


def _missing_directories(path: Path, files: Files) -> list[Path]:
    """Outermost first."""
    missing: list[Path] = []
    for parent in path.parents:
        if files.look(parent) is not None:
            break
        missing.append(parent)
    return missing[::-1]


def _make_executable(path: Path, files: Files) -> None:
    try:
        status = files.look(path)
        if status is not None:
            files.set_status(path, replace(status, mode=status.mode | _EXECUTABLE))
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise PermissionDenied(
            f"{path} was written, but not made executable: {why}", hint=f"chmod +x {path}"
        ) from problem


def _record(change: Change, directories: list[Path], scope: Scope, project: Path) -> Record:
    return Record(
        name=new_name(),
        file=str(change.real),
        before=encoded(change.before),
        after=digest(change.after),
        format=change.format,
        members=change.members,
        agents=change.agents,
        scope=scope,
        project=str(project),
        directories=tuple(map(str, directories)),
    )

"""New content, written next to where it will go before anything is changed: a full disk shows itself here, harmlessly.

Above: ``transaction``. Below: ``files``, ``steps``.
"""

import errno
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.edits.files import Files, Status
from groundwire.edits.steps import MakeFile, Move, Removal, Step, Write, origin
from groundwire.errors import EditConflict, PermissionDenied

TEMPORARY_PREFIX = ".groundwire-"
"""Files and directories with names like this are on their way in or out; no watcher need tell of them."""

_CANNOT_BE_ALIKE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class Staged:
    """New content ready to take its place; without a ``temporary`` the file itself is written.

    ``status`` is that of the file that was there; ``backup`` a copy of it.
    """

    temporary: Path | None = None
    status: Status | None = None
    backup: Path | None = None


class Staging:
    """Temporary names, each handed out once and remembered until it is gone."""

    def __init__(self, steps: Sequence[Step], files: Files) -> None:
        self._steps = steps
        self._files = files
        self._token = secrets.token_hex(6)
        self._names: list[Path] = []
        self._unsteady = _unsteady(steps)
        self._is_simple = all(isinstance(step, Write) for step in steps)

    def name(self, near: Path) -> Path:
        """An unused name, in the directory of ``near`` if that stays where it is, else in the next one above."""
        directory = next(place for place in near.parents if self._is_steady(place))
        name = directory / f"{TEMPORARY_PREFIX}{self._token}-{len(self._names)}"
        self._names.append(name)
        return name

    def _is_steady(self, place: Path) -> bool:
        if any(place.is_relative_to(unsteady) for unsteady in self._unsteady):
            return False
        found = self._files.look(place)
        return found is not None and found.kind == "directory"

    def make(self, step: MakeFile) -> Staged:
        """The content of a new file."""
        return self._new(step.path, step.data, step.status)

    def _new(self, path: Path, data: bytes, status: Status | None) -> Staged:
        temporary = self._written(path, data, None)
        if status is not None:
            self._files.set_status(temporary, status)
        return Staged(temporary)

    def write(self, step: Write, number: int) -> Staged:
        """New content for a file, and how it will get there."""
        source = step.path if self._is_simple else origin(step.path, self._steps[:number])
        if isinstance(source, MakeFile):
            return self._new(step.path, step.after, source.status)
        status = None if source is None else self._files.look(source)
        if source is None or status is None:
            raise EditConflict(f"{step.path} vanished meanwhile; nothing was changed")
        _require_writable(step.path, status, is_writable=self._files.is_writable(source))
        if status.links > 1:  # a new file under this name would leave the other names with the old content
            return Staged(None, status, self._copy(step, source))
        try:
            return Staged(self._written(step.path, step.after, source), status)
        except OSError as problem:
            if problem.errno not in _CANNOT_BE_ALIKE:
                raise
        # No new file can be made here, or none with that owner: then the file itself is written.
        return Staged(None, status, None)

    def _copy(self, step: Write, source: Path) -> Path | None:
        try:
            return self._written(step.path, step.before, source)
        except OSError as problem:
            if problem.errno not in _CANNOT_BE_ALIKE:
                raise
            return None

    def _written(self, near: Path, data: bytes, like: Path | None) -> Path:
        temporary = self.name(near)
        self._files.write_new(temporary, data, like)
        return temporary

    def keep(self, name: Path) -> None:
        """Do not remove this one: it holds what could not be put back."""
        self._names = [each for each in self._names if each != name]

    def tidy(self) -> list[Path]:
        """Remove what was handed out; what could not be removed."""
        return [name for name in self._names if not self._is_removed(name)]

    def _is_removed(self, name: Path) -> bool:
        for _ in range(_ATTEMPTS):
            try:
                found = self._files.look(name)
                if found is None:
                    return True
                (self._files.remove_directory if found.kind == "directory" else self._files.remove)(name)
                return True
            except OSError:
                continue  # once more; what stays is told to the caller
        return False


def _unsteady(steps: Sequence[Step]) -> list[Path]:
    """What will be moved or removed, and with it everything in it."""
    moved = [path for step in steps if isinstance(step, Move) for path in (step.path, step.new)]
    return [*moved, *(step.path for step in steps if isinstance(step, Removal))]


def _require_writable(path: Path, status: Status, *, is_writable: bool) -> None:
    if status.is_read_only or not is_writable:
        raise PermissionDenied(
            f"{path} is read-only; nothing was changed",
            hint="Make it writable first if it is meant to be changed; groundwire changes no permissions.",
        )

"""Steps carried out on files all or nothing: each is checked right before it is taken, and all are taken back together.

What is replaced or removed keeps existing under a temporary name until all is done, so that taking back needs no room
on the disk. Above: ``write``. Below: ``staging``, ``files``, ``steps``.
"""

import contextlib
import errno
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.edits.checks import Checks
from groundwire.edits.failures import write_failure
from groundwire.edits.files import Files, Status
from groundwire.edits.staging import Staged, Staging
from groundwire.edits.steps import MakeDirectory, MakeFile, MakeLink, Move, Removal, RemoveDirectory, Step, Write
from groundwire.errors import EditConflict, PartlyWritten

_NO_SECOND_NAME = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
_ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class _Return:
    """How a step is taken back; ``kept`` holds the old content meanwhile."""

    path: Path
    action: Callable[[], None]
    kept: Path | None = None


class Transaction:
    """One run of some steps."""

    def __init__(self, steps: Sequence[Step], files: Files) -> None:
        self._steps = steps
        self._files = files
        self._checks = Checks(files)
        self._staging = Staging(steps, files)
        self._staged: dict[int, Staged] = {}
        self._returns: list[_Return] = []
        self._at: Path | None = None

    def run(self) -> list[Path]:
        """Carry out everything, or nothing and say why. Returns the temporary files that could not be removed."""
        try:
            self._stage()
            self._carry_out()
            self._sync()
        except BaseException as problem:
            left = self._take_back()
            if left:
                why = str(problem).removesuffix("; nothing was changed")
                raise PartlyWritten(f"writing {self._at} failed ({why})", left=left) from problem
            if isinstance(problem, OSError):
                raise write_failure(problem, self._at) from problem
            raise
        return self._staging.tidy()

    def _stage(self) -> None:
        for number, step in enumerate(self._steps):
            self._at = step.path
            if isinstance(step, Write):
                self._staged[number] = self._staging.write(step, number)
            elif isinstance(step, MakeFile):
                self._staged[number] = self._staging.make(step)

    def _carry_out(self) -> None:
        for number, step in enumerate(self._steps):
            self._at = step.path
            match step:
                case Write():
                    self._write(step, self._staged[number])
                case MakeFile():
                    self._make_file(step, self._staged[number])
                case MakeDirectory():
                    self._make_directory(step)
                case MakeLink():
                    self._make_link(step)
                case Move():
                    self._move(step)
                case _:
                    self._set_aside(step)

    def _sync(self) -> None:
        places = {step.path.parent for step in self._steps}
        places |= {step.new.parent for step in self._steps if isinstance(step, Move)}
        for place in sorted(places):
            self._at = place
            if self._files.look(place) is not None:
                self._files.sync_directory(place)

    def _write(self, step: Write, staged: Staged) -> None:
        path, files = step.path, self._files
        status = self._checks.require_content(path, step.before)
        if staged.status is not None and _what_is_kept(status) != _what_is_kept(staged.status):
            raise EditConflict(f"the permissions or links of {path} changed meanwhile; nothing was changed")
        if staged.temporary is None:
            self._returns.append(_Return(path, lambda: self._put_back(path, step.before, status), staged.backup))
            files.overwrite(path, step.after)
            return
        backup = self._second_name(step, status)
        self._returns.append(_Return(path, lambda: self._return_old(step, backup), backup))
        files.replace(staged.temporary, path)

    def _return_old(self, step: Write, backup: Path) -> None:
        if self._files.look(step.path) is not None and self._files.read(step.path) not in (step.before, step.after):
            raise _occupied(step.path)
        self._files.replace(backup, step.path)

    def _put_back(self, path: Path, data: bytes, status: Status) -> None:
        self._files.overwrite(path, data)
        with contextlib.suppress(PermissionError):  # of a file that belongs to somebody else
            self._files.set_time(path, status.mtime_ns)

    def _second_name(self, step: Write, status: Status) -> Path:
        """The old file under a temporary name too; a copy where the file system knows no second names."""
        backup = self._staging.name(step.path)
        try:
            self._files.link(step.path, backup)
        except OSError as problem:
            if problem.errno not in _NO_SECOND_NAME:
                raise
            self._files.write_new(backup, step.before, step.path)
            self._files.set_time(backup, status.mtime_ns)
        return backup

    def _make_file(self, step: MakeFile, staged: Staged) -> None:
        path, temporary = step.path, staged.temporary
        self._checks.require_nothing(path)
        made = None if temporary is None else self._files.look(temporary)
        if temporary is None or made is None:
            raise EditConflict(f"the new content of {path} vanished meanwhile; nothing was changed")
        self._returns.append(_Return(path, lambda: self._remove_ours(step, made)))
        self._files.replace(temporary, path)

    def _remove_ours(self, step: MakeFile, made: Status) -> None:
        found = self._files.look(step.path)
        # Numbers of files are used again, so the content must be ours too.
        if found is not None and found.identity == made.identity and self._files.read(step.path) == step.data:
            self._files.remove(step.path)

    def _make_directory(self, step: MakeDirectory) -> None:
        path, files = step.path, self._files
        self._checks.require_nothing(path)
        files.make_directory(path)
        self._returns.append(_Return(path, lambda: files.remove_directory(path)))
        if step.status is not None:
            files.set_status(path, step.status)

    def _make_link(self, step: MakeLink) -> None:
        path, files = step.path, self._files
        self._checks.require_nothing(path)
        files.make_link(path, step.target)
        self._returns.append(_Return(path, lambda: files.remove(path)))

    def _move(self, step: Move) -> None:
        self._checks.require_movable(step)
        back = _Return(step.path, lambda: self._move_back(step.new, step.path, step.is_respelled), step.new)
        self._returns.append(back)
        self._files.replace(step.path, step.new)

    def _set_aside(self, step: Removal) -> None:
        self._checks.require_removable(step)
        aside = self._staging.name(step.path)
        self._returns.append(_Return(step.path, lambda: self._move_back(aside, step.path), aside))
        self._files.replace(step.path, aside)
        if isinstance(step, RemoveDirectory) and self._files.names(aside):
            raise EditConflict(f"something was put into {step.path} meanwhile; nothing was changed")

    def _move_back(self, now: Path, before: Path, is_respelled: bool = False) -> None:
        if self._files.look(now) is None:
            return  # it never went
        if not is_respelled and self._files.look(before) is not None:
            raise _occupied(before)
        self._files.replace(now, before)

    def _take_back(self) -> list[str]:
        """Take everything back, last first; what is not as it was."""
        left: list[str] = []
        for each in reversed(self._returns):
            problem = _repeatedly(each.action)
            if problem is not None:
                left.append(self._told(each, problem))
        return [*left, *(f"{name} is left over" for name in self._staging.tidy())]

    def _told(self, failed: _Return, problem: OSError) -> str:
        told = f"{failed.path} could not be put back ({problem.strerror or problem})"
        if failed.kept is None:
            return told
        self._staging.keep(failed.kept)
        return f"{told}, its old content is in {failed.kept}"


def _occupied(path: Path) -> OSError:
    return FileExistsError(errno.EEXIST, "somebody else wrote there meanwhile", str(path))


def _repeatedly(action: Callable[[], None]) -> OSError | None:
    problem = None
    for _ in range(_ATTEMPTS):
        try:
            return action()
        except OSError as failure:
            problem = failure
    return problem


def _what_is_kept(status: Status) -> tuple[int, tuple[int, int], bool]:
    return status.mode, status.owner, status.links > 1

"""Which files of a workspace differ from git's last commit, found without running anything that the project supplies.

``git status`` and ``git diff`` run the filters that a repository configures. So git is only asked for what it has
recorded, and files that were touched since are compared here, byte by byte. One that git would convert first (by a
filter, or by its line ends) may then be called changed though it is not: it is checked for nothing, and none is missed.
Above: ``diagnostics_scope``, ``change_set``. Below: ``git_records``.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath

import msgspec

from groundwire.operations.files.git_records import Commit, GitRecords, open_records
from groundwire.operations.files.workspace_files import is_below_tools

_LONGEST_S = 10.0
_SHA256_DIGITS = 64
_PIECE = 1024 * 1024


class Changes(msgspec.Struct, frozen=True):
    """Files that are there and differ, sorted; those that are gone; what was not looked into."""

    files: tuple[Path, ...]
    gone: tuple[Path, ...] = ()
    note: str = ""

    @property
    def deleted(self) -> int:
        """How many are gone."""
        return len(self.gone)


def find_changes(workspace: Path, environment: Mapping[str, str], wait_s: float) -> Changes:
    """Blocks while git answers and files are read. Raises InvalidArgument when no repository can tell."""
    records = open_records(workspace, environment, min(wait_s, _LONGEST_S))
    return Comparison(records, records.last_commit()).changes()


class Comparison:
    """The files on disk against a commit. A file is called by the path that git has for it."""

    def __init__(self, records: GitRecords, commit: Commit) -> None:
        self._records = records
        self._looked_at = records.looked_at()
        self.commit = commit
        self.staged = records.staged()
        self.untracked = {name for name in records.untracked() if not is_below_tools(PurePath(os.fsdecode(name)))}

    def changes(self) -> Changes:
        """What is different on disk."""
        files = tuple(self.path(name) for name in self.names_that_differ())
        gone = tuple(self.path(name) for name in self.names_that_are_gone())
        note = "submodules were not looked into" if self.commit.has_submodules else ""
        return Changes(files, gone, note)

    def names_that_differ(self) -> list[bytes]:
        """Of files that are there with another content than the committed one."""
        names = sorted({*self.staged, *self.untracked})
        return [name for name in names if self._is_other_than(name, self.commit.contents.get(name))]

    def names_that_are_gone(self) -> list[bytes]:
        """Of files that the commit has and the disk has not."""
        return sorted(name for name in self.commit.contents if not os.path.lexists(self.path(name)))

    def names_not_as_staged(self) -> list[bytes]:
        """Of tracked files that are there with another content than the staged one, or are gone."""
        staged = {name: each for name, each in self.staged.items() if each.is_file and each.content}
        return sorted(
            name
            for name, each in staged.items()
            if not os.path.lexists(self.path(name)) or self._is_other_than(name, each.content)
        )

    def path(self, name: bytes) -> Path:
        """Where it is."""
        return self._records.workspace / os.fsdecode(name)

    def _is_other_than(self, name: bytes, recorded: bytes | None) -> bool:
        """Whether the file is there with another content than the recorded one."""
        self._records.require_time()
        path, staged = self.path(name), self.staged.get(name)
        try:
            found = path.lstat()
            if not stat.S_ISREG(found.st_mode) or recorded is None:
                return stat.S_ISREG(found.st_mode)
            if staged is not None and staged.is_untouched(found, self._looked_at):
                return staged.content != recorded
            return self._name_of_content(path, found.st_size, recorded) != recorded
        except OSError:  # gone meanwhile, or not ours to read: it cannot be checked
            return False

    def _name_of_content(self, path: Path, size: int, like: bytes) -> bytes:
        """The name that git would give the content as it is."""
        digest = hashlib.sha256() if len(like) == _SHA256_DIGITS else hashlib.sha1(usedforsecurity=False)
        digest.update(b"blob %d\0" % size)
        for piece in _pieces(path):
            self._records.require_time()
            digest.update(piece)
        return digest.hexdigest().encode()


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece

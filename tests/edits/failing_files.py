"""The disk, but one of the things done to it fails."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeVar

from groundwire.edits.files import Disk, Status

T = TypeVar("T")
When = Literal["before", "after", "half"]

NEEDS_ROOM = frozenset({"write_new", "overwrite", "make_directory", "make_link", "link"})


class FailingFiles(Disk):
    """The ``fail_at``-th call fails: before it did anything, after it did all, or with half of the content written.

    ``ever_after``: so do all later ones, those of the names in ``only`` at least. ``calls`` tells what was done.
    """

    def __init__(
        self,
        fail_at: int = 0,
        code: int = errno.EIO,
        *,
        when: When = "before",
        ever_after: bool = False,
        only: frozenset[str] = frozenset(),
    ) -> None:
        self.calls: list[str] = []
        self._fail_at = fail_at
        self._code = code
        self._when: When = when
        self._ever_after = ever_after
        self._only = only

    def _fails(self, name: str) -> bool:
        self.calls.append(name)
        if self._only and name not in self._only:
            return False
        number = len(self.calls)
        return 0 < self._fail_at <= number if self._ever_after else number == self._fail_at

    def _do(self, name: str, path: Path, action: Callable[[], T], half: Callable[[], None] | None = None) -> T:
        if not self._fails(name):
            return action()
        # What has no half is done before; a name that may have been there before is not ours to clear away.
        if self._when == "half" and half is not None:
            half()
        elif self._when == "after" and name not in ("make_directory", "make_link"):
            action()
        raise OSError(self._code, os.strerror(self._code), str(path))

    def look(self, path: Path, /) -> Status | None:
        return self._do("look", path, lambda: Disk.look(self, path))

    def real(self, path: Path, /) -> Path:
        return self._do("real", path, lambda: Disk.real(self, path))

    def read(self, path: Path, /) -> bytes:
        return self._do("read", path, lambda: Disk.read(self, path))

    def read_link(self, path: Path, /) -> str:
        return self._do("read_link", path, lambda: Disk.read_link(self, path))

    def names(self, path: Path, /) -> list[str]:
        return self._do("names", path, lambda: Disk.names(self, path))

    def write_new(self, path: Path, data: bytes, like: Path | None, /) -> None:
        half = data[: len(data) // 2]
        self._do(
            "write_new",
            path,
            lambda: Disk.write_new(self, path, data, like),
            lambda: Disk.write_new(self, path, half, None),
        )

    def overwrite(self, path: Path, data: bytes, /) -> None:
        half = data[: len(data) // 2]
        self._do("overwrite", path, lambda: Disk.overwrite(self, path, data), lambda: Disk.overwrite(self, path, half))

    def link(self, old: Path, new: Path, /) -> None:
        self._do("link", new, lambda: Disk.link(self, old, new))

    def make_link(self, path: Path, target: str, /) -> None:
        self._do("make_link", path, lambda: Disk.make_link(self, path, target))

    def replace(self, old: Path, new: Path, /) -> None:
        self._do("replace", new, lambda: Disk.replace(self, old, new))

    def remove(self, path: Path, /) -> None:
        self._do("remove", path, lambda: Disk.remove(self, path))

    def make_directory(self, path: Path, /) -> None:
        self._do("make_directory", path, lambda: Disk.make_directory(self, path))

    def remove_directory(self, path: Path, /) -> None:
        self._do("remove_directory", path, lambda: Disk.remove_directory(self, path))

    def set_status(self, path: Path, status: Status, /) -> None:
        self._do("set_status", path, lambda: Disk.set_status(self, path, status))

    def set_time(self, path: Path, mtime_ns: int, /) -> None:
        self._do("set_time", path, lambda: Disk.set_time(self, path, mtime_ns))

    def sync_directory(self, path: Path, /) -> None:
        self._do("sync_directory", path, lambda: Disk.sync_directory(self, path))

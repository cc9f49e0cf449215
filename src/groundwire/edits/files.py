"""What the edits need of a file system: a small interface, so that every step can be made to fail, and the disk itself.

Above: ``draft``, ``transaction``, ``undo``. Below: the file system.
"""

import contextlib
import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

Kind = Literal["file", "directory", "link", "other"]

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_SAFE = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
# A pipe that nobody writes to would hold up its reader for ever.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
_UNSYNCED_DIRECTORIES = frozenset({errno.EINVAL, errno.EBADF, errno.ENOTSUP, errno.EOPNOTSUPP})


@dataclass(frozen=True, slots=True)
class Status:
    """What a name stands for, a link itself rather than what it leads to."""

    kind: Kind
    mode: int
    owner: tuple[int, int]
    links: int
    identity: tuple[int, int]
    size: int
    mtime_ns: int

    @property
    def is_read_only(self) -> bool:
        """Nobody may write it, as far as the permissions say. (For the superuser they do not count, for us they do.)"""
        return not self.mode & 0o222


class Files(Protocol):
    """Everything the edits do to files. All raise OSError."""

    def look(self, path: Path, /) -> Status | None:
        """What is there; ``None`` if nothing is."""
        ...

    def real(self, path: Path, /) -> Path:
        """The path with every link resolved, as far as it exists."""
        ...

    def is_writable(self, path: Path, /) -> bool:
        """Whether this process may write the file."""
        ...

    def read(self, path: Path, /) -> bytes:
        """The bytes of a regular file; a link is refused."""
        ...

    def read_link(self, path: Path, /) -> str:
        """Where a symbolic link leads, as it is written in it."""
        ...

    def names(self, path: Path, /) -> list[str]:
        """What a directory holds."""
        ...

    def write_new(self, path: Path, data: bytes, like: Path | None, /) -> None:
        """A new file, on the disk when this returns, with the permissions, owner and attributes of ``like``."""
        ...

    def overwrite(self, path: Path, data: bytes, /) -> None:
        """The content of a file, in place; on the disk when this returns."""
        ...

    def link(self, old: Path, new: Path, /) -> None:
        """A second name for a file."""
        ...

    def make_link(self, path: Path, target: str, /) -> None:
        """A symbolic link."""
        ...

    def replace(self, old: Path, new: Path, /) -> None:
        """Rename, over what is there."""
        ...

    def remove(self, path: Path, /) -> None:
        """A file or a link."""
        ...

    def make_directory(self, path: Path, /) -> None:
        """One directory; its parent is there."""
        ...

    def remove_directory(self, path: Path, /) -> None:
        """An empty directory."""
        ...

    def set_status(self, path: Path, status: Status, /) -> None:
        """Give permissions and, where possible, the owner."""
        ...

    def set_time(self, path: Path, mtime_ns: int, /) -> None:
        """Give a time of change."""
        ...

    def sync_directory(self, path: Path, /) -> None:
        """The names in a directory are on the disk when this returns, where the system can do that."""
        ...


class Disk:
    """The files of this machine."""

    def look(self, path: Path, /) -> Status | None:
        """What is there; ``None`` if nothing is."""
        try:
            found = path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return status_of(found)

    def real(self, path: Path, /) -> Path:
        """The path with every link resolved, as far as it exists. Links in a circle are an error."""
        try:
            return path.resolve()
        except RuntimeError as problem:  # how Python 3.11 and 3.12 tell of links in a circle
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from problem

    def is_writable(self, path: Path, /) -> bool:
        """Whether this process may write the file."""
        return os.access(path, os.W_OK)

    def read(self, path: Path, /) -> bytes:
        """The bytes of a regular file; a link is refused."""
        with os.fdopen(os.open(path, _READ | _SAFE), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise OSError(errno.EINVAL, "not a regular file", str(path))
            return stream.read()

    def read_link(self, path: Path, /) -> str:
        """Where a symbolic link leads, as it is written in it."""
        # A Path would drop what it thinks superfluous.
        return os.readlink(path)  # noqa: PTH115

    def names(self, path: Path, /) -> list[str]:
        """What a directory holds."""
        return sorted(entry.name for entry in path.iterdir())

    def write_new(self, path: Path, data: bytes, like: Path | None, /) -> None:
        """A new file, on the disk when this returns, with the permissions, owner and attributes of ``like``."""
        # Nobody may read what is on its way into a private file.
        descriptor = os.open(path, _NEW | _SAFE, 0o666 if like is None else 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            if like is not None:
                _make_alike(stream.fileno(), path, like)
            os.fsync(stream.fileno())

    def overwrite(self, path: Path, data: bytes, /) -> None:
        """The content of a file, in place; on the disk when this returns."""
        with os.fdopen(os.open(path, os.O_WRONLY | _SAFE), "wb") as stream:
            stream.write(data)
            stream.truncate()
            stream.flush()
            os.fsync(stream.fileno())

    def link(self, old: Path, new: Path, /) -> None:
        """A second name for a file."""
        new.hardlink_to(old)

    def make_link(self, path: Path, target: str, /) -> None:
        """A symbolic link."""
        path.symlink_to(target)

    def replace(self, old: Path, new: Path, /) -> None:
        """Rename, over what is there."""
        old.replace(new)

    def remove(self, path: Path, /) -> None:
        """A file or a link."""
        path.unlink()

    def make_directory(self, path: Path, /) -> None:
        """One directory; its parent is there."""
        path.mkdir()

    def remove_directory(self, path: Path, /) -> None:
        """An empty directory."""
        path.rmdir()

    def set_status(self, path: Path, status: Status, /) -> None:
        """Give permissions and, where possible, the owner."""
        with contextlib.suppress(PermissionError):
            _own(path, status.owner)
        path.chmod(status.mode)

    def set_time(self, path: Path, mtime_ns: int, /) -> None:
        """Give a time of change."""
        os.utime(path, ns=(mtime_ns, mtime_ns))

    def sync_directory(self, path: Path, /) -> None:
        """The names in a directory are on the disk when this returns, where the system can do that."""
        if os.name == "nt":  # directories cannot be opened there
            return
        descriptor = os.open(path, os.O_RDONLY | _SAFE)
        try:
            os.fsync(descriptor)
        except OSError as problem:
            if problem.errno not in _UNSYNCED_DIRECTORIES:
                raise
        finally:
            os.close(descriptor)


def status_of(found: os.stat_result) -> Status:
    """What ``lstat`` tells."""
    return Status(
        kind=_kind(found.st_mode),
        mode=stat.S_IMODE(found.st_mode),
        owner=(found.st_uid, found.st_gid),
        links=found.st_nlink,
        identity=(found.st_dev, found.st_ino),
        size=found.st_size,
        mtime_ns=found.st_mtime_ns,
    )


def _kind(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    return "link" if stat.S_ISLNK(mode) else "other"


def _own(path: Path | int, owner: tuple[int, int]) -> None:
    if hasattr(os, "chown"):
        os.chown(path, *owner)


def _make_alike(descriptor: int, path: Path, like: Path) -> None:
    """Owner first, for giving a file away takes set-user-id bits off; attributes (access lists) before permissions."""
    model, own = like.lstat(), os.fstat(descriptor)
    if (model.st_uid, model.st_gid) != (own.st_uid, own.st_gid):
        _own(descriptor, (model.st_uid, model.st_gid))
    if hasattr(os, "listxattr"):
        for name in os.listxattr(like):
            value = os.getxattr(like, name)
            if name not in os.listxattr(descriptor) or os.getxattr(descriptor, name) != value:
                os.setxattr(descriptor, name, value)
    path.chmod(stat.S_IMODE(model.st_mode))

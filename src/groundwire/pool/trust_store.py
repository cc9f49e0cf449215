"""What this user has trusted, kept in one private file: by workspace, a digest of the values and of each program.

Above: ``trust``. Below: ``config.places``.
"""

import contextlib
import json
import os
import stat
import sys
import tempfile
from collections.abc import Generator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import msgspec

from groundwire.config.places import user_state_directory
from groundwire.errors import PermissionDenied

_VERSION = 1

if sys.platform == "win32":
    import msvcrt

    def _lock(stream: IO[bytes]) -> None:
        msvcrt.locking(stream.fileno(), msvcrt.LK_LOCK, 1)

else:
    import fcntl

    def _lock(stream: IO[bytes]) -> None:
        fcntl.flock(stream, fcntl.LOCK_EX)


class TrustRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What was trusted in one workspace."""

    values: str = ""
    """The digest of the values; empty: none."""
    programs: Mapping[str, str] = {}
    """Path in the workspace → fingerprint."""
    project_code: bool = False
    """Whether servers that execute the project's code may run where that needs trust."""
    trusted_at: str = ""


class _Content(msgspec.Struct, kw_only=True):
    version: int = _VERSION
    workspaces: dict[str, TrustRecord] = {}


class TrustStore:
    """Reads the file anew for every question: another process may have changed it."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def record(self, workspace: Path) -> TrustRecord:
        """What is trusted there. A file that is damaged, or that others could have written, trusts nothing."""
        try:
            content = self._read()
        except PermissionDenied:
            return TrustRecord()
        return content.workspaces.get(_key(workspace), TrustRecord())

    def trust(self, workspace: Path, record: TrustRecord) -> None:
        """Remembers just this, in place of what was trusted there before."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        record = msgspec.structs.replace(record, trusted_at=now)
        with self._locked():
            content = self._read()
            content.workspaces[_key(workspace)] = record
            self._write(content)

    def revoke(self, workspace: Path) -> bool:
        """Forgets the workspace; tells whether there was anything to forget."""
        with self._locked():
            content = self._read()
            if content.workspaces.pop(_key(workspace), None) is None:
                return False
            self._write(content)
            return True

    def all(self) -> Mapping[str, TrustRecord]:
        """Every workspace with what is trusted there."""
        return dict(sorted(self._read().workspaces.items()))

    def _read(self) -> _Content:
        try:
            with self.file.open("rb") as stream:
                _require_private(stream, self.file)
                content = msgspec.json.decode(stream.read(), type=_Content)
        except FileNotFoundError:
            return _Content()
        except (OSError, msgspec.DecodeError) as error:
            raise PermissionDenied(f"{self.file} cannot be read: {error}", hint=_HINT) from error
        if content.version != _VERSION:
            raise PermissionDenied(f"{self.file} is of version {content.version}", hint=_HINT)
        return content

    def _write(self, content: _Content) -> None:
        text = json.dumps(msgspec.to_builtins(content), indent=2, sort_keys=True)
        descriptor, name = tempfile.mkstemp(dir=self.file.parent, prefix=".trust-")  # 0600 from the start
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                stream.write(text + "\n")
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(self.file)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise PermissionDenied(f"{self.file} cannot be written: {error}") from error

    @contextlib.contextmanager
    def _locked(self) -> Generator[None]:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = self.file.with_suffix(".lock").open("a+b")
        except OSError as error:
            raise PermissionDenied(f"{self.file.parent} cannot be written: {error}") from error
        with lock:  # closing it gives the lock back
            _lock(lock)
            yield


_HINT = "Look at it, and remove it if it is not what you expect; then nothing is trusted."


def user_trust_store(environment: Mapping[str, str]) -> TrustStore:
    """The store of this user."""
    return TrustStore(user_state_directory(environment) / "trust.json")


def _key(workspace: Path) -> str:
    return str(workspace.resolve())


def _require_private(stream: IO[bytes], file: Path) -> None:
    if sys.platform == "win32":
        return
    found = os.fstat(stream.fileno())
    if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionDenied(f"{file} could have been written by others", hint=_HINT)

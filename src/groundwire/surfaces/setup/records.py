"""What was ever written into configurations, each write in a file of its own, with the bytes that were there before.

A record is on the disk before the write that it tells of begins, so there is no write without one. It may tell of a
write that never came about: then the file is as it was, which whoever takes it back can see.
Above: ``applying``, ``undoing``. Below: ``config.places``.
"""

import base64
import hashlib
import json
import os
import secrets
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from groundwire.config.places import user_state_directory
from groundwire.errors import PermissionDenied
from groundwire.surfaces.setup.agent import Format, Member, Scope

_VERSION = 1
_SUFFIX = ".json"


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One write."""

    name: str
    """Sorts by time."""
    file: str
    before: str | None
    """The bytes in base 64; None: there was no file."""
    after: str
    """The digest of what was written."""
    format: Format
    members: tuple[Member, ...]
    agents: tuple[str, ...]
    scope: Scope
    project: str
    directories: tuple[str, ...] = ()
    """Made for the file, outermost first."""
    version: int = _VERSION

    @property
    def bytes_before(self) -> bytes | None:
        """What was there."""
        return None if self.before is None else base64.b64decode(self.before)


def new_name() -> str:
    """The name of the next record."""
    return f"{time.time_ns():020d}-{secrets.token_hex(4)}"


def encoded(data: bytes | None) -> str | None:
    """Bytes as a record keeps them."""
    return None if data is None else base64.b64encode(data).decode("ascii")


def digest(data: bytes) -> str:
    """By which a file is known again."""
    return hashlib.sha256(data).hexdigest()


class Records:
    """A private directory of them."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def all(self) -> list[Record]:
        """The newest first. Raises PermissionDenied for one that cannot be read: it would be left behind."""
        try:
            files = sorted(self.directory.glob(f"*{_SUFFIX}"), reverse=True)
            return [self._read(file) for file in files]
        except OSError as problem:
            raise PermissionDenied(f"{self.directory} cannot be read: {problem}") from problem

    def add(self, record: Record) -> None:
        """On the disk when this returns."""
        text = json.dumps(msgspec.to_builtins(record), indent=2)
        try:
            self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, name = tempfile.mkstemp(dir=self.directory, prefix=".new-")  # 0600 from the start
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                    stream.write(text + "\n")
                    stream.flush()
                    os.fsync(stream.fileno())
                Path(name).replace(self._path(record))
            finally:
                Path(name).unlink(missing_ok=True)
        except OSError as problem:
            raise PermissionDenied(
                f"{self.directory} cannot be written: {problem}", hint="Without a record nothing is changed."
            ) from problem

    def drop(self, record: Record) -> None:
        """What it tells of is no more; the directory goes with the last."""
        self._path(record).unlink(missing_ok=True)
        if not any(self.directory.iterdir()):
            self.directory.rmdir()

    def _path(self, record: Record) -> Path:
        return self.directory / f"{record.name}{_SUFFIX}"

    def _read(self, file: Path) -> Record:
        hint = "Look at it; it says what was written where. Move it away to go on without it."
        try:
            # Not msgspec's own JSON: names of files that are no UTF-8 have no place in it.
            record = msgspec.convert(json.loads(file.read_bytes()), Record)
        except (ValueError, RecursionError) as problem:  # msgspec's own are among the first
            raise PermissionDenied(f"{file} cannot be read: {problem}", hint=hint) from problem
        if record.version != _VERSION:
            raise PermissionDenied(f"{file} is of version {record.version}", hint=hint)
        return record


def user_records(environment: Mapping[str, str]) -> Records:
    """Those of this user."""
    return Records(user_state_directory(environment) / "setup")

"""A log of records, one line of JSON each, that never holds up whoever writes to it.

Records wait in a bounded queue for a thread that lives only while there are any. What does not fit is dropped, and the
next record tells how many were. Above: ``operations.audit``. Below: the file system.
"""

import contextlib
import json
import logging
import os
import stat
import sys
import threading
import weakref
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from groundwire.protocol.names import shown, shown_within

log = logging.getLogger(__name__)

MOST_WAITING = 256
CLOSE_WITHIN_S = 2.0
# Not through a link, and not into a pipe that nobody reads.
_OPEN = (
    os.O_WRONLY
    | os.O_APPEND
    | os.O_CREAT
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
)

Record = Mapping[str, object]


class AuditSettings(msgspec.Struct, frozen=True):
    """Where the log is, and how much of it is kept: ``keep`` older files of at most ``max_bytes`` each."""

    path: Path
    max_bytes: int = 10 * 1024 * 1024
    keep: int = 5


class AuditLog:
    """Several processes may write to the same file."""

    def __init__(self, settings: AuditSettings) -> None:
        self._writer = _Writer(settings)
        # At the end of the program, too, what waits is written, unless that takes too long.
        self._closing = weakref.finalize(self, self._writer.close, CLOSE_WITHIN_S)

    def write(self, record: Record) -> None:
        """Have it written soon. Never waits, never raises."""
        self._writer.take(record)

    def take_failure(self) -> str:
        """Why records could not be written; told once."""
        return self._writer.take_failure()

    def close(self, within_s: float = CLOSE_WITHIN_S) -> bool:
        """Wait until all is written, for a while; whether it is."""
        return self._writer.close(within_s)


class _Writer:
    def __init__(self, settings: AuditSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._waiting: list[Record] = []
        self._dropped = 0
        self._thread: threading.Thread | None = None
        self._failure = ""
        self._has_failed = False

    def take(self, record: Record) -> None:
        with self._lock:
            if len(self._waiting) >= MOST_WAITING:
                self._dropped += 1
                return
            told = {**record, "dropped": self._dropped} if self._dropped else record
            self._dropped = 0
            self._waiting.append(told)
            if self._thread is None:
                self._start()

    def _start(self) -> None:
        thread = threading.Thread(target=self._work, name="groundwire-audit", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # no more threads can be had
            self._dropped += len(self._waiting)
            self._waiting.clear()
            self._note_failure(str(error))
            return
        self._thread = thread

    def take_failure(self) -> str:
        with self._lock:
            failure, self._failure = self._failure, ""
            return failure

    def close(self, within_s: float) -> bool:
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(within_s)
        return thread is None or not thread.is_alive()

    def _work(self) -> None:
        while True:
            with self._lock:
                records, self._waiting = self._waiting, []
                if not records:
                    self._thread = None
                    return
            try:
                _append(self._settings, records)
            except (OSError, ValueError) as error:  # a path can be wrong in both ways
                with self._lock:
                    self._dropped += len(records)
                    self._note_failure(str(error))

    def _note_failure(self, reason: str) -> None:
        if not self._has_failed:
            self._has_failed = True
            self._failure = f"the audit log {self._settings.path} cannot be written: {reason}"
            log.warning("%s", self._failure)


def _append(settings: AuditSettings, records: list[Record]) -> None:
    settings.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for record in records:
        line = (
            json.dumps(shown_within(record), ensure_ascii=False, default=lambda each: shown(str(each))).encode() + b"\n"
        )
        with _opened(settings.path) as descriptor:
            size = os.fstat(descriptor).st_size
            is_full = bool(size) and size + len(line) > settings.max_bytes
            if not is_full:
                _write(descriptor, line)
                continue
            _rotate(settings)  # while the lock is held
        with _opened(settings.path) as descriptor:
            _write(descriptor, line)


def _write(descriptor: int, line: bytes) -> None:
    while line:
        line = line[os.write(descriptor, line) :]


@contextmanager
def _opened(path: Path) -> Generator[int]:
    """The file, locked against other processes, and not one that another has just moved away."""
    while True:
        descriptor = os.open(path, _OPEN, 0o600)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(f"{path} is not a file")
            _lock(descriptor)
            if not _is_still(path, descriptor):
                continue
            yield descriptor
            return
        finally:
            os.close(descriptor)


if sys.platform == "win32":

    def _lock(descriptor: int) -> None:
        """Lines are appended whole; only putting a file aside may lose one there."""
        del descriptor
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _rotate(settings: AuditSettings) -> None:
    """The file becomes ``.1``, that one ``.2`` and so on; the oldest goes."""
    names = [settings.path, *(Path(f"{settings.path}.{number}") for number in range(1, settings.keep + 1))]
    if settings.keep == 0:
        settings.path.unlink()
    for older, newer in zip(reversed(names), reversed(names[:-1]), strict=False):
        with contextlib.suppress(FileNotFoundError):
            newer.replace(older)

"""A file that one process at a time can hold; the system lets go of it when the process ends, however it ends.

Above: ``meeting``, ``server``. Below: nothing.
"""

import os
import sys
import time
from types import TracebackType

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


_EVERY_S = 0.01


class FileLock:
    """``with FileLock(path, deadline)``: held within; raises TimeoutError when it is not free in time."""

    def __init__(self, path: str, deadline: float = 0.0) -> None:
        self._path = path
        self._deadline = deadline
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Hold it, if it is free."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        if not _lock(descriptor):
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Let go of it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> None:
        while not self.take():
            if time.monotonic() > self._deadline:
                raise TimeoutError(f"{self._path} is held by another process")
            time.sleep(_EVERY_S)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

"""One installation at a time: two that ran together could each tidy up what the other is building.

The system releases the lock however the holder ends, so none is ever left behind.
Above: ``installing``. Below: a file lock.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

from groundwire.errors import ServerUnavailable

if sys.platform == "win32":
    import msvcrt

    def _is_taken(file: IO[bytes]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _is_taken(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


_ASK_EVERY = 0.2
WAIT_SECONDS = 3600.0


@asynccontextmanager
async def one_at_a_time(
    directory: Path, on_wait: Callable[[], None], *, seconds: float = WAIT_SECONDS
) -> AsyncGenerator[None]:
    """Holds the lock of the directory; ``on_wait`` is called when somebody else has it.

    Raises:
        ServerUnavailable: somebody else had it all the time.

    """
    with _lock_file(directory) as file:
        if not _is_taken(file):
            on_wait()
            await _wait_for(file, seconds)
        yield  # closing the file gives it back


def _lock_file(directory: Path) -> IO[bytes]:
    directory.mkdir(parents=True, exist_ok=True)
    return (directory / "install.lock").open("ab")


async def _wait_for(file: IO[bytes], seconds: float) -> None:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not _is_taken(file):
        if loop.time() >= deadline:
            raise ServerUnavailable(
                f"another groundwire has been installing for over {seconds:,.0f} s",
                hint="Wait for it or end it, then try again.",
            )
        await asyncio.sleep(_ASK_EVERY)

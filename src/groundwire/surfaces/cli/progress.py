"""A line on the terminal while something takes longer than a second.

Above: the commands. Below: ``render.layout``.
"""

import asyncio
import shutil
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TextIO

from groundwire.operations.operation import no_progress
from groundwire.render.layout import plain

_FIRST_AFTER = 1.0
_EVERY = 0.5
_WIPE = "\r\x1b[K"
_NARROWEST = 20
"""A line that wraps could not be wiped away; one that is cut shorter than this says nothing."""


@asynccontextmanager
async def progress(doing: str, stream: TextIO) -> AsyncGenerator[Callable[[str], None]]:
    """Tells what is being done and for how long, until it is done; nothing when nobody watches the stream.

    What the work itself tells of, through the callable that is given, takes the place of ``doing``.
    """
    if not stream.isatty():
        yield no_progress
        return
    line = _Line(doing, stream)
    telling = asyncio.create_task(line.tell())
    try:
        yield line.hear
    finally:
        telling.cancel()
        await asyncio.wait([telling])
        line.wipe()


class _Line:
    """The last line of a terminal."""

    def __init__(self, doing: str, stream: TextIO) -> None:
        self._doing = doing
        self._stream = stream

    def hear(self, doing: str) -> None:
        self._doing = doing

    async def tell(self) -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()
        await asyncio.sleep(_FIRST_AFTER)
        while True:
            seconds = f" … {loop.time() - start:.0f} s"
            room = max(shutil.get_terminal_size().columns - len(seconds) - 1, _NARROWEST)
            self._write(f"{_WIPE}{plain(self._doing)[:room]}{seconds}")
            await asyncio.sleep(_EVERY)

    def wipe(self) -> None:
        self._write(_WIPE)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

"""A line on the terminal while something takes longer than a second.

Above: the commands. Below: nothing.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TextIO

_FIRST_AFTER = 1.0
_EVERY = 0.5
_WIPE = "\r\x1b[K"


@asynccontextmanager
async def progress(doing: str, stream: TextIO) -> AsyncGenerator[None]:
    """Tells what is being done and for how long, until it is done; nothing when nobody watches the stream."""
    if not stream.isatty():
        yield
        return
    telling = asyncio.create_task(_tell(doing, stream))
    try:
        yield
    finally:
        telling.cancel()
        await asyncio.wait([telling])
        stream.write(_WIPE)
        stream.flush()


async def _tell(doing: str, stream: TextIO) -> None:
    loop = asyncio.get_running_loop()
    start = loop.time()
    await asyncio.sleep(_FIRST_AFTER)
    while True:
        stream.write(f"{_WIPE}{doing} … {loop.time() - start:.0f} s")
        stream.flush()
        await asyncio.sleep(_EVERY)

"""``groundwire lsp --no-daemon``: on standard input and output, with language servers of its own.

Above: ``command``. Below: ``serve``, ``pool.opening``.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from pathlib import Path

from groundwire.pool.opening import open_pool
from groundwire.surfaces.lsp.serve import serve

_SIGNALS = (signal.SIGTERM, signal.SIGINT, *((signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()))


def run(root: Path) -> int:
    """Serves until ``exit``, the end of the input or a signal, stops every language server; gives the exit status."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    return asyncio.run(_until_told(root))


async def _until_told(root: Path) -> int:
    received: list[int] = []
    serving = asyncio.ensure_future(_serve(root))

    def end(number: int) -> None:
        received.append(number)
        serving.cancel()

    for number in _SIGNALS:
        # Where the loop cannot take signals, Python's own way of ending is left in place.
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, end, number)
    try:
        await serving
    except asyncio.CancelledError:
        if not received:
            raise
    return 128 + received[0] if received else 0


async def _serve(root: Path) -> None:
    loop = asyncio.get_running_loop()
    source, sink = _take_standard_streams()
    reader = asyncio.StreamReader()
    incoming, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(source, "rb", 0))
    closing = asyncio.StreamReaderProtocol(asyncio.StreamReader())
    outgoing, _ = await loop.connect_write_pipe(lambda: closing, os.fdopen(sink, "wb", 0))
    try:
        async with open_pool(root) as pool:
            await serve(pool, reader, asyncio.StreamWriter(outgoing, closing, None, loop))
    finally:
        incoming.close()
        outgoing.close()


def _take_standard_streams() -> tuple[int, int]:
    """The conversation on descriptors of its own: what anything else writes to the output goes to the log."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, sink

"""``groundwire lsp --no-daemon``: on standard input and output, with language servers of its own.

Above: ``command``. Below: ``serve``, ``pool.opening``.
"""

import asyncio
import contextlib
import logging
import os
import signal
import stat
import sys
from pathlib import Path

from groundwire.errors import InvalidArgument
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
    _require_conversation()
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


def _require_conversation() -> None:
    """Neither a file nor nothing at all can be waited for. Raises InvalidArgument."""
    for descriptor, name in ((0, "input"), (1, "output")):
        mode = os.fstat(descriptor).st_mode
        if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)):
            hint = "Start it from a client of the language server protocol; for commands there is `groundwire check`."
            raise InvalidArgument(f"standard {name} is not a pipe: nobody speaks with this server", hint=hint)


def _take_standard_streams() -> tuple[int, int]:
    """The conversation on descriptors of its own: what anything else writes to the output goes to the log."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, sink

"""``groundwire mcp --no-daemon``: the server on standard input and output, with language servers of its own.

Above: ``surfaces.cli``. Below: ``server``, ``lines``, ``pool.opening``.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from pathlib import Path

from groundwire.pool.opening import open_pool
from groundwire.surfaces.mcp.descriptors import Writer, open_reader
from groundwire.surfaces.mcp.direct_calls import DirectCalls
from groundwire.surfaces.mcp.lines import line_streams
from groundwire.surfaces.mcp.server import build_server

_SIGNALS = (signal.SIGTERM, signal.SIGINT, *((signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()))


def run(root: Path, profile: str, output: str) -> int:
    """Serves until the input ends or a signal comes, stops every language server, and gives the exit status."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    return asyncio.run(_serve(root, profile, output))


async def _serve(root: Path, profile: str, output: str) -> int:
    received: list[int] = []
    serving = asyncio.ensure_future(_converse(root, profile, output))
    for number in _SIGNALS:
        # Where the loop cannot take signals, Python's own way of ending is left in place.
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, _end, serving, received, number)
    try:
        await serving
    except asyncio.CancelledError:
        if not received:
            raise
    return 128 + received[0] if received else 0


def _end(serving: "asyncio.Future[None]", received: list[int], number: int) -> None:
    received.append(number)
    serving.cancel()


async def _converse(root: Path, profile: str, output: str) -> None:
    async with open_pool(root) as pool:
        server = build_server(pool, profile=profile, output=output)
        options = server.create_initialization_options()
        source, sink = _take_standard_streams()
        async with line_streams(open_reader(source), Writer(sink), DirectCalls(server.tools)) as streams:
            await server.run(streams.incoming, streams.outgoing, options)


def _take_standard_streams() -> tuple[int, int]:
    """The conversation on descriptors of its own: what anything else writes to the output goes to the log."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, sink

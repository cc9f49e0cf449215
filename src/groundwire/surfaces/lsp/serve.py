"""One client over one pool, on any pair of streams.

Above: ``conversation`` (in the daemon), ``stdio`` (without it). Below: ``server``, ``stream``.
"""

import asyncio
from collections.abc import Sequence

from groundwire.pool.pool import Pool
from groundwire.surfaces.lsp.server import LanguageServer
from groundwire.surfaces.lsp.stream import StreamTransport


async def serve(
    pool: Pool, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, notes: Sequence[str] = ()
) -> None:
    """Serve a client until ``exit`` or the end of its input. The pool outlives it. ``notes`` go to its log."""
    server = LanguageServer(pool, StreamTransport(reader, writer), notes)
    try:
        await server.ended.wait()
    finally:
        await server.close()

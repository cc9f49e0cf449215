"""A language client on a daemon's connection, over the one pool of the workspace.

Above: ``background``. Below: ``serve``.
"""

import asyncio

from groundwire.daemon.greeting import Greeting
from groundwire.pool.pool import Pool
from groundwire.surfaces.lsp.serve import serve


class LspConversation:
    """Takes no options."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def converse(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one client until it hangs up."""
        await serve(self._pool, reader, writer, notes=greeting.notes)

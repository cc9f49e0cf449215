"""What a daemon loads late, and what it then does no more than it must.

Above: ``process``. Below: ``daemon.server``.
"""

import asyncio
import gc
from collections.abc import Callable

from groundwire.daemon.greeting import Greeting
from groundwire.daemon.server import Conversation

_RUBBISH_AFTER = 10_000
"""Objects; Python itself would look after 700."""


class Late:
    """A conversation that is loaded when it is first begun: few daemons have all of them, and MCP's library alone takes
    as long to load as all the rest."""

    def __init__(self, load: Callable[[], Conversation]) -> None:
        self._load = load
        self._loading = asyncio.Lock()
        self._converse: Conversation | None = None

    async def converse(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """As the conversation does; while the first one waits, others are answered."""
        async with self._loading:
            if self._converse is None:
                self._converse = await asyncio.to_thread(self._load)
                look_for_rubbish_less_often()
        await self._converse(greeting, reader, writer)


def look_for_rubbish_less_often() -> None:
    """All that was loaded stays as long as the process: to look through it again and again would hold up every answer,
    and what an answer leaves behind is hardly ever in circles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_RUBBISH_AFTER, 20, 20)
    gc.enable()

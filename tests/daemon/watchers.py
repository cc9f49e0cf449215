"""Somebody who watches a pool over a socket, with the daemon's own conversation at the other end."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar

from groundwire.daemon.greeting import Greeting
from groundwire.daemon.watch import WatchConversation
from groundwire.daemon.watch_client import LONGEST_LINE, folded
from groundwire.daemon.watch_messages import News, Snapshot, read_news
from groundwire.pool.pool import Pool

WAIT_S = 30.0
N = TypeVar("N", bound=News)


class Watcher:
    """``seen`` is everything that it was told amounts to."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self.seen: Snapshot | None = None

    async def hear(self) -> News:
        """The next of what it is told."""
        async with asyncio.timeout(WAIT_S):
            news = read_news(await self._reader.readline())
        self.seen = folded(self.seen, news) if self.seen is not None else news if isinstance(news, Snapshot) else None
        return news

    async def first(self, kind: type[N], is_meant: Callable[[N], object] = lambda _: True) -> N:
        """The next of its kind that is meant."""
        while not (isinstance(news := await self.hear(), kind) and is_meant(news)):
            pass
        return news

    async def until(self, is_so: Callable[[Snapshot], object]) -> Snapshot:
        """All that is known, once it is so."""
        while self.seen is None or not is_so(self.seen):
            await self.hear()
        return self.seen

    async def rest(self) -> bytes:
        """Whatever comes until the other end hangs up."""
        async with asyncio.timeout(WAIT_S):
            return await self._reader.read()


@asynccontextmanager
async def watching(
    conversation: WatchConversation, pool: Pool, socket: Path, **options: str
) -> AsyncGenerator[Watcher]:
    """One more watcher; the daemon's side is done with it when this is left."""
    has_ended = asyncio.Event()

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await conversation.converse(Greeting("watch", str(pool.workspace), "test", options), reader, writer)
        finally:
            await _closed(writer)
            has_ended.set()

    async with await asyncio.start_unix_server(converse, socket):
        reader, writer = await asyncio.open_unix_connection(socket, limit=LONGEST_LINE)
        try:
            yield Watcher(reader)
        finally:
            await _closed(writer)
        async with asyncio.timeout(WAIT_S):
            await has_ended.wait()


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()

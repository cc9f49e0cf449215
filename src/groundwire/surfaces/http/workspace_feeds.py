"""Events for any number of listeners, none of which holds up the others: who falls behind begins anew.

Above: ``workspaces``. Below: nothing.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from itertools import count
from typing import NamedTuple

import msgspec

MOST_EVENTS = 1000
MOST_BYTES = 4 * 1024 * 1024


class Event(NamedTuple):
    """``data`` is JSON that names the workspace and the kind as well."""

    id: int
    workspace: str
    kind: str
    data: bytes


class Feeds:
    """``beginnings`` gives workspace, kind and data of how everything is."""

    def __init__(self, beginnings: Callable[[], list[tuple[str, str, bytes]]]) -> None:
        self._beginnings = beginnings
        self._ids = count(1)
        self._feeds: set[_Feed] = set()
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._feeds)

    def tell(self, workspace: str, kind: str, data: bytes) -> None:
        """All who listen."""
        event = Event(next(self._ids), workspace, kind, data)
        for feed in self._feeds:
            feed.put(event)

    def close(self) -> None:
        """Nobody hears any more."""
        self._is_closed = True
        for feed in self._feeds:
            feed.close()

    async def listen(self, workspace: str = "") -> AsyncGenerator[Event]:
        """How everything is, then each change, until it is closed."""
        feed = _Feed(workspace)
        self._begin(feed)
        self._feeds.add(feed)
        try:
            while not self._is_closed:
                for event in await feed.take():
                    yield event
                if feed.dropped:
                    lagging = {"workspace": workspace, "kind": "lagging", "dropped": feed.dropped}
                    yield Event(next(self._ids), workspace, "lagging", msgspec.json.encode(lagging))
                    feed.dropped = 0
                    self._begin(feed)
        finally:
            self._feeds.discard(feed)

    def _begin(self, feed: "_Feed") -> None:
        for workspace, kind, data in self._beginnings():
            feed.put(Event(next(self._ids), workspace, kind, data), is_beginning=True)


class _Feed:
    """What one listener has not heard yet; bounded, but for how everything is."""

    def __init__(self, workspace: str) -> None:
        self._workspace = workspace
        self._events: deque[Event] = deque()
        self._bytes = 0
        self._news = asyncio.Event()
        self.dropped = 0

    def put(self, event: Event, *, is_beginning: bool = False) -> None:
        if self._workspace not in ("", event.workspace):
            return
        self._news.set()
        if self.dropped:
            self.dropped += 1
        elif not is_beginning and (len(self._events) >= MOST_EVENTS or self._bytes > MOST_BYTES):
            self.dropped = len(self._events) + 1
            self._events.clear()
            self._bytes = 0
        else:
            self._events.append(event)
            self._bytes += len(event.data)

    def close(self) -> None:
        self._news.set()

    async def take(self) -> list[Event]:
        await self._news.wait()
        self._news.clear()
        taken = list(self._events)
        self._events.clear()
        self._bytes = 0
        return taken

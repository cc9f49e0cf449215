"""What comes back for one request, or for one who listens, in its order: heard by one task, said by another.

Above: ``mcp_links``, ``mcp_replies``. Below: nothing.
"""

import asyncio
from collections import deque
from typing import NamedTuple

_MOST_HELD = 256


class Event(NamedTuple):
    """One message. Nothing comes behind the last one."""

    message: bytes
    is_last: bool = False


SILENCE = Event(b"")
"""Nothing came in time."""
HUNG_UP = Event(b"", is_last=True)
"""Nothing will come any more, or nobody waits for it."""


class Outlet:
    """Where messages wait for the one who reads them. When nobody does, the oldest are lost: ``most`` are held."""

    __slots__ = ("_events", "_is_over", "_waiter")

    def __init__(self, most: int = _MOST_HELD) -> None:
        self._events: deque[Event] = deque(maxlen=most)
        self._waiter: asyncio.Future[None] | None = None
        self._is_over = False

    def put(self, message: bytes, *, is_last: bool = False) -> None:
        """Behind the last message this does nothing."""
        if not self._is_over:
            self._is_over = is_last
            self._events.append(Event(message, is_last))
            self.wake()

    def end(self) -> None:
        """What has not been heard by now is not heard any more."""
        self._is_over = True
        self._events.clear()
        self.wake()

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be put."""
        return self._is_over

    async def next(self, within_s: float) -> Event:
        """The next message; ``SILENCE`` when none comes in time, ``HUNG_UP`` when none will."""
        if not self._events and not self._is_over:
            await self._wait(within_s)
        if self._events:
            return self._events.popleft()
        return HUNG_UP if self._is_over else SILENCE

    async def _wait(self, within_s: float) -> None:
        # A future and a timer, and no task: this is on the way of every request.
        loop = asyncio.get_running_loop()
        self._waiter = loop.create_future()
        timer = loop.call_later(within_s, self.wake)
        try:
            await self._waiter
        finally:
            timer.cancel()
            self._waiter = None

    def wake(self) -> None:
        """Whoever waits for a message waits no longer."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

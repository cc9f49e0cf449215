"""While a server is shown content that is not on disk, nobody else asks it: the answer would be about that content.

Above: ``session``, ``pool.instance`` (who waits), ``shown`` and whoever uses it (who shows). Below: nothing.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class Interlude:
    """Of one server; one at a time."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self.moved = 0
        """How far ``Documents.world`` moved because of what was shown and put back: none of that is news."""

    @property
    def is_on(self) -> bool:
        """Whether the server is told other things than the disk holds."""
        return self._lock.locked()

    @asynccontextmanager
    async def on(self) -> AsyncGenerator[None]:
        """Have the server to oneself. Who has asked already will notice that its world changed, and ask again."""
        async with self._lock:
            yield

    async def over(self, deadline: float) -> None:
        """Wait until the server is back to the disk. Raises TimeoutError."""
        if not self._lock.locked():
            return
        async with asyncio.timeout_at(deadline), self._lock:
            return

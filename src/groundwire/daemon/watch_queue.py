"""What one watcher has not read yet: so much and no more, for nobody waits for it.

Above: ``watch``. Below: ``watch_messages``.
"""

import asyncio
from collections import deque

from groundwire.daemon.watch_messages import Lagging, dump

MOST_LINES = 512
MOST_BYTES = 2 * 1024 * 1024


class WatchQueue:
    """Lines for one watcher. One that falls behind loses all that is held, and begins anew with a snapshot."""

    def __init__(self, most_lines: int = MOST_LINES, most_bytes: int = MOST_BYTES) -> None:
        self._most_lines = most_lines
        self._most_bytes = most_bytes
        self._lines: deque[bytes] = deque()
        self._bytes = 0
        self._news = asyncio.Event()
        self.dropped = 0
        """How much was not told since the last snapshot."""

    def put(self, line: bytes) -> None:
        """One more, or none of them where there are too many."""
        if self.dropped:
            self.dropped += 1
        elif len(self._lines) >= self._most_lines or self._bytes + len(line) > self._most_bytes:
            self.dropped = len(self._lines) + 1
            self._lines.clear()
            self._bytes = 0
        else:
            self._lines.append(line)
            self._bytes += len(line)
        self._news.set()

    async def take(self) -> bytes:
        """All that is held, once there is something; empty when a snapshot is due instead."""
        await self._news.wait()
        self._news.clear()
        taken = b"".join(self._lines)
        self._lines.clear()
        self._bytes = 0
        return taken

    def begin_anew(self) -> bytes:
        """What is said before the snapshot that makes up for what was dropped."""
        line = dump(Lagging(dropped=self.dropped))
        self.dropped = 0
        return line

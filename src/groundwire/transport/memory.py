"""Two ends of a stream that lives in memory: a transport with no process and no socket behind it.

For tests of everything above, and for servers that live in our own process. Above: ``client``. Below: ``base``.
"""

import asyncio
from collections import deque

from groundwire.transport.base import OnBytes, OnClosed


class MemoryTransport:
    """One end. What one end sends, the other receives from a later turn of the event loop, in order."""

    def __init__(self, chunk_size: int | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._chunk_size = chunk_size
        self._peer: MemoryTransport = self
        self._outgoing: deque[bytes] = deque()
        self._unsent = 0
        self._taken = asyncio.Event()
        self._taken.set()
        self._stalled = False
        self._closing = False
        self._ended = asyncio.Event()
        self._reason = ""
        self._on_bytes: OnBytes | None = None
        self._on_closed: OnClosed | None = None

    def start(self, on_bytes: OnBytes, on_closed: OnClosed) -> None:
        """Begin to deliver; what the peer sent before comes now."""
        self._on_bytes, self._on_closed = on_bytes, on_closed
        self._loop.call_soon(self._peer._deliver)
        if self._ended.is_set():
            self._loop.call_soon(on_closed, self._reason)

    def send(self, data: bytes) -> int:
        """Queue bytes for the peer, cut into chunks if so configured."""
        if self._closing or self._ended.is_set() or not data:
            return self._unsent
        size = self._chunk_size or len(data)
        self._outgoing.extend(data[at : at + size] for at in range(0, len(data), size))
        self._unsent += len(data)
        self._taken.clear()
        self._loop.call_soon(self._deliver)
        return self._unsent

    @property
    def unsent(self) -> int:
        """Bytes the peer has not taken yet: it is stalled, not started, or its turn has not come."""
        return self._unsent

    async def drained(self) -> None:
        """Wait until the peer has taken everything, or the stream closed."""
        await self._taken.wait()

    async def close(self) -> None:
        """End the stream for both: the peer first gets what was sent before, unless it does not read."""
        if not self._closing:
            self._closing = True
            self._loop.call_soon(self._finish)
        await self._ended.wait()

    def stall(self) -> None:
        """Stop reading, as a peer that hangs does: the other end's ``unsent`` grows."""
        self._stalled = True

    def unstall(self) -> None:
        """Read again."""
        self._stalled = False
        self._loop.call_soon(self._peer._deliver)

    def break_off(self, reason: str) -> None:
        """End the stream at once, as a crash does: both ends learn the reason, what was under way is lost."""
        self._end(reason)
        self._peer._end(reason)

    def _join(self, peer: "MemoryTransport") -> None:
        self._peer = peer

    def _deliver(self) -> None:
        peer = self._peer
        # Asked again for each chunk: what the peer does with one may stall it or end the stream.
        while self._outgoing and peer._on_bytes and not peer._stalled and not peer._ended.is_set():
            chunk = self._outgoing.popleft()
            self._unsent -= len(chunk)
            peer._on_bytes(chunk)
        if not self._outgoing:
            self._taken.set()

    def _finish(self) -> None:
        self._deliver()
        self._end("closed by this side")
        self._peer._end("closed by the peer")

    def _end(self, reason: str) -> None:
        if self._ended.is_set():
            return
        self._reason = reason
        self._ended.set()
        self._outgoing.clear()
        self._unsent = 0
        self._taken.set()
        if self._on_closed:
            self._on_closed(reason)

    @staticmethod
    def pair(chunk_size: int | None) -> "tuple[MemoryTransport, MemoryTransport]":
        """Two ends that belong together."""
        left, right = MemoryTransport(chunk_size), MemoryTransport(chunk_size)
        left._join(right)
        right._join(left)
        return left, right


def memory_pair(*, chunk_size: int | None = None) -> tuple[MemoryTransport, MemoryTransport]:
    """Two connected ends on the running event loop; ``chunk_size`` cuts what is delivered into pieces of that size."""
    return MemoryTransport.pair(chunk_size)

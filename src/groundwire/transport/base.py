"""The narrow interface between bytes and everything above it.

Above: ``client.connection``, which never asks what kind of transport it has. Below: ``memory``, ``stdio``, ``socket``.
"""

from collections.abc import Callable
from typing import Protocol

OnBytes = Callable[[bytes], None]
OnClosed = Callable[[str], None]


class Transport(Protocol):
    """A duplex stream of bytes.

    Received bytes are handed to ``on_bytes`` as they arrive, in order, from the event loop; ``on_closed`` is called
    exactly once, after the last bytes, with the reason in words, when nothing more will come. ``send`` never blocks and
    never loses order: what the peer has not taken yet is buffered, and ``send`` and ``unsent`` tell how much that is,
    so that the caller can hold back or give up. All of it belongs to one event loop and is called from its thread; the
    callbacks are never called from within ``start`` or ``send``.
    """

    def start(self, on_bytes: OnBytes, on_closed: OnClosed) -> None:
        """Begin to deliver. Called once, before anything else; nothing that came earlier is lost."""
        ...

    def send(self, data: bytes) -> int:
        """Queue bytes; ``unsent`` by then. After the stream closed this is a no-op: ``on_closed`` has told."""
        ...

    @property
    def unsent(self) -> int:
        """Bytes queued that the peer has not taken yet."""
        ...

    async def drained(self) -> None:
        """Wait until the peer has taken (most of) what was queued, or the stream closed."""
        ...

    async def close(self) -> None:
        """End the stream and free what is behind it, bounded in time; ``on_closed`` has been called when this returns.

        To be called by every owner, also after the peer ended the stream. Safe to call twice.
        """
        ...

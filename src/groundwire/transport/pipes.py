"""Our ends of a child's pipes: bytes go straight from the event loop to a callback, with no reader task in between.

Above: ``process`` and ``stdio``. Below: asyncio's pipe transports.
"""

import asyncio
import logging
import sys
from collections.abc import Callable
from typing import IO, Protocol, cast

from groundwire.transport.base import OnBytes

# A few reads' worth. More would count against the user's allowance for pipe memory and gain nothing.
PIPE_SIZE = 256 * 1024

# Asyncio would ask for four times as much at a time. The memory for that is mapped and unmapped with every read, which
# costs more than all the rest of reading a small message.
READ_SIZE = 64 * 1024

logger = logging.getLogger(__name__)


class _HasReadSize(Protocol):
    max_size: int


class FlowControl:
    """Whether the peer takes what we write: asyncio tells, ``drained`` waits."""

    def __init__(self) -> None:
        self._flowing = asyncio.Event()
        self._flowing.set()

    def pause_writing(self) -> None:
        """The write buffer is over its high-water mark."""
        self._flowing.clear()

    def resume_writing(self) -> None:
        """The write buffer is under its low-water mark again, or gone."""
        self._flowing.set()

    async def drained(self) -> None:
        """Wait until the peer has taken most of what was written, or is gone."""
        await self._flowing.wait()


class InputPipe(FlowControl, asyncio.BaseProtocol):
    """The end we write to: the child's standard input."""

    def __init__(self) -> None:
        super().__init__()
        self._transport: asyncio.WriteTransport | None = None
        self._closed_by_us = False
        self.ended = asyncio.Event()
        self.on_broken: Callable[[], None] | None = None

    async def connect(self, pipe: IO[bytes]) -> None:
        """Take over the pipe."""
        enlarge(pipe)
        await asyncio.get_running_loop().connect_write_pipe(lambda: self, pipe)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asyncio has the pipe."""
        self._transport = cast("asyncio.WriteTransport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """The pipe is closed: by us, or because nobody reads it any more."""
        logger.debug("a server's standard input closed: %s", exc or "no error")
        self.resume_writing()
        self.ended.set()
        if self.on_broken and not self._closed_by_us:
            self.on_broken()

    def send(self, data: bytes) -> int:
        """Write what the pipe takes now, and buffer the rest; nothing once it is closed."""
        pipe = self._transport
        if not pipe or pipe.is_closing():
            return self.unsent
        pipe.write(data)
        return pipe.get_write_buffer_size()

    @property
    def unsent(self) -> int:
        """Bytes in our buffer. Bytes in the pipe itself count as taken."""
        return self._transport.get_write_buffer_size() if self._transport else 0

    def finish(self) -> None:
        """Close once what was written before is out: the child then reads end of file."""
        self._closed_by_us = True
        if self._transport:
            self._transport.close()

    def abort(self) -> None:
        """Close now, dropping what is not out."""
        self._closed_by_us = True
        # Asyncio's pipes do not bear to be aborted once nothing is left to write and they are closing anyway.
        if self._transport and (self.unsent or not self._transport.is_closing()):
            self._transport.abort()


class OutputPipe(asyncio.Protocol):
    """An end we read from: the child's standard output or standard error."""

    def __init__(self, on_bytes: OnBytes | None = None) -> None:
        self._transport: asyncio.ReadTransport | None = None
        self._on_bytes = on_bytes
        self._early: list[bytes] = []
        self.ended = asyncio.Event()
        self.on_end: Callable[[], None] | None = None

    async def connect(self, pipe: IO[bytes]) -> None:
        """Take over the pipe and begin to read it."""
        enlarge(pipe)
        await asyncio.get_running_loop().connect_read_pipe(lambda: self, pipe)

    def deliver_to(self, on_bytes: OnBytes) -> None:
        """Hand over what comes from now on, what came before first."""
        self._on_bytes = on_bytes
        if self._early:
            asyncio.get_running_loop().call_soon(self._catch_up)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asyncio has the pipe."""
        self._transport = cast("asyncio.ReadTransport", transport)
        cast("_HasReadSize", transport).max_size = READ_SIZE

    def data_received(self, data: bytes) -> None:
        """Straight to the callback. With nobody to take it yet, keep it and read no more."""
        if self._on_bytes:
            self._on_bytes(data)
        else:
            self._early.append(data)
            if self._transport:
                self._transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """The last holder of the other end is gone, or we closed ours."""
        logger.debug("an output of a server ended: %s", exc or "no error")
        self.ended.set()
        if self.on_end:
            self.on_end()

    def abort(self) -> None:
        """Close our end now; nothing more is delivered."""
        self._early.clear()
        if self._transport:
            self._transport.close()

    def _catch_up(self) -> None:
        # Nothing newer can overtake this: reading pauses with the first early bytes.
        while self._early and self._on_bytes:
            self._on_bytes(self._early.pop(0))
        if self._transport and not self._transport.is_closing():
            self._transport.resume_reading()


def enlarge(pipe: IO[bytes]) -> None:
    """Let the pipe hold more before its writer has to wait. Best effort: the system may refuse."""
    if sys.platform != "linux":
        return
    try:
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    except OSError:
        return


if sys.platform == "linux":
    import fcntl

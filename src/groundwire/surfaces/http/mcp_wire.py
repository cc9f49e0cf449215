"""One connection to a daemon: lines out, lines in, and its end.

Above: ``mcp_links``. Below: ``daemon.meeting``.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping

from groundwire.daemon.greeting import Greeting
from groundwire.daemon.meeting import Link as Met
from groundwire.daemon.meeting import meet
from groundwire.errors import DaemonUnavailable, GroundwireError

_START_S = 60.0
"""How long a daemon may take to start, on a machine that is busy."""
_GRACE_S = 20.0
_AT_ONCE = 16
_LOUD = 4 * 1024 * 1024
"""Bytes that a daemon has not taken yet, beyond which nothing more is said to it."""


class Wire(asyncio.Protocol):
    """A protocol and no streams: the line that is an answer is with the one who waits without another task's turn."""

    def __init__(self, on_line: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._on_line = on_line
        self._on_end = on_end
        self._held: list[bytes] = []
        self._transport: asyncio.Transport | None = None
        self._may_write = asyncio.Event()
        self._may_write.set()
        self.is_over = False

    def write(self, lines: bytes) -> None:
        """Whole lines, each with its end. Said in vain once the connection has ended, which is told by ``on_end``."""
        if self._transport is not None and not self.is_over:
            self._transport.write(lines)

    async def room(self) -> None:
        """Returns when more may be written."""
        await self._may_write.wait()

    def close(self) -> None:
        """Hang up. Nothing is told any more, not even the end."""
        self.is_over = True
        self._may_write.set()
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  asyncio has no other for a stream
        transport.set_write_buffer_limits(high=_LOUD)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        *complete, rest = data.split(b"\n")
        for piece in complete:
            line = b"".join((*self._held, piece)) if self._held else piece
            self._held.clear()
            if line and not self.is_over:
                self._on_line(line)
        if rest:
            self._held.append(rest)

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  however it ended, it has
        self._may_write.set()
        if not self.is_over:
            self.is_over = True
            self._on_end()


class Meetings:
    """Finds daemons, or starts them, a few at a time. Each in a thread of its own that nobody waits for at the end."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def meet(self, greeting: Greeting, wire: Wire) -> None:
        """Connects the wire. Raises DaemonUnavailable, or another GroundwireError."""
        async with self._turns:
            met = await self._met(greeting)
        try:
            await asyncio.get_running_loop().create_connection(lambda: wire, sock=met.socket)
        except BaseException:
            met.socket.close()
            raise

    async def _met(self, greeting: Greeting) -> Met:
        loop = asyncio.get_running_loop()
        found: asyncio.Future[Met] = loop.create_future()

        def tell(met: Met | None, problem: GroundwireError | None) -> None:
            if not found.done():
                found.set_exception(problem) if problem is not None else found.set_result(_some(met))
            elif met is not None:  # nobody wants it any more
                met.socket.close()

        def find() -> None:
            try:
                met, problem = meet(greeting, self._environment, time.monotonic() + _START_S), None
            except GroundwireError as error:
                met, problem = None, error
            except (OSError, ValueError) as error:  # a place that cannot be used, or that is none
                met, problem = None, DaemonUnavailable(f"the background process cannot be reached: {error}")
            _tell_later(loop, tell, met, problem)

        threading.Thread(target=find, daemon=True).start()
        try:
            async with asyncio.timeout(_START_S + _GRACE_S):
                return await found
        except TimeoutError:
            raise DaemonUnavailable("the background process did not answer in time") from None


def _some(met: Met | None) -> Met:
    assert met is not None  # noqa: S101  only who does not start one gets none
    return met


def _tell_later(
    loop: asyncio.AbstractEventLoop,
    tell: Callable[[Met | None, GroundwireError | None], None],
    met: Met | None,
    problem: GroundwireError | None,
) -> None:
    try:
        loop.call_soon_threadsafe(tell, met, problem)
    except RuntimeError:  # the front has ended meanwhile
        if met is not None:
            met.socket.close()

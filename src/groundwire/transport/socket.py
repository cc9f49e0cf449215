"""The stream to a language server that somebody else runs and that listens on a socket. It is never ended by us.

Above: ``client``. Below: asyncio's socket transports.
"""

import asyncio
import sys
from typing import cast

from groundwire.errors import ServerUnavailable
from groundwire.transport.base import OnBytes, OnClosed
from groundwire.transport.pipes import FlowControl

CONNECT_TIMEOUT = 5.0
"""Seconds to dial; the handshake that follows has its own time."""
FLUSH_WAIT = 1.0


async def open_tcp(host: str, port: int, timeout: float = CONNECT_TIMEOUT) -> "SocketTransport":
    """Connect to a server that listens on TCP. Raises ``ServerUnavailable`` when nobody answers in time."""
    where = f"{host}:{port}"
    try:
        async with asyncio.timeout(timeout):
            _, stream = await asyncio.get_running_loop().create_connection(SocketTransport, host, port)
    except TimeoutError as error:
        hint = "Check the address and that nothing in between drops the connection, or allow more time."
        raise ServerUnavailable(f"{where} did not answer within {timeout:g} s", hint=hint) from error
    except (OSError, OverflowError, UnicodeError) as error:
        hint = f"Start the server that shall listen on {where}, or correct the address in its definition."
        raise ServerUnavailable(f"no connection to {where}: {error}", hint=hint) from error
    return stream


async def open_unix(path: str, timeout: float = CONNECT_TIMEOUT) -> "SocketTransport":
    """Connect to a server that listens on a Unix socket. Raises ``ServerUnavailable`` when nobody answers in time."""
    hint = f"Start the server that shall listen on {path}, or correct the path in its definition."
    if sys.platform == "win32":
        raise ServerUnavailable("this system has no Unix sockets", hint="Let the server listen on TCP.")
    try:
        async with asyncio.timeout(timeout):
            _, stream = await asyncio.get_running_loop().create_unix_connection(SocketTransport, path)
    except TimeoutError as error:
        raise ServerUnavailable(f"{path} did not answer within {timeout:g} s", hint=hint) from error
    except (OSError, ValueError) as error:
        raise ServerUnavailable(f"no connection to {path}: {error}", hint=hint) from error
    return stream


class SocketTransport(FlowControl, asyncio.Protocol):
    """A transport over a connected socket. Closing it ends the connection, not the server."""

    def __init__(self) -> None:
        super().__init__()
        self._transport: asyncio.Transport | None = None
        self._on_bytes: OnBytes | None = None
        self._on_closed: OnClosed | None = None
        self._early: list[bytes] = []
        self._closing = False
        self._reason = ""
        self._ended = asyncio.Event()

    def start(self, on_bytes: OnBytes, on_closed: OnClosed) -> None:
        """Begin to deliver, with what came before first."""
        self._on_bytes, self._on_closed = on_bytes, on_closed
        asyncio.get_running_loop().call_soon(self._catch_up)

    def send(self, data: bytes) -> int:
        """Write what the socket takes now and buffer the rest."""
        if self._transport and not self._transport.is_closing():
            self._transport.write(data)
        return self.unsent

    @property
    def unsent(self) -> int:
        """Bytes buffered here because the server does not read."""
        return self._transport.get_write_buffer_size() if self._transport else 0

    async def close(self) -> None:
        """End the connection; what was sent before gets a moment to leave."""
        self._closing = True
        if self._transport is None:
            return
        self._transport.close()
        try:
            await asyncio.wait_for(self._ended.wait(), FLUSH_WAIT)
        except TimeoutError:
            self._transport.abort()
            await self._ended.wait()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asyncio has connected."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Straight to the callback. With nobody to take it yet, keep it and read no more."""
        if self._on_bytes:
            self._on_bytes(data)
        else:
            self._early.append(data)
            if self._transport:
                self._transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        if self._closing:
            self._reason = "closed by us"
        else:
            self._reason = f"the connection broke: {exc}" if exc else "the server closed the connection"
        self.resume_writing()
        self._ended.set()
        self._catch_up()

    def _catch_up(self) -> None:
        """What came before ``start`` first, then the end if it came; nothing can overtake: reading was paused."""
        while self._early and self._on_bytes:
            self._on_bytes(self._early.pop(0))
        if self._transport and not self._ended.is_set():
            self._transport.resume_reading()
        elif self._on_closed:
            on_closed, self._on_closed = self._on_closed, None
            on_closed(self._reason)

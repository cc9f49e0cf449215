"""What one connection may take: time for its header, room for it, time to read what it is sent; and how many there are.

The HTTP library has none of these limits. Nothing is limited between the end of a request and the beginning of its
answer: a call may take as long as it takes. Above: ``serving``. Below: ``guard`` for what every answer says.
"""

import asyncio
from typing import Any, cast

from uvicorn import Config
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from groundwire.surfaces.http.errors_shown import error_body
from groundwire.surfaces.http.guard import PLAIN_HEADERS
from groundwire.surfaces.http.limits_joined import JoinedWrites
from groundwire.surfaces.http.settings import ServeSettings

_TOO_LONG = 431
_MOST_AHEAD = 32
"""Requests that a client may send on one connection before the first of them is answered."""
_REASONS = {400: b"Bad Request", 408: b"Request Timeout", 431: b"Request Header Fields Too Large"}


class Connections:
    """All of a front. Where there is no room, one that has not asked anything gives way: first who never has."""

    def __init__(self, settings: ServeSettings) -> None:
        self.settings = settings
        self._all: set[Connection] = set()
        self._silent: dict[Connection, None] = {}
        self._resting: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._all)

    def join(self, connection: "Connection") -> bool:
        """Whether there is room for it."""
        if len(self._all) >= self.settings.connections:
            idle = next(iter(self._silent), None) or next(iter(self._resting), None)
            if idle is None:
                return False
            self.leave(idle)
            idle.transport.abort()
        self._all.add(connection)
        self._silent[connection] = None
        return True

    def leave(self, connection: "Connection") -> None:
        """It is closed."""
        self._all.discard(connection)
        self.asks(connection)

    def asks(self, connection: "Connection") -> None:
        """A whole header has come."""
        self._silent.pop(connection, None)
        self._resting.pop(connection, None)

    def rests(self, connection: "Connection") -> None:
        """It has its answer."""
        if connection in self._all:
            self._resting[connection] = None


class LimitedConfig(Config):
    """The library makes a connection from its configuration alone, so this is how one gets to know the others."""

    together: Connections


class Connection(HttpToolsProtocol):
    """One, with its clocks."""

    # The library's own types are loose here; nothing but the library calls it.
    def __init__(
        self,
        config: LimitedConfig,
        server_state: ServerState,
        app_state: dict[str, Any],  # pyright: ignore[reportExplicitAny]
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._together = config.together
        self._limits = config.together.settings
        self.timeout_keep_alive = cast("int", self._limits.idle_s)
        self._header_clock: asyncio.TimerHandle | None = None
        self._write_clock: asyncio.TimerHandle | None = None
        self._served: RequestResponseCycle | None = None
        self._received = 0
        self._refusal = 400
        self._answers: JoinedWrites

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self._answers = JoinedWrites(transport, self.loop)
        if self._together.join(self):
            self._await_header()
        else:
            self._refuse(503, "Busy", "there are too many connections")

    def connection_lost(self, exc: Exception | None) -> None:
        self._together.leave(self)
        self._stop_header_clock()
        self._stop_write_clock()
        self._unset_keepalive_if_required()
        self.pipeline.clear()
        if self._served is not None and not self._served.response_complete:
            # The library tells only the last request that came, which another one may be waiting before.
            self._served.disconnected = True
            self._served.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._received += len(data)
        super().data_received(data)
        if self.transport.is_closing() or self._is_asking:
            return
        if self._received > self._most_unasked:
            self._refusal = _TOO_LONG
            self.send_400_response("")
        elif self.timeout_keep_alive_task is None:
            self._await_header()

    @property
    def _is_asking(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete  # pyright: ignore[reportUnnecessaryComparison]

    @property
    def _most_unasked(self) -> int:
        """A header; where the answer came before the end of the body, also the rest of that."""
        is_first = self.cycle is None  # pyright: ignore[reportUnnecessaryComparison]
        return self._limits.header_bytes if is_first else self._limits.header_bytes + 2 * self._limits.body_bytes

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value.rstrip(b" \t"))  # no part of it, by HTTP; the parser takes away what is before

    def on_headers_complete(self) -> None:
        if sum(len(name) + len(value) for name, value in self.headers) + len(self.url) > self._limits.header_bytes:
            self._refusal = _TOO_LONG
            raise ValueError("the header is too long")
        if len(self.pipeline) >= _MOST_AHEAD:
            self.transport.abort()
            raise ValueError("too many requests at once")
        self._stop_header_clock()
        self._together.asks(self)
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._served = cycle
        cycle.transport = cast("asyncio.Transport", self._answers)  # all that it has is used of it
        super()._start_asgi_task(cycle, app)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._received = 0
        if not self._is_asking and not self.transport.is_closing():  # answered before it was whole
            self._stop_header_clock()
            self._rest()

    def on_response_complete(self) -> None:
        self._answers.flush()  # one that has no body
        super().on_response_complete()
        if self.pipeline:
            self.flow.pause_reading()
        if self.transport.is_closing():
            self._await_reader()
        elif self.timeout_keep_alive_task is not None:
            self._together.rests(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_reader()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_write_clock()

    def shutdown(self) -> None:
        super().shutdown()
        if self.transport.is_closing():
            self._await_reader()

    def timeout_keep_alive_handler(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  what the library says names the library
        if self._refusal == _TOO_LONG:
            self._refuse(_TOO_LONG, "MessageTooLarge", f"a header has at most {self._limits.header_bytes:,} bytes")
        else:
            self._refuse(400, "InvalidArgument", "this is not HTTP/1.1")

    def _unsupported_upgrade_warning(self) -> None:
        """Nothing else is spoken here; the request is answered as if it had not asked for that, and is the last."""
        if self.cycle is not None:  # pyright: ignore[reportUnnecessaryComparison]
            self.cycle.keep_alive = False

    def _rest(self) -> None:
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_later(self._limits.idle_s, self.timeout_keep_alive_handler)
        self._together.rests(self)

    def _await_header(self) -> None:
        if self._header_clock is None:
            self._header_clock = self.loop.call_later(self._limits.header_s, self._header_is_late)

    def _header_is_late(self) -> None:
        self._header_clock = None
        if self._received:
            self._refuse(408, "RequestTimeout", f"the header did not come within {self._limits.header_s:g} s")
        else:
            self.transport.abort()

    def _refuse(self, status: int, kind: str, message: str) -> None:
        if self.transport.is_closing():
            return
        body = error_body(kind, message)
        reason = _REASONS.get(status, b"Service Unavailable")
        begin = b"HTTP/1.1 %d %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n"
        self.transport.write(begin % (status, reason, len(body)) + PLAIN_HEADERS + b"\r\n" + body)
        self.transport.close()
        self._await_reader()

    def _await_reader(self) -> None:
        if self._write_clock is None and self.transport.get_write_buffer_size():
            self._write_clock = self.loop.call_later(self._limits.write_s, self.transport.abort)

    def _stop_header_clock(self) -> None:
        if self._header_clock is not None:
            self._header_clock.cancel()
            self._header_clock = None

    def _stop_write_clock(self) -> None:
        if self._write_clock is not None:
            self._write_clock.cancel()
            self._write_clock = None

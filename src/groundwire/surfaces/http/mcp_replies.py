"""How answers of the protocol leave over HTTP: as one JSON body, or as a stream of events when more than one comes.

Above: ``mcp_handshake``, ``mcp_modern``, ``mcp_endpoint``. Below: ``mcp_exchange``.
"""

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from starlette.types import Receive, Send

from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.surfaces.http.errors_shown import refused_for
from groundwire.surfaces.http.mcp_exchange import HUNG_UP, Event, Outlet
from groundwire.surfaces.http.mcp_messages import INTERNAL_ERROR, INVALID_REQUEST, Id, error_answer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

Headers = tuple[tuple[bytes, bytes], ...]

_PING: Final = b": still here\r\n\r\n"
_JSON: Final = (b"content-type", b"application/json")
_EVENTS: Final[Headers] = ((b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no"))
_OK: Final = 200
_FAULT: Final = 500


class McpRefused(Exception):  # noqa: N818  said of a request, as HTTP has it
    """A message that goes no further. ``code`` is the protocol's."""

    def __init__(
        self, status: int, message: str, hint: str = "", *, code: int = INVALID_REQUEST, headers: Headers = ()
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.headers = headers


def refusal_for(error: GroundwireError) -> McpRefused:
    """One of our own failures."""
    status = refused_for(error).status
    if isinstance(error, InvalidArgument):
        status = 400  # the protocol has no other for it
    return McpRefused(status, error.message, error.hint, code=INTERNAL_ERROR if status >= _FAULT else INVALID_REQUEST)


async def send_refused(refused: McpRefused, send: Send, request: Id | None = None) -> None:
    """As an error of the protocol, with the status of HTTP."""
    data = {"hint": refused.hint} if refused.hint else None
    body = error_answer(request, refused.code, refused.message, data)
    await send_json(send, body, refused.status, refused.headers)


async def send_json(send: Send, body: bytes, status: int = _OK, headers: Headers = ()) -> None:
    """A whole answer."""
    length = (b"content-length", b"%d" % len(body))
    await send({"type": "http.response.start", "status": status, "headers": [_JSON, length, *headers]})
    await send({"type": "http.response.body", "body": body})


async def send_empty(send: Send, status: int, headers: Headers = ()) -> None:
    """An answer that its status says."""
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0"), *headers]})
    await send({"type": "http.response.body", "body": b""})


async def send_answer(
    send: Send,
    exchange: Outlet,
    every_s: float,
    *,
    headers: Headers = (),
    status_of: Callable[[bytes], int] = lambda _: _OK,
) -> None:
    """JSON when nothing comes but the answer, and that soon; else events, with a sign of life every ``every_s``."""
    first = await exchange.next(every_s)
    if first is HUNG_UP:
        return
    if first.is_last:
        await send_json(send, first.message, status_of(first.message), headers)
        return
    await begin_events(send, headers)
    await _send_event(send, first)
    await send_events(send, exchange, every_s, lambda: False)


async def begin_events(send: Send, headers: Headers = ()) -> None:
    """The headers of a stream."""
    await send({"type": "http.response.start", "status": _OK, "headers": [*_EVENTS, *headers]})


async def send_events(send: Send, outlet: Outlet, every_s: float, is_gone: Callable[[], bool]) -> None:
    """All that comes, to the last of it, or until the client is gone."""
    while not is_gone():
        event = await outlet.next(every_s)
        if event is HUNG_UP:
            break
        await _send_event(send, event)
        if event.is_last:
            return
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send_event(send: Send, event: Event) -> None:
    body = b"event: message\r\ndata: %b\r\n\r\n" % event.message if event.message else _PING
    await send({"type": "http.response.body", "body": body, "more_body": not event.is_last})


@asynccontextmanager
async def watching(receive: Receive, on_gone: Callable[[], None]) -> "AsyncGenerator[None]":
    """Tells when the client hangs up, as long as the context lasts."""
    task = asyncio.create_task(_watch(receive, on_gone))
    try:
        yield
    finally:
        task.cancel()


async def _watch(receive: Receive, on_gone: Callable[[], None]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    on_gone()

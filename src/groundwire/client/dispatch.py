"""The inbound dispatch: every question of the server gets one answer, at once or when its work is done, and nothing
that it tells can end the conversation.

Above: ``connection``. Below: ``protocol.correlator`` makes the bytes.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol, cast

import msgspec
from msgspec import Raw

from groundwire.errors import GroundwireError, ServerError
from groundwire.protocol import jsonrpc
from groundwire.protocol.correlator import Asked, Correlator, Told
from groundwire.protocol.jsonrpc import MessageId

log = logging.getLogger(__name__)


class Peer(Protocol):
    """Who answers what the server asks and hears what it tells."""

    def asked(self, method: str, params: Raw) -> object:
        """The result of a request, or an awaitable of it. What is raised here is answered as a failure."""
        ...

    def told(self, method: str, params: Raw) -> None:
        """A notification."""
        ...

    def heard_noise(self, reason: str, sample: str) -> None:
        """Something that is no message."""
        ...

    def closed(self, reason: str) -> None:
        """Nothing more will come."""
        ...


class Dispatch:
    """Hands on to ``peer`` what the server says. ``send`` takes bytes, and drops them once nobody listens."""

    def __init__(self, peer: Peer, correlator: Correlator, send: Callable[[bytes], None], most: int) -> None:
        self._peer = peer
        self._correlator = correlator
        self._send = send
        self._most = most
        self._work: dict[MessageId, asyncio.Future[object]] = {}

    def hear(self, event: Told) -> None:
        """A notification."""
        try:
            if event.method == "$/cancelRequest":
                self._cancel(event.params)
            else:
                self._peer.told(event.method, event.params)
        except Exception:
            # One notification that we mishandle must not end the conversation.
            log.exception("%s from the server was mishandled", event.method)

    def answer(self, event: Asked) -> None:
        """Answer with what the peer returns, or with what it returns an awaitable of, or with what it raises."""
        try:
            result = self._peer.asked(event.method, event.params)
            if not isinstance(result, Awaitable):
                self._send(self._correlator.respond(event.id, result))
                return
        except Exception as error:  # noqa: BLE001 - the inbound dispatch: every question gets an answer
            self._fail(event, error)
            return
        work = asyncio.ensure_future(cast("Awaitable[object]", result))
        if len(self._work) >= self._most:
            work.cancel()
            self.refuse(event.id, "too many requests at once")
            return
        self._work[event.id] = work
        work.add_done_callback(lambda done: self._done(event, done))

    def refuse(self, message_id: MessageId, why: str) -> None:
        """Answer with a failure."""
        self._send(self._correlator.refuse(message_id, jsonrpc.REQUEST_FAILED, why))

    def cancel_all(self) -> None:
        """Nobody will hear an answer."""
        for work in list(self._work.values()):
            work.cancel()

    def _cancel(self, params: Raw) -> None:
        wanted = msgspec.json.decode(params, type=dict[str, int | str]).get("id") if bytes(params) else None
        work = self._work.get(wanted) if wanted is not None else None
        if work is not None:
            work.cancel()

    def _done(self, event: Asked, work: asyncio.Future[object]) -> None:
        self._work.pop(event.id, None)
        if work.cancelled():
            self._send(self._correlator.refuse(event.id, jsonrpc.REQUEST_CANCELLED, "cancelled"))
            return
        try:
            self._send(self._correlator.respond(event.id, work.result()))
        except Exception as error:  # noqa: BLE001 - the inbound dispatch: every question gets an answer
            self._fail(event, error)

    def _fail(self, event: Asked, error: Exception) -> None:
        data = None
        if isinstance(error, ServerError):
            code, message, data = error.code, error.server_message, error.data
        elif isinstance(error, GroundwireError):
            code, message = jsonrpc.REQUEST_FAILED, error.message
        else:
            log.error("%s from the server was mishandled", event.method, exc_info=error)
            code, message = jsonrpc.INTERNAL_ERROR, str(error)
        self._send(self._correlator.refuse(event.id, code, message, data))

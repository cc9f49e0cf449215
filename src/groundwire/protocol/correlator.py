"""Which answer belongs to which question: ids, the table of pending requests, cancellation.

Give it the bytes that arrived, get events; ask it for a request, get the bytes to send. It sends nothing and knows no
time: how long to wait is decided above. An answer that came but cannot be used still ends its request, with a failure.

Above: ``client.connection``. Below: ``framing``, ``jsonrpc``.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

import msgspec
from msgspec import Raw

from groundwire.errors import ServerError
from groundwire.protocol import jsonrpc
from groundwire.protocol.framing import Body, Frame, FrameDecoder, Noise, Oversized, Truncated, encode_frame
from groundwire.protocol.jsonrpc import NO_PARAMS, MessageId

NOISE = "text outside any message"
"""The reason of a ``Strange`` that is only something the server printed."""

_SAMPLE_SIZE = 512
_LONGEST_ID_TEXT = 18


class Answered(msgspec.Struct, frozen=True):
    """One of our requests has its result."""

    id: int
    method: str
    result: Raw


class Failed(msgspec.Struct, frozen=True):
    """One of our requests was answered with an error, or with something that is no answer."""

    id: int
    method: str
    code: int
    message: str
    data: Raw | None = None

    def as_error(self) -> ServerError:
        """The same, to be raised."""
        data = None if self.data is None else bytes(self.data)
        return ServerError(self.code, self.message, method=self.method, data=data)


class Refused(msgspec.Struct, frozen=True):
    """A body over the limit was skipped.

    ``ids`` are our requests that get no answer because of it: the one it answered, or all that were pending where
    nobody can tell. ``asked`` is the peer's request that still has to be refused, if it was one.
    """

    ids: tuple[int, ...]
    size: int
    limit: int
    asked: MessageId | None = None
    method: str | None = None


class Asked(msgspec.Struct, frozen=True):
    """The peer wants an answer: ``respond`` or ``refuse``."""

    id: MessageId
    method: str
    params: Raw


class Told(msgspec.Struct, frozen=True):
    """The peer tells something."""

    method: str
    params: Raw


class Strange(msgspec.Struct, frozen=True):
    """Something arrived that has no place in the protocol. Worth a line in the log."""

    reason: str
    sample: str


Event: TypeAlias = Answered | Failed | Refused | Asked | Told | Strange


class Correlator:
    """Both directions of one connection."""

    def __init__(self, decoder: FrameDecoder | None = None) -> None:
        self._decoder = decoder or FrameDecoder()
        self._pending: dict[int, str] = {}
        self._last_id = 0
        self.pending: Mapping[int, str] = MappingProxyType(self._pending)
        self.late_answers = 0
        """Answers to requests of ours that nobody waits for any more."""

    def request(self, method: str, params: object = NO_PARAMS) -> tuple[int, bytes]:
        """A new request: its id, and the bytes to send. It is pending from now on."""
        request_id = self._last_id + 1
        data = encode_frame(jsonrpc.dump_request(request_id, method, params))
        self._last_id = request_id
        self._pending[request_id] = method
        return request_id, data

    def notify(self, method: str, params: object = NO_PARAMS) -> bytes:
        """The bytes of a notification."""
        return encode_frame(jsonrpc.dump_notification(method, params))

    def cancel(self, request_id: int) -> bytes | None:
        """Forget a request; the bytes that ask the peer to forget it too, or nothing if it was not pending."""
        if self._pending.pop(request_id, None) is None:
            return None
        return self.notify("$/cancelRequest", {"id": request_id})

    def respond(self, message_id: MessageId, result: object) -> bytes:
        """The bytes that answer a request of the peer."""
        return encode_frame(jsonrpc.dump_response(message_id, result))

    def refuse(self, message_id: MessageId, code: int, message: str, data: bytes | None = None) -> bytes:
        """The bytes that answer a request of the peer with an error."""
        return encode_frame(jsonrpc.dump_failure(message_id, code, message, data))

    def feed(self, data: bytes) -> list[Event]:
        """What the bytes that arrived mean, in order."""
        return self._events(self._decoder.feed(data))

    def close(self) -> list[Event]:
        """What was left unfinished on the stream when it ended. Pending requests stay: see ``abandon_all``."""
        return self._events(self._decoder.close())

    def abandon_all(self) -> list[int]:
        """Forget all pending requests: nothing will answer them."""
        abandoned = list(self._pending)
        self._pending.clear()
        return abandoned

    def _events(self, frames: list[Frame]) -> list[Event]:
        events: list[Event] = []
        for frame in frames:
            event = self._event(frame)
            if event is not None:
                events.append(event)
        return events

    def _event(self, frame: Frame) -> Event | None:
        match frame:
            case Body():
                return self._from_message(jsonrpc.parse(frame.data))
            case Noise(text):
                return Strange(NOISE, text)
            case Oversized():
                return self._from_oversized(frame)
            case Truncated(size, received, head):
                return Strange(f"the stream ended after {received:,} of {size:,} bytes of a message", _sample(head))

    def _from_message(self, message: jsonrpc.Message) -> Event | None:
        match message:
            case jsonrpc.Response():
                message_id = message.id
                request_id = message_id if isinstance(message_id, int) else self._own(message_id)
                method = self._pending.pop(request_id, None)
                return Answered(request_id, method, message.result) if method else self._unexpected(message_id)
            case jsonrpc.Notification(method, params):
                return Told(method, params)
            case jsonrpc.Request(message_id, method, params):
                return Asked(message_id, method, params)
            case jsonrpc.Failure(message_id, code, text, data):
                if message_id is None:
                    return Strange(f"a failure that names no request ({code})", text)
                return self._failed(message_id, code, text, data)
            case jsonrpc.Malformed():
                return self._from_malformed(message)

    def _failed(self, message_id: MessageId, code: int, text: str, data: Raw | None) -> Event | None:
        request_id = self._own(message_id)
        method = self._pending.pop(request_id, None)
        if method is None:
            return self._unexpected(message_id)
        return Failed(request_id, method, code, text, data)

    def _from_malformed(self, message: jsonrpc.Malformed) -> Event | None:
        if message.answers is None or self._own(message.answers) not in self._pending:
            return Strange(f"malformed message: {message.reason}", _sample(message.head))
        return self._failed(message.answers, jsonrpc.PARSE_ERROR, f"malformed answer: {message.reason}", None)

    def _from_oversized(self, frame: Oversized) -> Event | None:
        seen = jsonrpc.glimpse(frame.head, frame.tail)
        if seen.is_from_peer:
            return Refused((), frame.size, frame.limit, seen.id, seen.method)
        if seen.id is None:
            return Refused(tuple(self.abandon_all()), frame.size, frame.limit)
        request_id = self._own(seen.id)
        method = self._pending.pop(request_id, None)
        if method is None:
            return self._unexpected(seen.id)
        return Refused((request_id,), frame.size, frame.limit, method=method)

    def _unexpected(self, message_id: MessageId) -> Strange | None:
        # Every id up to the last was ours once, so no record of cancelled requests is needed, which a server that never
        # answers them would let grow for ever.
        if 0 < self._own(message_id) <= self._last_id:
            self.late_answers += 1
            return None
        return Strange("an answer to a request that was never sent", str(message_id)[:_SAMPLE_SIZE])

    def _own(self, message_id: MessageId) -> int:
        """The id as we gave it out, also where the peer made text of it; 0 is never ours."""
        if isinstance(message_id, int):
            return message_id
        is_number = message_id.isascii() and message_id.isdigit() and len(message_id) <= _LONGEST_ID_TEXT
        return int(message_id) if is_number else 0


def _sample(head: bytes) -> str:
    return head[:_SAMPLE_SIZE].decode("utf-8", "replace")

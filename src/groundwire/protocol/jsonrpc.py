"""JSON-RPC messages: parse one body, dump one body.

Only the envelope is decoded here. Parameters and results stay ``msgspec.Raw``, to be decoded once, by whoever knows
their type; a ``Raw`` keeps the whole body it was cut from alive, and nobody has looked at the text of its strings yet.

Above: ``correlator``. Below: ``errors``.
"""

import re
from typing import Final, TypeAlias

import msgspec
from msgspec import UNSET, Raw, UnsetType

from groundwire.errors import InvalidArgument

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
SERVER_NOT_INITIALIZED: Final = -32002
UNKNOWN_ERROR_CODE: Final = -32001
REQUEST_CANCELLED: Final = -32800
CONTENT_MODIFIED: Final = -32801
SERVER_CANCELLED: Final = -32802
REQUEST_FAILED: Final = -32803

RETRYABLE: Final = frozenset({CONTENT_MODIFIED, SERVER_CANCELLED, REQUEST_CANCELLED})
"""Failures that say nothing about the question: the same request may well succeed when it is sent again."""

NO_PARAMS: Final = UNSET
"""The member ``params`` is left out; ``None`` would send ``null``, which some servers refuse."""

_HEAD_SIZE = 512
_NULL = Raw(b"null")

MessageId: TypeAlias = int | str


class Request(msgspec.Struct, frozen=True):
    """The peer wants an answer. Params that were left out are ``null``."""

    id: MessageId
    method: str
    params: Raw


class Notification(msgspec.Struct, frozen=True):
    """The peer tells something. Params that were left out are ``null``."""

    method: str
    params: Raw


class Response(msgspec.Struct, frozen=True):
    """The answer to a request."""

    id: MessageId
    result: Raw


class Failure(msgspec.Struct, frozen=True):
    """A request failed. No id: the peer could not tell which."""

    id: MessageId | None
    code: int
    message: str
    data: Raw | None


class Malformed(msgspec.Struct, frozen=True):
    """Not a message. Where the body shows that it was meant as the answer to a request, ``answers`` is its id."""

    reason: str
    head: bytes
    answers: MessageId | None = None


Message: TypeAlias = Request | Notification | Response | Failure | Malformed


class _Envelope(msgspec.Struct):
    id: int | float | str | None = None
    method: str | UnsetType = UNSET
    params: Raw = _NULL
    result: Raw | UnsetType = UNSET
    error: Raw = _NULL


class _ErrorMember(msgspec.Struct):
    code: int | float
    message: str = ""
    data: Raw = _NULL  # not ``Raw | None``: for msgspec that admits nothing but null


UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding raises: of the wrong shape, strings that are no UTF-8, too deep."""

_envelope_decoder = msgspec.json.Decoder(_Envelope)
_error_decoder = msgspec.json.Decoder(_ErrorMember)


def parse(body: bytes) -> Message:
    """The message in a body. Never raises: what is no message comes back as ``Malformed``."""
    try:
        envelope = _envelope_decoder.decode(body)
    except UNREADABLE as error:
        return _malformed(str(error), body)
    message_id = envelope.id
    if isinstance(message_id, float):
        if not message_id.is_integer():
            return _malformed(f"the id is a fraction: {message_id}", body)
        message_id = int(message_id)
    if isinstance(envelope.method, str):
        if message_id is None:
            return Notification(envelope.method, envelope.params)
        return Request(message_id, envelope.method, envelope.params)
    if envelope.error != _NULL:
        return _failure(message_id, envelope.error)
    if isinstance(envelope.result, UnsetType):
        return _malformed("neither method, result nor error", body)
    if message_id is None:
        return _malformed("a result without an id", body)
    return Response(message_id, envelope.result)


def _failure(message_id: MessageId | None, error: Raw) -> Failure:
    # Someone waits for this answer: an error of an odd shape is still an error.
    try:
        member = _error_decoder.decode(error)
    except UNREADABLE:
        text = bytes(error)[:_HEAD_SIZE].decode("utf-8", "replace")
        return Failure(message_id, UNKNOWN_ERROR_CODE, text, None)
    data = None if member.data == _NULL else member.data
    return Failure(message_id, int(member.code), member.message or "no message", data)


def _malformed(reason: str, body: bytes) -> Malformed:
    seen = glimpse(body[:_HEAD_SIZE], body[-_HEAD_SIZE:])
    return Malformed(reason, body[:_HEAD_SIZE], None if seen.is_from_peer else seen.id)


class Glimpse(msgspec.Struct, frozen=True):
    """What the two ends of an unread body give away."""

    id: MessageId | None
    method: str | None
    is_from_peer: bool
    """It is a request or a notification, not an answer to one of ours."""


_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s"{}\[\],:]+|"', re.DOTALL)
_LAST_MEMBERS = re.compile(
    rb'(?:,\s*"(?:jsonrpc|id|method|result|error)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?[0-9.]+|null)\s*)+\}\s*\Z'
)


def glimpse(head: bytes, tail: bytes) -> Glimpse:
    """Look for id and method among the outermost members at both ends of a body that nobody will decode."""
    members = _outermost_members(head)
    last = _LAST_MEMBERS.search(tail)
    if last:
        members = {**_outermost_members(b"{" + last[0][1:]), **members}
    message_id = _scalar(members.get(b'"id"', b""))
    method = _scalar(members.get(b'"method"', b""))
    is_from_peer = b'"method"' in members or b'"params"' in members
    return Glimpse(message_id, method if isinstance(method, str) else None, is_from_peer)


def _outermost_members(text: bytes) -> dict[bytes, bytes]:
    """Name → scalar text, or nothing where the value is no scalar or is cut off."""
    members: dict[bytes, bytes] = {}
    tokens = [match[0] for match in _TOKEN.finditer(text)]
    depth = 0
    for index, token in enumerate(tokens):
        if token == b'"':
            break  # a string that is cut off: the rest is its text
        if token in b"{[":
            depth += 1
        elif token in b"}]":
            depth -= 1
        elif token == b":" and depth == 1 and index:
            value = tokens[index + 1 : index + 3]
            is_whole_scalar = len(value) == 2 and value[1] in b",}"
            members[tokens[index - 1]] = value[0] if is_whole_scalar else b""
    return members


def _scalar(text: bytes) -> MessageId | None:
    try:
        return msgspec.json.decode(text, type=int | str)
    except UNREADABLE:
        return None


class _RequestOut(msgspec.Struct, tag_field="jsonrpc", tag="2.0"):
    id: MessageId
    method: str
    params: object


class _NotificationOut(msgspec.Struct, tag_field="jsonrpc", tag="2.0"):
    method: str
    params: object


class _ResponseOut(msgspec.Struct, tag_field="jsonrpc", tag="2.0"):
    id: MessageId
    result: object


class _ErrorOut(msgspec.Struct):
    code: int
    message: str
    data: Raw | msgspec.UnsetType = msgspec.UNSET


class _FailureOut(msgspec.Struct, tag_field="jsonrpc", tag="2.0"):
    id: MessageId | None
    error: _ErrorOut


_encoder = msgspec.json.Encoder()


def _encoded(message: msgspec.Struct) -> bytes:
    try:
        return _encoder.encode(message)
    except UnicodeEncodeError:
        # Written otherwise it would name another file, or another symbol.
        raise InvalidArgument(
            "what a server would be told holds bytes that are no UTF-8, or half a character"
        ) from None


def dump_request(message_id: MessageId, method: str, params: object = NO_PARAMS) -> bytes:
    """The body of a request."""
    return _encoded(_RequestOut(message_id, method, params))


def dump_notification(method: str, params: object = NO_PARAMS) -> bytes:
    """The body of a notification."""
    return _encoded(_NotificationOut(method, params))


def dump_response(message_id: MessageId, result: object) -> bytes:
    """The body of an answer; the member ``result`` is always there, be it ``null``."""
    return _encoded(_ResponseOut(message_id, result))


def dump_failure(message_id: MessageId | None, code: int, message: str, data: bytes | None = None) -> bytes:
    """The body of an answer that is an error; ``data`` is JSON."""
    more = msgspec.UNSET if data is None else Raw(data)
    return _encoded(_FailureOut(message_id, _ErrorOut(code, message, more)))

"""Messages of the protocol as they come in a body: taken apart no further than the way needs it.

Pure. Above: ``mcp_links``, ``mcp_handshake``, ``mcp_modern``. Below: nothing.
"""

from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Raw, UnsetType

from groundwire.errors import InvalidArgument

Id = int | str

CONVERSATION: Final = "groundwire/conversation"
"""The member of ``params._meta`` that names a conversation."""

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
CANCELLED: Final = -32800

_TOKEN: Final = "progressToken"  # noqa: S105  it is no secret

_Members = dict[str, Raw]


class Body(msgspec.Struct):
    """What a client sends; a request, a notification or an answer, depending on what is there."""

    jsonrpc: Literal["2.0"]
    id: Id | UnsetType | None = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET

    @property
    def is_request(self) -> bool:
        """Whether it wants an answer."""
        return self.method is not UNSET and self.id is not UNSET

    @property
    def is_answer(self) -> bool:
        """Whether it is the answer to a question of the server's."""
        return self.method is UNSET and (self.result is not UNSET or self.error is not UNSET)


class Request(NamedTuple):
    """``params`` is JSON, or empty. ``token`` is what the client knows progress by, as JSON, or empty."""

    id: Id
    method: str
    params: bytes = b""
    token: bytes = b""
    conversation: str = ""

    def line(self, own_id: int) -> bytes:
        """What is sent on under another id, by which progress is known, too."""
        params = self.params
        if self.token:
            params = _with_token(params, own_id)
        said = b',"params":%b' % params.replace(b"\n", b" ").replace(b"\r", b" ") if params else b""
        return b'{"jsonrpc":"2.0","id":%d,"method":%b%b}' % (own_id, encode(self.method), said)


class _Requested(msgspec.Struct, rename={"request": "requestId"}):
    request: Id


read_body = msgspec.json.Decoder(Body).decode
_read_members = msgspec.json.Decoder(_Members).decode
_read_token = msgspec.json.Decoder(Id).decode
_read_text = msgspec.json.Decoder(str).decode
_read_requested = msgspec.json.Decoder(_Requested).decode
encode = msgspec.json.Encoder().encode


def request_of(body: Body) -> Request:
    """Raises InvalidArgument when it is none that can be answered."""
    if body.id is UNSET or body.id is None or body.method is UNSET:
        raise InvalidArgument("the message is not a request", hint="A request has an id, a string or a number.")
    if body.params is UNSET:
        return Request(body.id, body.method)
    params = bytes(body.params)
    if b'"_meta"' not in params:
        return Request(body.id, body.method, params)
    return _with_meta(Request(body.id, body.method, params))


def _with_meta(request: Request) -> Request:
    """What the client says beside its question; what is only for us goes no further."""
    try:
        params = _read_members(request.params)
        meta = _read_members(params["_meta"])
    except (msgspec.DecodeError, KeyError):  # the daemon has a better word for it
        return request
    token = bytes(meta[_TOKEN]) if _TOKEN in meta and _is_token(meta[_TOKEN]) else b""
    if CONVERSATION not in meta:
        return request._replace(token=token)
    try:
        conversation = _read_text(meta.pop(CONVERSATION))
    except msgspec.DecodeError:
        raise InvalidArgument(f"{CONVERSATION} is not a string", hint="Name a conversation.") from None
    params["_meta"] = Raw(encode(meta))
    if not meta:
        del params["_meta"]
    return request._replace(params=encode(params), token=token, conversation=conversation)


def _is_token(value: Raw) -> bool:
    try:
        _read_token(value)
    except msgspec.DecodeError:
        return False
    return True


def _with_token(params: bytes, token: int) -> bytes:
    members = _read_members(params)
    members["_meta"] = Raw(encode({**_read_members(members["_meta"]), _TOKEN: token}))
    return encode(members)


def line_of(body: bytes) -> bytes:
    """A message as it came, on one line. In JSON an end of line stands only between members."""
    return body.replace(b"\n", b" ").replace(b"\r", b" ")


def cancelled_request(body: Body) -> Id | None:
    """The request that a notification of its end names."""
    if body.params is UNSET:
        return None
    try:
        return _read_requested(body.params).request
    except msgspec.DecodeError:
        return None


def text_member(params: bytes, name: str) -> str:
    """A text among the parameters; empty when it is none."""
    try:
        return _read_text(_read_members(params)[name])
    except (msgspec.DecodeError, KeyError):
        return ""


def cancel_line(own_id: int) -> bytes:
    """The wish that a request ends."""
    return b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}' % own_id


def error_answer(request: Id | None, code: int, message: str, data: object = None) -> bytes:
    """A failure, as the protocol tells it."""
    error: dict[str, object] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return encode({"jsonrpc": "2.0", "id": request, "error": error})

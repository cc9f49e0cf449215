"""A request of HTTP that speaks the protocol: its headers and its body, checked as both eras want them.

Above: ``mcp_endpoint``, ``mcp_handshake``, ``mcp_modern``. Below: ``mcp_messages``.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec
from starlette.types import Receive, Scope

from groundwire.surfaces.http.guard import IS_AUTHENTICATED
from groundwire.surfaces.http.mcp_messages import PARSE_ERROR, Body, Request, read_body
from groundwire.surfaces.http.mcp_replies import McpRefused

_ANY: Final = "*/*"
_EVENTS: Final = frozenset({"text/event-stream", "text/*", _ANY})
_JSON: Final = frozenset({"application/json", "application/*", _ANY})
_PLAIN_ACCEPT: Final = frozenset({b"application/json, text/event-stream", b"*/*"})
"""What nearly every client says."""


class Asked(NamedTuple):
    """``headers`` by their names in lower case."""

    scope: Scope
    headers: Mapping[bytes, bytes]
    receive: Receive

    def header(self, name: bytes) -> str:
        """Empty when it is not there."""
        value = self.headers.get(name)
        return value.decode("latin-1") if value is not None else ""

    @property
    def is_authenticated(self) -> bool:
        """Whether the token came with it."""
        return bool(self.scope.get(IS_AUTHENTICATED))

    def check_post(self) -> None:
        """Raises McpRefused when its client cannot read what may come, or sends something else than JSON."""
        accept = self.headers.get(b"accept", b"")
        if accept not in _PLAIN_ACCEPT and not (_accepts(accept, _JSON) and _accepts(accept, _EVENTS)):
            hint = "Send Accept: application/json, text/event-stream."
            raise McpRefused(406, "the client must accept both JSON and a stream of events", hint)
        kind = self.headers.get(b"content-type", b"")
        if kind.partition(b";")[0].strip().lower() != b"application/json":
            raise McpRefused(415, "the body must be JSON", "Send Content-Type: application/json.")

    def check_listening(self) -> None:
        """Raises McpRefused when its client cannot read events."""
        if not _accepts(self.headers.get(b"accept", b""), _EVENTS):
            raise McpRefused(406, "the client must accept a stream of events", "Send Accept: text/event-stream.")

    async def body(self) -> bytes:
        """All of it."""
        pieces: list[bytes] = []
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise McpRefused(400, "the body did not come to its end")
            pieces.append(message.get("body", b""))
            if not message.get("more_body", False):
                return b"".join(pieces) if len(pieces) > 1 else pieces[0]

    def conversation(self, request: Request | None = None) -> str:
        """The one that is named, by the header or in the message; empty when none is. Raises McpRefused."""
        by_header, within = self.header(b"groundwire-conversation"), request.conversation if request else ""
        if by_header and within and by_header != within:
            raise McpRefused(400, "the header and the message name two conversations", "Name one of them.")
        return by_header or within


def parsed(body: bytes) -> Body:
    """Raises McpRefused."""
    try:
        return read_body(body)
    except msgspec.ValidationError:
        if body.lstrip()[:1] == b"[":
            raise McpRefused(400, "several messages at once are not taken", "Send one message in a request.") from None
        hint = "Send one request or notification of JSON-RPC 2.0."
        raise McpRefused(400, "the body is not a message of the protocol", hint) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise McpRefused(400, "the body is not JSON", code=PARSE_ERROR) from None


def _accepts(header: bytes, wanted: frozenset[str]) -> bool:
    named = (each.partition(";")[0].strip().lower() for each in header.decode("latin-1").split(","))
    return not wanted.isdisjoint(named)

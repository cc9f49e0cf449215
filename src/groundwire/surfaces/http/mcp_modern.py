"""Requests that say everything themselves: no greeting, no session. Closing the answer is the wish that it ends.

What a request must say, and how its headers must agree with it, is the protocol library's to judge.
Above: ``mcp_endpoint``. Below: ``mcp_shared``, ``mcp_replies``.
"""

from collections.abc import Mapping
from typing import Final, cast

import msgspec
from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    MCP_PROTOCOL_VERSION_HEADER,
    InboundLadderRejection,
    classify_inbound_request,
    find_duplicated_routing_header,
    unsupported_protocol_version_rejection,
)
from mcp_types import HEADER_MISMATCH, METHOD_NOT_FOUND
from msgspec import UNSET
from starlette.types import Send

from groundwire.surfaces.http.guard import IS_ENDLESS
from groundwire.surfaces.http.mcp_links import Link, PlaceOf
from groundwire.surfaces.http.mcp_messages import Body, Id, Request, error_answer, request_of
from groundwire.surfaces.http.mcp_replies import McpRefused, send_answer, send_empty, send_json, watching
from groundwire.surfaces.http.mcp_requests import Asked
from groundwire.surfaces.http.mcp_shared import SharedLinks
from groundwire.surfaces.http.settings import ServeSettings

_OK: Final = 200


class _Error(msgspec.Struct):
    code: int


class _Failed(msgspec.Struct):
    error: _Error


_read_failed = msgspec.json.Decoder(_Failed).decode


class Modern:
    """All requests of this era."""

    def __init__(self, settings: ServeSettings, place_of: PlaceOf, shared: SharedLinks) -> None:
        self._settings = settings
        self._place_of = place_of
        self._shared = shared

    async def post(self, asked: Asked, body: Body, raw: bytes, send: Send) -> None:
        """One message. Raises McpRefused."""
        if body.id is UNSET and body.method is not UNSET:
            rejection, request_id = _of_version(asked), None
        else:
            rejection, request_id = _judged(asked, raw), request_of(body).id
        if rejection is not None:
            await _reject(send, rejection, request_id)
        elif request_id is None:
            await send_empty(send, 202)  # nothing that a client could say here concerns another request
        else:
            await self._answer(asked, request_of(body), send)

    async def _answer(self, asked: Asked, request: Request, send: Send) -> None:
        conversation = asked.conversation(request)
        place = await self._place_of(conversation or None)
        asked.scope[IS_ENDLESS] = request.method == "subscriptions/listen"
        if not conversation:
            link = self._shared.of_nobody(place)
            try:
                await self._exchange(link, asked, request, send)
            finally:
                link.close()
            return
        link, _ = self._shared.of_conversation(conversation, place, "modern", is_authenticated=asked.is_authenticated)
        await self._exchange(link, asked, request, send)

    async def _exchange(self, link: Link, asked: Asked, request: Request, send: Send) -> None:
        link.check_room()
        exchange = await link.ask(request)
        try:
            async with watching(asked.receive, lambda: link.abandon(exchange)):
                await send_answer(send, exchange, self._settings.keep_alive_s, status_of=_status_of)
        finally:
            link.abandon(exchange)


def _judged(asked: Asked, raw: bytes) -> InboundLadderRejection | None:
    pairs = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in asked.scope["headers"]]
    twice = find_duplicated_routing_header(pairs)
    if twice is not None:
        return InboundLadderRejection(HEADER_MISMATCH, f"{twice} header appears more than once")
    try:
        decoded = cast("Mapping[str, object]", msgspec.json.decode(raw))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise McpRefused(400, "the body is not JSON") from None
    verdict = classify_inbound_request(decoded, headers=dict(pairs))
    if isinstance(verdict, InboundLadderRejection):
        return verdict
    if decoded.get("method") == "initialize":  # of the other era: a daemon would take it for a greeting of that
        return InboundLadderRejection(METHOD_NOT_FOUND, "Method not found")
    return None


def _of_version(asked: Asked) -> InboundLadderRejection | None:
    return unsupported_protocol_version_rejection(asked.header(MCP_PROTOCOL_VERSION_HEADER.encode()))


async def _reject(send: Send, rejection: InboundLadderRejection, request: Id | None) -> None:
    body = error_answer(request, rejection.code, rejection.message, rejection.data)
    await send_json(send, body, ERROR_CODE_HTTP_STATUS.get(rejection.code, _OK))


def _status_of(answer: bytes) -> int:
    """Of a failure, the one that this era has for it."""
    try:
        return ERROR_CODE_HTTP_STATUS.get(_read_failed(answer).error.code, _OK)
    except msgspec.ValidationError:  # it is an answer
        return _OK

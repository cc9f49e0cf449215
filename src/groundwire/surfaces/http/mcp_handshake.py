"""Clients that greet first (``initialize``), with sessions or, where the front is stateless, without.

A client that hangs up has not taken its request back: in this era only ``notifications/cancelled`` does that.
Above: ``mcp_endpoint``. Below: ``mcp_sessions``, ``mcp_shared``, ``mcp_replies``.
"""

from typing import Final

import msgspec
from msgspec import UNSET
from starlette.types import Send

from groundwire.surfaces.http.mcp_demultiplexer import Demultiplexer, Exchange
from groundwire.surfaces.http.mcp_links import Link, PlaceOf
from groundwire.surfaces.http.mcp_messages import INVALID_PARAMS, Body, Request, cancelled_request, line_of, request_of
from groundwire.surfaces.http.mcp_replies import (
    McpRefused,
    begin_events,
    send_answer,
    send_empty,
    send_events,
    watching,
)
from groundwire.surfaces.http.mcp_requests import Asked
from groundwire.surfaces.http.mcp_sessions import Session, Sessions
from groundwire.surfaces.http.mcp_shared import SharedLinks
from groundwire.surfaces.http.settings import ServeSettings
from groundwire.surfaces.mcp.shim_memory import Memory

_SESSION: Final = b"mcp-session-id"
_FIRST_VERSION: Final = "2025-03-26"
"""What a client speaks that does not say."""


class _Greeted(msgspec.Struct, rename="camel"):
    protocol_version: str
    capabilities: dict[str, object]
    client_info: dict[str, object]


_read_greeted = msgspec.json.Decoder(_Greeted).decode


class Handshakes:
    """All clients of this era."""

    def __init__(self, settings: ServeSettings, place_of: PlaceOf, sessions: Sessions, shared: SharedLinks) -> None:
        self._settings = settings
        self._place_of = place_of
        self._sessions = sessions
        self._shared = shared

    async def post(self, asked: Asked, body: Body, raw: bytes, send: Send) -> None:
        """One message. Raises McpRefused."""
        request = request_of(body) if body.is_request else None
        if request is not None and request.method == "initialize":
            await self._greet(asked, request, send)
        elif self._settings.is_stateless:
            await self._post_alone(asked, request, send)
        else:
            session = self._session(asked, asked.conversation(request))
            if request is not None:
                await self._answer(session.link, request, send)
            else:
                _tell(session, body, line_of(raw))
                await send_empty(send, 202)

    async def listen(self, asked: Asked, send: Send) -> None:
        """What comes unasked, as long as the client listens. Raises McpRefused."""
        self._require_sessions()
        asked.check_listening()
        session = self._session(asked, asked.conversation())
        if session.is_listened:
            raise McpRefused(409, "Conflict: Only one SSE stream is allowed per session", "Close the other one.")
        session.is_listened = True
        outlet, gone = session.link.unsolicited, list[bool]()

        def hung_up() -> None:
            gone.append(True)
            outlet.wake()

        try:
            async with watching(asked.receive, hung_up):
                await begin_events(send)
                await send_events(send, outlet, self._settings.keep_alive_s, lambda: bool(gone))
        finally:
            session.is_listened = False

    async def delete(self, asked: Asked, send: Send) -> None:
        """The client ends its session. Raises McpRefused."""
        self._require_sessions()
        self._sessions.end(self._session(asked, asked.conversation()))
        await send_empty(send, 200)

    async def _greet(self, asked: Asked, request: Request, send: Send) -> None:
        _check_greeting(request)
        if self._settings.is_stateless:
            await send_answer(send, _welcome(self._settings.profile, request), self._settings.keep_alive_s)
            return
        name = asked.header(_SESSION)
        if name:
            self._sessions.find(name, is_authenticated=asked.is_authenticated)
            raise McpRefused(400, "the session has begun already", "Greet without Mcp-Session-Id for another one.")
        conversation = asked.conversation(request)
        place = await self._place_of(conversation or None)
        session = self._sessions.open(place, conversation, is_authenticated=asked.is_authenticated)
        exchange = await session.link.ask(request)
        headers = ((_SESSION, session.id.encode()),)
        await send_answer(send, exchange, self._settings.keep_alive_s, headers=headers)

    async def _post_alone(self, asked: Asked, request: Request | None, send: Send) -> None:
        if request is None:  # there is nothing that it could be about
            await send_empty(send, 202)
            return
        conversation = asked.conversation(request)
        place = await self._place_of(conversation or None)
        version = asked.header(b"mcp-protocol-version") or _FIRST_VERSION
        if not conversation:
            link = self._shared.of_nobody(place)
            link.introduce(version)
            try:
                await self._answer(link, request, send)
            finally:
                link.close_when_done()
            return
        link, is_new = self._shared.of_conversation(
            conversation, place, "handshake", is_authenticated=asked.is_authenticated
        )
        if is_new:
            link.introduce(version)
        await self._answer(link, request, send)

    async def _answer(self, link: Link, request: Request, send: Send) -> None:
        link.check_room()
        await send_answer(send, await link.ask(request), self._settings.keep_alive_s)

    def _session(self, asked: Asked, conversation: str) -> Session:
        session = self._sessions.find(asked.header(_SESSION), is_authenticated=asked.is_authenticated)
        if conversation and conversation != session.conversation:
            hint = "Greet again (initialize) with the other one."
            raise McpRefused(400, "the session began with another conversation", hint)
        return session

    def _require_sessions(self) -> None:
        if self._settings.is_stateless:
            raise McpRefused(405, "there are no sessions here", "Send POST.", headers=((b"allow", b"POST"),))


def _tell(session: Session, body: Body, line: bytes) -> None:
    """A notification, or an answer to a question of the daemon's. Raises McpRefused."""
    if body.method is UNSET and not body.is_answer:
        raise McpRefused(400, "the body is neither a request nor a notification nor an answer")
    if body.method == "notifications/initialized":
        if not session.is_greeted:
            session.is_greeted = True
            session.link.greet(line)
    elif body.method == "notifications/cancelled":
        request = cancelled_request(body)
        if request is not None:
            session.link.cancel(request)
    else:
        session.link.tell(line)


def _check_greeting(request: Request) -> None:
    try:
        _read_greeted(request.params or b"{}")
    except msgspec.DecodeError as problem:
        raise McpRefused(400, f"the greeting is not complete: {problem}", code=INVALID_PARAMS) from None


def _welcome(profile: str, request: Request) -> Exchange:
    """The answer to a greeting that nobody remembers."""
    traffic = Demultiplexer()
    exchange = traffic.begin(request)
    traffic.heard(Memory(profile).heard(request.line(exchange.own_id)))
    return exchange

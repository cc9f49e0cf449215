"""MCP over HTTP: a pump of messages between clients and the daemons of their workspaces, for both eras of the protocol.

Nothing of a language is known here, and a message is taken apart no further than its way needs it.
Above: ``app``. Below: ``mcp_handshake``, ``mcp_modern``.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol, cast

from starlette.types import Receive, Scope, Send

from groundwire.errors import GroundwireError
from groundwire.surfaces.http.mcp_handshake import Handshakes
from groundwire.surfaces.http.mcp_links import Link, Place, PlaceOf
from groundwire.surfaces.http.mcp_messages import Body, Id
from groundwire.surfaces.http.mcp_replies import McpRefused, refusal_for, send_refused
from groundwire.surfaces.http.mcp_requests import Asked, parsed
from groundwire.surfaces.http.mcp_sessions import Sessions
from groundwire.surfaces.http.mcp_shared import SharedLinks
from groundwire.surfaces.http.mcp_wire import Meetings
from groundwire.surfaces.http.settings import ServeSettings
from groundwire.surfaces.mcp.shim_memory import read_greetings

__all__ = ["McpEndpoint", "Place"]

_HANDSHAKES = frozenset(version.encode() for version in cast("list[str]", read_greetings()["versions"]))
_LOOK_EVERY_S = 5.0


class McpEndpoint:
    """An ASGI application. ``place_of`` says where a conversation works (None: one that is not named); ``close`` ends
    every session.
    """

    def __init__(self, settings: ServeSettings, place_of: PlaceOf) -> None:
        self._settings = settings
        self._meetings = Meetings(settings.environment)
        self._sessions = Sessions(self._open_link, settings.sessions)
        self._shared = SharedLinks(self._open_link, settings.sessions)
        self._handshakes = Handshakes(settings, place_of, self._sessions, self._shared)
        self._modern = _LateEra(lambda: _load_modern(settings, place_of, self._shared))
        self._tidying: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._sessions)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        asked = Asked(scope, dict(scope["headers"]), receive)
        request: Id | None = None
        try:
            if scope["method"] == "POST":
                asked.check_post()
                raw = await asked.body()
                body = parsed(raw)
                request = body.id if isinstance(body.id, int | str) else None
                era = await self._modern.get() if _is_modern(asked) else self._handshakes
                await era.post(asked, body, raw, send)
            else:
                await self._without_message(asked, send)
        except McpRefused as refused:
            await send_refused(refused, send, request)
        except GroundwireError as error:
            await send_refused(refusal_for(error), send, request)

    async def close(self) -> None:
        """Hang up everywhere; whoever waits is told."""
        if self._tidying is not None:
            self._tidying.cancel()
        self._sessions.end_all()
        self._shared.end_all()

    async def _without_message(self, asked: Asked, send: Send) -> None:
        method = asked.scope["method"]
        if _is_modern(asked):
            raise McpRefused(405, f"{method} is not of this version", "Send POST.", headers=((b"allow", b"POST"),))
        if method == "GET":
            await self._handshakes.listen(asked, send)
        elif method == "DELETE":
            await self._handshakes.delete(asked, send)
        else:
            allowed = ((b"allow", b"GET, POST, DELETE"),)
            raise McpRefused(405, f"{method} means nothing here", "Send POST.", headers=allowed)

    def _open_link(self, place: Place, client: str) -> Link:
        if self._tidying is None:
            self._tidying = asyncio.create_task(self._tidy())
        link = Link(place, client, self._settings, self._meetings)
        link.open()
        return link

    async def _tidy(self) -> None:
        idle_s = self._settings.session_idle_s
        while True:
            await asyncio.sleep(min(_LOOK_EVERY_S, idle_s / 4))
            self._sessions.end_idle(idle_s)
            self._shared.end_idle(idle_s)


class _Era(Protocol):
    async def post(self, asked: Asked, body: Body, raw: bytes, send: Send) -> None: ...


class _LateEra:
    """The newer era is judged by MCP's library, which is two thirds of all that would be loaded: the service starts
    without it, and the first requests of that era wait for it alone."""

    def __init__(self, load: Callable[[], _Era]) -> None:
        self._load = load
        self._era: _Era | None = None

    async def get(self) -> _Era:
        if self._era is None:
            self._era = await asyncio.to_thread(self._load)
        return self._era


def _load_modern(settings: ServeSettings, place_of: PlaceOf, shared: SharedLinks) -> _Era:
    from groundwire.surfaces.http.mcp_modern import Modern  # noqa: PLC0415  see _LateEra

    return Modern(settings, place_of, shared)


def _is_modern(asked: Asked) -> bool:
    """Versions that nobody knows are of this era, too: it is the one that says so."""
    version = asked.headers.get(b"mcp-protocol-version")
    return version is not None and version not in _HANDSHAKES

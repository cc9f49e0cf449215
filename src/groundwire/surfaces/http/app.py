"""The front as an application: every route behind one guard, and what lives as long as it does.

Above: ``serving``. Below: the routes, ``mcp_endpoint``, ``guard``.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from groundwire.errors import GroundwireError
from groundwire.surfaces.http import page_routes, status_routes
from groundwire.surfaces.http.allowed import Allowed
from groundwire.surfaces.http.conversation_routes import ConversationRoutes, Running
from groundwire.surfaces.http.conversations import Conversations
from groundwire.surfaces.http.errors_shown import Refused, show_error
from groundwire.surfaces.http.guard import Guard
from groundwire.surfaces.http.mcp_endpoint import McpEndpoint, Place
from groundwire.surfaces.http.settings import ServeSettings
from groundwire.surfaces.http.status_routes import Service
from groundwire.surfaces.http.workspaces import Workspaces

_PROBES = frozenset({"/health", "/ready"})
_SHOWN = (Refused, GroundwireError, HTTPException, Exception)


class Front:
    """An ASGI application, from the beginning of its lifespan to the end of it."""

    def __init__(self, settings: ServeSettings) -> None:
        self._allowed = Allowed(settings.roots)
        self._conversations = Conversations(settings.state_dir, settings.conversations)
        self._workspaces = Workspaces(settings.environment)
        self._mcp = McpEndpoint(settings, self._place_of)
        self._is_ending = False
        self._service = Service(
            settings, self._workspaces, sessions=lambda: len(self._mcp), is_ready=lambda: not self._is_ending
        )
        self._others = Starlette(
            routes=self._routes(settings), exception_handlers=dict.fromkeys(_SHOWN, show_error), lifespan=self._life
        )
        self._guard = Guard(self._dispatch, settings, is_public)
        self._measured = self._service.metrics.measured(self._guard)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the whole lifespan."""
        await self._measured(scope, receive, send)

    def begin_to_end(self) -> None:
        """No more requests come; those that run have a little time, streams of events have none."""
        self._is_ending = True
        self._guard.begin_to_end()

    def _routes(self, settings: ServeSettings) -> list[BaseRoute]:
        conversations = ConversationRoutes(self._conversations, self._allowed, self._running, self._workspaces.want)
        return [*status_routes.routes(self._service), *conversations.routes(), *page_routes.routes(settings)]

    async def _dispatch(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Most requests by far are MCP's: they do without the router.
        app = self._mcp if scope["type"] == "http" and is_for_mcp(scope) else self._others
        await app(scope, receive, send)

    def _running(self, workspace: Path) -> Running:
        view = self._workspaces.view(str(workspace))
        if view is None:
            self._workspaces.want(workspace)  # the next time it is known
        if view is None or view.snapshot is None:
            return Running()
        return Running(view.is_running, view.snapshot.servers)

    async def _place_of(self, conversation: str | None) -> Place:
        """Raises a GroundwireError when it works where nobody may any more, or nothing is."""
        kept = None if conversation is None else await self._conversations.cwd(conversation)
        place = await asyncio.to_thread(self._placed, kept)
        self._workspaces.want(place.workspace)
        return place

    def _placed(self, kept: Path | None) -> Place:
        cwd = self._allowed.default if kept is None else self._allowed.resolve(str(kept))
        return Place(self._allowed.workspace_of(cwd), cwd)

    @contextlib.asynccontextmanager
    async def _life(self, _: Starlette) -> AsyncGenerator[None]:
        async with self._workspaces:
            await self._want_what_is_known()
            try:
                yield
            finally:
                await self._mcp.close()
                self._conversations.close()

    async def _want_what_is_known(self) -> None:
        for root in self._allowed.roots:
            self._workspaces.want(self._allowed.workspace_of(root))
        with contextlib.suppress(GroundwireError):  # said in the log; whoever asks for a conversation is told, too
            for cwd in set((await self._conversations.all()).values()):
                self._want_if_allowed(cwd)

    def _want_if_allowed(self, cwd: Path) -> None:
        with contextlib.suppress(GroundwireError):  # removed since, or no longer allowed
            self._workspaces.want(self._allowed.workspace_of(self._allowed.resolve(str(cwd))))


def build_app(settings: ServeSettings) -> Front:
    """A front that serves as the settings say; its port is the one that it is reached by."""
    return Front(settings)


def is_for_mcp(scope: Scope) -> bool:
    """At ``/`` both the page and MCP live: a browser asks for a page, MCP sends messages or asks for events."""
    if scope["path"] != "/":
        return scope["path"] == "/mcp"
    if scope["method"] != "GET":
        return scope["method"] in {"POST", "DELETE"}
    return any(name == b"accept" and b"text/event-stream" in value.lower() for name, value in scope["headers"])


def is_public(scope: Scope) -> bool:
    """Whether no token is needed: probes, and the files of the page, which hold no data."""
    if scope["method"] not in {"GET", "HEAD"} or is_for_mcp(scope):
        return False
    return scope["path"] in _PROBES or page_routes.is_page(scope["path"])

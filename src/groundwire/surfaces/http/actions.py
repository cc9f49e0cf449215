"""What is asked of the daemon of a workspace on behalf of people: symbols by name, a server restarted or stopped.

Servers are restarted and stopped only for who gave the token; on an open service for nobody. Nothing starts a daemon.
Above: ``status_routes``. Below: ``workspaces``, ``daemon.remote``.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from groundwire.daemon.greeting import Greeting
from groundwire.daemon.meeting import Link, meet
from groundwire.daemon.remote import RemoteRunner
from groundwire.operations.navigation.search import FindSymbol, find_symbol
from groundwire.operations.serving.restart import RestartServers, restart_lsp_server
from groundwire.operations.serving.stop_servers import StopServers, stop_servers
from groundwire.surfaces.http.errors_shown import Refused
from groundwire.surfaces.http.guard import IS_AUTHENTICATED
from groundwire.surfaces.http.settings import ServeSettings
from groundwire.surfaces.http.shapes import FoundSymbols, RestartShown, ServerChoice, StopShown
from groundwire.surfaces.http.workspaces import Workspaces

MOST_SYMBOLS = 50
LONGEST_QUERY = 200
_GREETING_S = 10.0
_SYMBOLS_S = 15.0
_RESTART_S = 30.0


def routes(workspaces: Workspaces, settings: ServeSettings) -> list[BaseRoute]:
    """All of them."""
    actions = _Actions(workspaces, settings)
    return [
        Route("/symbols", actions.symbols, methods=["GET"]),
        Route("/servers/restart", actions.restart, methods=["POST"]),
        Route("/servers/stop", actions.stop, methods=["POST"]),
    ]


class _Actions:
    def __init__(self, workspaces: Workspaces, settings: ServeSettings) -> None:
        self._workspaces = workspaces
        self._settings = settings

    async def symbols(self, request: Request) -> Response:
        """By name, the best first."""
        query = request.query_params.get("q", "")
        if not 0 < len(query) <= LONGEST_QUERY:
            raise Refused(422, f"q has 1 to {LONGEST_QUERY} characters, not {len(query)}", "Name a symbol: ?q=parse")
        async with self._daemon(request.query_params.get("workspace", "")) as daemon:
            wanted = FindSymbol(query=query, limit=MOST_SYMBOLS)
            answer = await daemon.run(find_symbol, wanted, wait_s=_SYMBOLS_S)
        found = answer.value
        return _json(FoundSymbols(status=answer.status, reason=answer.reason, total=found.total, symbols=found.symbols))

    async def restart(self, request: Request) -> Response:
        """Those that ran run again when it answers, or it says why not."""
        choice = await _choice(request)
        async with self._daemon(choice.workspace) as daemon:
            wanted = RestartServers(server_id=choice.server, root_dir=choice.root)
            answer = await daemon.run(restart_lsp_server, wanted, wait_s=_RESTART_S)
        return _json(RestartShown(status=answer.status, reason=answer.reason, servers=answer.value.servers))

    async def stop(self, request: Request) -> Response:
        """They have ended when it answers."""
        choice = await _choice(request)
        async with self._daemon(choice.workspace) as daemon:
            wanted = StopServers(server_id=choice.server, root_dir=choice.root)
            answer = await daemon.run(stop_servers, wanted, wait_s=_RESTART_S)
        return _json(StopShown(stopped=answer.value.stopped))

    @asynccontextmanager
    async def _daemon(self, root: str) -> AsyncGenerator[RemoteRunner]:
        """Whoever can be asked there. Raises Refused."""
        if self._workspaces.view(root) is None:
            raise Refused(404, f"there is no workspace {root[:200]!r}", "GET /status tells which there are.")
        link = await asyncio.to_thread(self._greet, root)
        if link is None:
            hint = "It starts with the first question of an agent."
            raise Refused(409, "no background process runs for this workspace", hint, kind="NotRunning")
        async with RemoteRunner.over(link, Path(root)) as runner:
            yield runner

    def _greet(self, root: str) -> Link | None:
        greeting = Greeting("call", root, client="http")
        return meet(greeting, self._settings.environment, time.monotonic() + _GREETING_S, starts=False)


async def _choice(request: Request) -> ServerChoice:
    """Raises Refused for who may not, and for what is none."""
    if not request.scope.get(IS_AUTHENTICATED):
        hint = "Start the service with a token, and send it: Authorization: Bearer TOKEN."
        raise Refused(403, "servers are restarted and stopped only for who has the token", hint)
    # What a form of another site can send without asking is of another type.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused(415, "the body is to be application/json", kind="InvalidArgument")
    form = 'Send {"workspace": "/absolute/path", "server": "ty"}, as /status has them.'
    try:
        choice = msgspec.json.decode(await request.body(), type=ServerChoice)
    except msgspec.ValidationError as error:
        raise Refused(422, f"the body does not fit: {error}", form) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused(400, "the body is not JSON", form) from None
    if "\0" in choice.root:
        raise Refused(422, "root cannot be a path", form)
    return choice


def _json(shown: msgspec.Struct) -> Response:
    return Response(msgspec.json.encode(shown), media_type="application/json")

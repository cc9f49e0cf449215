"""``/conversations/{id}``: where a conversation works, and which language servers it has there.

Above: ``app``. Below: ``conversations``, ``allowed``.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from groundwire.errors import FileNotFound, GroundwireError
from groundwire.pool.status import ServerStatus, State
from groundwire.surfaces.http.allowed import Allowed
from groundwire.surfaces.http.conversations import Conversations, check_id
from groundwire.surfaces.http.errors_shown import Refused, refused_for


class CwdWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What PUT takes: the absolute path of a directory at or below a root of the service."""

    cwd: str


class CwdShown(msgspec.Struct, frozen=True, kw_only=True):
    """Where a conversation works. ``is_default``: nobody has said so, it is where everybody works."""

    conversation: str
    cwd: str
    workspace: str
    is_default: bool = False


class ServerShown(msgspec.Struct, frozen=True, kw_only=True):
    """A language server of the conversation's workspace; ``indexing`` is ``ready``, ``cold`` or how far it is."""

    id: str
    root: str
    state: State
    since_s: float = 0.0
    reason: str = ""
    version: str = ""
    indexing: str = ""
    restarts: int = 0
    memory_mb: float | None = None


class LspShown(msgspec.Struct, frozen=True, kw_only=True):
    """``connected``: the workspace's background process runs, and ``servers`` is what it says."""

    conversation: str
    connected: bool
    cwd: str
    workspace: str
    servers: tuple[ServerShown, ...] = ()


class Running(msgspec.Struct, frozen=True):
    """What runs for a workspace; nothing when ``is_running`` is false."""

    is_running: bool = False
    servers: tuple[ServerStatus, ...] = ()


class ConversationRoutes:
    """``running`` tells what runs for a workspace; ``want`` is told that somebody works there."""

    def __init__(
        self,
        conversations: Conversations,
        allowed: Allowed,
        running: Callable[[Path], Running],
        want: Callable[[Path], None],
    ) -> None:
        self._conversations = conversations
        self._allowed = allowed
        self._running = running
        self._want = want

    def routes(self) -> list[BaseRoute]:
        """All of them."""
        return [
            Route("/conversations/{id}/cwd", self.cwd, methods=["GET", "PUT"]),
            Route("/conversations/{id}/lsp", self.get_lsp, methods=["GET"]),
            Route("/conversations/{id}", self.delete, methods=["DELETE"]),
        ]

    async def cwd(self, request: Request) -> Response:
        """One route, so that other methods are told of both."""
        return await (self.put_cwd if request.method == "PUT" else self.get_cwd)(request)

    async def get_cwd(self, request: Request) -> Response:
        """Where it works."""
        return _json(await self._shown(_id(request)))

    async def put_cwd(self, request: Request) -> Response:
        """From now on there; calls that run go on where they began."""
        conversation = _id(request)
        wanted = _wanted(await request.body())
        try:
            cwd = await asyncio.to_thread(self._allowed.resolve, wanted.cwd)
        except FileNotFound as missing:  # the address is right, what was sent there is not
            raise Refused(422, missing.message, missing.hint, kind=missing.kind) from None
        await self._conversations.set_cwd(conversation, cwd)
        shown = await self._shown(conversation)
        self._want(Path(shown.workspace))
        return _json(shown)

    async def get_lsp(self, request: Request) -> Response:
        """Its servers."""
        shown = await self._shown(_id(request))
        running = self._running(Path(shown.workspace))
        servers = tuple(map(_server, running.servers))
        answer = LspShown(
            conversation=shown.conversation,
            connected=running.is_running,
            cwd=shown.cwd,
            workspace=shown.workspace,
            servers=servers,
        )
        return _json(answer)

    async def delete(self, request: Request) -> Response:
        """It works where everybody does again."""
        if not await self._conversations.remove(_id(request)):
            raise Refused(404, "nothing is known of this conversation", "It works in the default directory already.")
        return Response(status_code=204)

    async def _shown(self, conversation: str) -> CwdShown:
        kept = await self._conversations.cwd(conversation)
        try:
            cwd, workspace = await asyncio.to_thread(self._placed, kept)
        except GroundwireError as gone:  # removed since, or no longer allowed
            refused = refused_for(gone)
            raise Refused(409, refused.message, "Say where it works now: PUT the cwd.", kind=refused.kind) from None
        return CwdShown(conversation=conversation, cwd=str(cwd), workspace=str(workspace), is_default=kept is None)

    def _placed(self, kept: Path | None) -> tuple[Path, Path]:
        cwd = self._allowed.default if kept is None else self._allowed.resolve(str(kept))
        return cwd, self._allowed.workspace_of(cwd)


def _id(request: Request) -> str:
    return check_id(str(request.path_params["id"]))


def _wanted(body: bytes) -> CwdWanted:
    try:
        return msgspec.json.decode(body, type=CwdWanted)
    except msgspec.ValidationError as error:
        raise Refused(422, f"the body does not fit: {error}", 'Send {"cwd": "/absolute/path"}.') from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused(400, "the body is not JSON", 'Send {"cwd": "/absolute/path"}.') from None


def _server(status: ServerStatus) -> ServerShown:
    return ServerShown(
        id=status.server,
        root=status.root,
        state=status.state,
        since_s=status.since_s,
        reason=status.reason,
        version=status.version,
        indexing=status.indexing,
        restarts=status.restarts,
        memory_mb=status.memory_mb,
    )


def _json(shown: msgspec.Struct) -> Response:
    return Response(msgspec.json.encode(shown), media_type="application/json")

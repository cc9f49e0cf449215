"""Commands of servers, which actions and lenses carry: run by the server they came from; its edits go to the client.

Above: ``server``. Below: ``handles``, ``unsaved``, ``workspace_edits``, ``client.edit_requests``.
"""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec
from msgspec import Raw

from groundwire.client.ask import Reply
from groundwire.client.barrier import pass_barrier
from groundwire.client.edit_requests import ApplyResult
from groundwire.client.sync import path_of
from groundwire.errors import GroundwireError
from groundwire.operations.editing.server_edits import EXECUTE_COMMAND
from groundwire.operations.question import Asking
from groundwire.protocol.lsp_edits import ApplyWorkspaceEditParams
from groundwire.surfaces.lsp.documents import Unsaved
from groundwire.surfaces.lsp.follow_ups import ask_origin
from groundwire.surfaces.lsp.handles import Origin
from groundwire.surfaces.lsp.json_shapes import Members, members
from groundwire.surfaces.lsp.questions import Client, same_session, with_stance
from groundwire.surfaces.lsp.reading import to_client_of
from groundwire.surfaces.lsp.workspace_edits import fitted_edit

Request = Callable[[str, object], Awaitable[Raw]]
"""Asks the client."""


def execute(client: Client, params: Members, request: Request) -> Awaitable[object]:
    """Have a command carried out. The client owns its buffers: edits are asked of it, and nothing is written here."""
    unsaved = client.documents.unsaved()
    return with_stance(client, EXECUTE_COMMAND, "evidence", lambda: _execute(client, params, request, unsaved))


async def _execute(client: Client, params: Members, request: Request, unsaved: Sequence[Unsaved]) -> object:
    command, origin = client.handles.command(params)
    forwarded = _Forwarded(client, origin, request)

    results: list[object] = []

    async def put(asking: Asking) -> tuple[Reply[object], str]:
        same_session(asking, origin.session)
        if not results:  # else files changed meanwhile, by the command as like as not: it is not carried out again
            async with asking.session.edit_requests.taken_by(forwarded.take):
                results.append(msgspec.json.decode(await asking.follow_up(EXECUTE_COMMAND, command)))
                await pass_barrier(asking.session, asking.deadline)  # some answer first, and ask for the edit then
        return Reply(results[0], "", asking.session.state.documents.world), ""

    return (await ask_origin(client, origin, Path(path_of(origin.uri)), unsaved, put)).result


class _Forwarded:
    """The edits that a server asks for during one command."""

    def __init__(self, client: Client, origin: Origin, request: Request) -> None:
        self._client = client
        self._origin = origin
        self._request = request

    async def take(self, asked: ApplyWorkspaceEditParams) -> ApplyResult:
        """Ask the client to apply it."""
        if not self._client.features.applies_edits:
            return ApplyResult(applied=False, failure_reason="the client applies no edits")
        try:
            edit = members(msgspec.json.decode(msgspec.json.encode(asked)))["edit"]
            own = await to_client_of(self._client.documents, edit, self._origin.session, self._origin.uri)
            fit = fitted_edit(own, self._client.features, self._client.documents)
            answer = members(msgspec.json.decode(await self._request("workspace/applyEdit", {"edit": fit})))
        except GroundwireError as error:
            return ApplyResult(applied=False, failure_reason=error.message)
        reason = answer.get("failureReason")
        return ApplyResult(applied=bool(answer.get("applied")), failure_reason=str(reason) if reason else None)

"""Edits that come from a server: planned for what it was told, and those that it asks for while it runs a command.

Above: ``rename``, ``code_actions``, ``formatting``, ``commands``. Below: ``carry_out``, ``edits.plan``,
``late_offers``, ``client``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Raw

from groundwire.client.barrier import pass_barrier
from groundwire.client.edit_requests import ApplyResult
from groundwire.client.session import Session
from groundwire.client.sync import path_of
from groundwire.edits.plan import Plan, plan_edit
from groundwire.edits.text_changes import Basis
from groundwire.errors import EditConflict, GroundwireError, RequestTimeout, ServerError
from groundwire.operations.answer import Answer, Status
from groundwire.operations.editing.carry_out import carry_out, preview
from groundwire.operations.operation import Call
from groundwire.operations.results.edits import EditOutcome
from groundwire.protocol.lsp_edits import ApplyWorkspaceEditParams, DocumentChange, TextDocumentEdit, WorkspaceEdit
from groundwire.protocol.lsp_questions import Command

EXECUTE_COMMAND = "workspace/executeCommand"


def plan_for(call: Call, session: Session, edit: WorkspaceEdit | Sequence[DocumentChange]) -> Plan:
    """The edit of a server as a plan. What the server was told of a file must be what the file holds."""
    changes = edit.ordered_changes() if isinstance(edit, WorkspaceEdit) else edit
    computed_for: dict[Path, Basis] = {}
    for change in changes:
        document = (
            session.state.documents.get(change.text_document.uri) if isinstance(change, TextDocumentEdit) else None
        )
        if document is not None:
            computed_for[Path(path_of(document.uri))] = Basis(document.hash, document.version)
    return plan_edit(
        edit,
        roots=tuple(call.pool.folders),
        encoding=session.state.capabilities.position_encoding,
        computed_for=computed_for,
    )


def planned_or_not(
    call: Call, session: Session, edit: WorkspaceEdit | Sequence[DocumentChange], world: int
) -> Plan | EditConflict:
    """As ``plan_for``, of an edit that was asked for in that world. A conflict is given back, for it may be gone when
    the question is asked again."""
    if session.state.documents.world != world:
        return EditConflict("files were changed while the edit was computed; nothing was changed", hint="Ask again.")
    try:
        return plan_for(call, session, edit)
    except EditConflict as conflict:
        return conflict


def require_same_world(call: Call, session: Session, world: int) -> None:
    """Raise EditConflict when anything has changed since an edit was asked for."""
    call.pool.refresh()
    if session.state.documents.world != world:
        raise EditConflict("files kept changing while the edit was computed; nothing was changed", hint="Ask again.")


async def done_or_shown(
    call: Call, plan: Plan, *, apply: bool, server: str, notes: Sequence[str] = (), doubt: str = ""
) -> Answer[EditOutcome]:
    """Carry it out, or show what it would do. ``doubt``: why it may not be all."""
    if apply and plan.steps:
        answer = await carry_out(call, plan, notes=notes)
    else:
        answer = preview(call, plan, notes=notes, servers=(server,))
    if doubt and answer.status is Status.CONFIRMED:
        return msgspec.structs.replace(answer, status=Status.PARTIAL, reason=doubt)
    return answer


class CommandRun(NamedTuple):
    """What a command gave, and the edits that it led to; None where there were none."""

    result: Raw
    plan: Plan | None


async def run_command(call: Call, session: Session, command: Command) -> CommandRun:
    """Have the server carry out a command. Its edits are planned together and not written yet; one that cannot be
    planned is refused, and raised, so that none of them is written."""
    taken = _TakenEdits(call, session)
    params: dict[str, object] = {"command": command.command}
    if bytes(command.arguments):
        params["arguments"] = command.arguments
    try:
        async with asyncio.timeout_at(call.deadline), session.edit_requests.taken_by(taken.take):
            result = await session.request(EXECUTE_COMMAND, params, timeout=_time_left(call, session))
            await pass_barrier(session, call.deadline)  # some answer first, and ask for the edit then
    except TimeoutError:
        raise RequestTimeout(f"{command.command} was not carried out in time; nothing was written here") from None
    except ServerError as error:
        raise taken.refusal or error from None
    if taken.refusal is not None:
        raise taken.refusal
    return CommandRun(result, taken.plan)


class _TakenEdits:
    """All that the server asks for during one command, as one plan: later edits may build on earlier ones."""

    def __init__(self, call: Call, session: Session) -> None:
        self._call = call
        self._session = session
        self._changes: list[DocumentChange] = []
        self.plan: Plan | None = None
        self.refusal: GroundwireError | None = None

    async def take(self, asked: ApplyWorkspaceEditParams) -> ApplyResult:
        """It counts as applied when it can be: whoever runs the command writes it right after."""
        try:
            changes = [*self._changes, *asked.edit.ordered_changes()]
            self.plan = plan_for(self._call, self._session, changes)
        except GroundwireError as error:
            self.refusal = self.refusal or error
            return ApplyResult(applied=False, failure_reason=error.message)
        self._changes = changes
        return ApplyResult(applied=True)


def _time_left(call: Call, session: Session) -> float:
    return max(call.deadline - session.now(), 0.001)

"""Code actions: asking a server for them, and carrying one out, be it an edit, a command, or both.

Above: ``fixes``, ``source_actions``. Below: ``question``, ``server_edits``, ``protocol.lsp_actions``.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from groundwire.client.ask import Reply
from groundwire.client.session import Session
from groundwire.edits.plan import Plan
from groundwire.errors import CapabilityMissing, EditConflict, GroundwireError, InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.editing.server_edits import done_or_shown, planned_or_not, require_same_world, run_command
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking
from groundwire.operations.results.edits import EditOutcome
from groundwire.protocol.lsp import Range
from groundwire.protocol.lsp_actions import CodeAction, OfferedAction, decode_action, decode_actions, edit_within
from groundwire.protocol.lsp_diagnostics import Diagnostic
from groundwire.protocol.lsp_questions import Command

CODE_ACTION = "textDocument/codeAction"
_RESOLVE = "codeAction/resolve"
_INVOKED = 1


class Ready(NamedTuple):
    """An action that can be carried out: its edit, planned, and the command that follows it."""

    title: str
    plan: Plan | EditConflict | None
    command: Command | None
    world: int
    """What it was computed for."""
    notes: tuple[str, ...] = ()


async def ask_actions(
    asking: Asking, where: Range, findings: Sequence[Diagnostic], kinds: tuple[str, ...]
) -> Reply[list[OfferedAction]]:
    """What the server offers for a part of the file, of these kinds or of any."""
    context: dict[str, object] = {"diagnostics": list(findings), "triggerKind": _INVOKED}
    if kinds:
        context["only"] = list(kinds)
    reply = await asking.workspace_question(CODE_ACTION, {"range": where, "context": context})
    offered = decode_actions(reply.result, CODE_ACTION)
    return reply.having([each for each in offered if not kinds or each.is_of(kinds)])  # some servers offer all


async def make_ready(call: Call, asking: Asking, offered: OfferedAction, world: int) -> Ready:
    """Ask for what is missing of an action of that world, and plan it. Raises InvalidArgument, CapabilityMissing."""
    if offered.action.disabled is not None:
        raise InvalidArgument(f"{offered.action.title!r} cannot be done here: {offered.action.disabled.reason}")
    action = await _whole(asking, offered)
    handed_back = edit_within(action.command) if action.edit is None and action.command is not None else None
    edit = action.edit or handed_back
    command = action.command if handed_back is None else None
    plan = None if edit is None else planned_or_not(call, asking.session, edit, world)
    if command is None or command.command in asking.session.state.capabilities.commands():
        return Ready(action.title, plan, command, world)
    if plan is None:
        server = asking.session.options.server
        raise CapabilityMissing(
            f"{action.title!r} is a command for editors ({command.command}), which {server} does not carry out itself",
            hint="Make the change by hand.",
        )
    return Ready(
        action.title, plan, None, world, (f"its command {command.command} is one for editors, and was left out",)
    )


async def _whole(asking: Asking, offered: OfferedAction) -> CodeAction:
    """The action with its edit: many servers compute that only when they are asked for it."""
    action = offered.action
    can_resolve = bool(asking.session.state.capabilities.options(CODE_ACTION).get("resolveProvider"))
    if action.edit is not None or not can_resolve or not (bytes(action.data) or action.command is None):
        return action
    return decode_action(await asking.follow_up(_RESOLVE, offered.raw), _RESOLVE)


async def carry_out_action(call: Call, session: Session, ready: Ready, *, is_preview: bool) -> Answer[EditOutcome]:
    """Write what the action changes, or show it. What a command changes is only known once it is carried out."""
    if isinstance(ready.plan, EditConflict):
        raise ready.plan
    if not is_preview:
        require_same_world(call, session, ready.world)
    server, answers = session.options.server, list[Answer[EditOutcome]]()
    if ready.plan is not None:
        shown = await done_or_shown(call, ready.plan, apply=not is_preview, server=server, notes=ready.notes)
        answers.append(shown)
    if ready.command is not None and answers:
        answers.append(await _followed_up(call, session, ready.command, is_preview=is_preview))
    elif ready.command is not None and is_preview:
        answers.append(_unknown_before(server, ready.command))
    elif ready.command is not None:
        answers.append(await _command_done(call, session, ready.command))
    return joined(answers) if answers else nothing_done((server,), f"{ready.title!r} changes nothing")


async def _followed_up(call: Call, session: Session, command: Command, *, is_preview: bool) -> Answer[EditOutcome]:
    """The command behind an edit, which is written by now: whatever comes of it does not undo that."""
    if is_preview:
        return nothing_done((session.options.server,), f"after that {command.command} is carried out")
    try:
        return await _command_done(call, session, command)
    except GroundwireError as error:
        return nothing_done((session.options.server,), f"{command.command}, which follows it, failed: {error.message}")


async def _command_done(call: Call, session: Session, command: Command) -> Answer[EditOutcome]:
    run = await run_command(call, session, command)
    server = session.options.server
    if run.plan is None:
        return nothing_done((server,), f"{command.command} was carried out and asked for no edit")
    return await done_or_shown(call, run.plan, apply=True, server=server)


def _unknown_before(server: str, command: Command) -> Answer[EditOutcome]:
    reason = f"what {command.command} changes is only known once {server} carries it out"
    value = EditOutcome(applied=False, notes=(reason,))
    return Answer(value=value, status=Status.PARTIAL, reason=reason, servers=(server,))


def nothing_done(servers: tuple[str, ...], note: str) -> Answer[EditOutcome]:
    """Nothing was to be done, and that is certain."""
    return Answer(value=EditOutcome(applied=False, notes=(note,)), status=Status.CONFIRMED, servers=servers)


def joined(answers: Sequence[Answer[EditOutcome]]) -> Answer[EditOutcome]:
    """Edits made one after the other, as one: the last that was written, or shown, knows how things are now."""
    last = next((answer for answer in reversed(answers) if answer.value.files), answers[-1])
    done = [answer.value.undo_id for answer in answers if answer.value.undo_id]
    notes = [note for answer in answers for note in answer.value.notes]
    if len(done) > 1:
        notes.append(f"it took {len(done)} edits: to undo all, undo {', then '.join(reversed(done))}")
    value = msgspec.structs.replace(
        last.value,
        files=tuple({file.file: file for answer in answers for file in answer.value.files}.values()),
        notes=tuple(notes),
    )
    return msgspec.structs.replace(last, value=value)

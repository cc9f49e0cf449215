"""Taking an edit back.

Above: ``table``. Below: ``carry_out``, ``transactions`` (which keeps marks among the edits).
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.editing.carry_out import undo
from groundwire.operations.editing.transactions import undoable
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.edits import EditOutcome


class UndoEdit(Arguments, frozen=True):
    """Which one."""

    undo_id: Annotated[str, Meta(description="As the edit told it; without it, the last one.")] = ""


@operation(
    "Take back an edit that was made here, if its files are still as it left them.",
    effect="writes",
    command="undo",
)
async def undo_edit(call: Call, arguments: UndoEdit) -> Answer[EditOutcome]:
    """All of it or nothing."""
    known = undoable(call)
    if arguments.undo_id and arguments.undo_id not in known:
        hint = f"These can be undone: {', '.join(known)}." if known else "Only the last edits made here can be undone."
        raise InvalidArgument(f"no edit {arguments.undo_id!r} is kept", hint=hint)
    if not known:
        value = EditOutcome(applied=False, notes=("there is no edit to undo: only those made here are kept",))
        return Answer(value=value, status=Status.CONFIRMED)
    chosen = arguments.undo_id or known[0]
    answer = await undo(call, chosen)
    notes = (f"the edit {chosen} is undone", *answer.value.notes)
    return msgspec.structs.replace(answer, value=msgspec.structs.replace(answer.value, notes=notes))

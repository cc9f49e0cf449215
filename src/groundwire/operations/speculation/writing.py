"""Virtual texts, written: all of them or nothing, and nothing at all where the disk is not what they were made from.

Above: ``commit_session``, ``safe_apply_edit``. Below: ``edits``, ``carry_out``.
"""

from groundwire.client.sync import uri_of
from groundwire.edits.plan import Change, Plan, plan_edit
from groundwire.edits.text_changes import Basis, NewText
from groundwire.errors import EditConflict
from groundwire.operations.answer import Answer
from groundwire.operations.editing.carry_out import carry_out
from groundwire.operations.operation import Call
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.speculation.virtual_texts import VirtualFile, VirtualTexts
from groundwire.protocol.edits import minimal_change
from groundwire.protocol.hashing import content_hash
from groundwire.protocol.lsp_edits import (
    DeleteFile,
    OptionalVersionedTextDocumentIdentifier,
    TextDocumentEdit,
    TextEdit,
)


async def write_texts(call: Call, texts: VirtualTexts) -> Answer[EditOutcome]:
    """Raises EditConflict, with nothing written, when a file was changed since."""
    require_current(texts)
    kind = "edit" if len(texts.changed) == 1 else "write"
    return await carry_out(call, _plan(call, texts), kind=kind)


def require_current(texts: VirtualTexts) -> None:
    """Raise EditConflict where the disk is not what the texts were made from."""
    if outdated := texts.outdated():
        raise EditConflict(
            f"{', '.join(outdated)} was changed on disk since; nothing was written",
            hint="Make the edit anew, from the file as it is now.",
        )


def _plan(call: Call, texts: VirtualTexts) -> Plan:
    changed = texts.changed
    basis = {each.file: Basis(content_hash(each.before)) for each in changed if each.before is not None}
    changes = [_change(each) for each in changed]
    return plan_edit(changes, roots=tuple(call.pool.folders), encoding="utf-32", computed_for=basis)


def _change(each: VirtualFile) -> Change:
    if each.after is None:
        return DeleteFile(uri_of(each.file))
    if each.before is None:
        return NewText(each.file, each.after)
    # Only what differs: what is not touched keeps its line endings, of whatever kind they are.
    where, new_text = minimal_change(each.before, each.after, "utf-32")
    return TextDocumentEdit(OptionalVersionedTextDocumentIdentifier(uri_of(each.file)), [TextEdit(where, new_text)])

"""Edits that the reader has made up: one piece of text for another, or a whole workspace edit.

Above: ``table``. Below: ``text_match``, ``edits``, ``carry_out``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from groundwire.client.sync import uri_of
from groundwire.edits.boundary import Boundary
from groundwire.edits.content import decode
from groundwire.edits.files import Disk
from groundwire.edits.plan import Plan, plan_edit
from groundwire.edits.text_changes import Basis
from groundwire.errors import InvalidArgument, Wire
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import FilePath
from groundwire.operations.editing.carry_out import carry_out
from groundwire.operations.files.paths import existing_file
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.edits import EditOutcome
from groundwire.operations.text.text_match import Found, find_text
from groundwire.protocol import lsp
from groundwire.protocol.hashing import content_hash
from groundwire.protocol.lsp_edits import (
    OptionalVersionedTextDocumentIdentifier,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)
from groundwire.protocol.positions import Lines


class ApplyEdit(Arguments, frozen=True):
    """Either text of one file, or a workspace edit."""

    file_path: FilePath = ""
    old_text: Annotated[str, Meta(description="Text to replace, as it stands in the file.")] = ""
    new_text: Annotated[str, Meta(description="What to put there.")] = ""
    replace_all: Annotated[bool, Meta(description="Replace it wherever it stands.")] = False
    # Any: its shape is checked by the protocol's own decoder, and would take half of the schema.
    workspace_edit: Annotated[
        Mapping[str, Any], Meta(description="LSP WorkspaceEdit, positions 0-based; instead of text.")
    ] = {}
    position_encoding: Annotated[Literal["utf-8", "utf-16", "utf-32"], Meta(description="Unit of its columns.")] = (
        "utf-16"
    )


@operation(
    "Replace text in a file, or apply a workspace edit: all of it or nothing. Tells the errors that brings.",
    effect="writes",
    command="edit",
)
async def apply_edit(call: Call, arguments: ApplyEdit) -> Answer[EditOutcome]:
    """Written at once; ``undo_edit`` takes it back."""
    if arguments.workspace_edit:
        if arguments.file_path or arguments.old_text or arguments.new_text:
            raise InvalidArgument("both text and workspace_edit are given", hint="Give one of them.")
        return await carry_out(call, _planned(call, arguments), kind="write")
    if not arguments.file_path:
        raise InvalidArgument("no edit is given", hint="Give file_path, old_text and new_text, or workspace_edit.")
    plan, notes = _replaced(call, arguments)
    return await carry_out(call, plan, notes=notes)


def _planned(call: Call, arguments: ApplyEdit) -> Plan:
    try:
        edit = lsp.decode(msgspec.json.encode(arguments.workspace_edit), WorkspaceEdit, "workspace_edit")
        changes = edit.ordered_changes()
    except Wire as problem:
        raise InvalidArgument(problem.message, hint="Give changes or documentChanges, as LSP writes them.") from None
    if not changes:
        raise InvalidArgument("workspace_edit has no changes", hint="Give changes or documentChanges.")
    return plan_edit(edit, roots=tuple(call.pool.folders), encoding=arguments.position_encoding)


def _replaced(call: Call, arguments: ApplyEdit) -> tuple[Plan, list[str]]:
    roots = tuple(call.pool.folders)
    # Before it is read: what is wrong with the edit is told in lines of the file.
    named = call.pool.workspace / arguments.file_path
    Boundary(roots, Disk()).target(named)
    file = existing_file(named, call.pool.workspace)
    text = _text_of(file)
    found = find_text(text, arguments.old_text, arguments.new_text, replace_all=arguments.replace_all)
    lines = Lines(text)
    edits = [TextEdit(lines.range(each.start, each.end, "utf-32"), each.new_text) for each in found.replacements]
    change = TextDocumentEdit(OptionalVersionedTextDocumentIdentifier(uri_of(file)), edits)
    basis = {file: Basis(content_hash(text))}
    return plan_edit([change], roots=roots, encoding="utf-32", computed_for=basis), list(_notes(found))


def _text_of(file: Path) -> str:
    return decode(Disk().read(file), file).text


def _notes(found: Found) -> list[str]:
    notes = [] if len(found.replacements) == 1 else [f"replaced {len(found.replacements):,} times"]
    if not found.is_exact:
        notes.append("old_text was found only with white space ignored; new_text is indented as the lines there were")
    return notes

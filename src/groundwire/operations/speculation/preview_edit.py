"""What one edit would do, in one call.

Above: ``table``, ``safe_apply_edit``, ``compare_edits``. Below: ``given_edits``, ``evaluation``.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.speculation import Evaluation, Scope
from groundwire.operations.speculation.evaluation import evaluate
from groundwire.operations.speculation.given_edits import (
    Piece,
    apply_edits,
    apply_one,
    apply_patch,
    virtual_texts,
)
from groundwire.operations.speculation.virtual_texts import VirtualTexts


class SpeculativeEdit(Arguments, frozen=True):
    """One piece of a file, several pieces, or a patch."""

    file_path: Annotated[str, Meta(description="File to edit.")] = ""
    old_text: Annotated[str, Meta(description="Text to replace; or give a range.")] = ""
    new_text: Annotated[str, Meta(description="What to put there.")] = ""
    start_line: Annotated[int, Meta(ge=0, description="1-based.")] = 0
    start_column: Annotated[int, Meta(ge=0, description="1-based.")] = 0
    end_line: Annotated[int, Meta(ge=0, description="Without it, start_line.")] = 0
    end_column: Annotated[int, Meta(ge=0, description="Without it, its end.")] = 0
    # Any: each is checked as a ``Piece``, whose schema would take a third of this one.
    edits: Annotated[
        tuple[Mapping[str, Any], ...], Meta(description="Several: file_path, old_text or range, new_text each.")
    ] = ()
    patch: Annotated[str, Meta(description="Or a unified diff.")] = ""


class PreviewEdit(SpeculativeEdit, frozen=True):
    """An edit."""

    scope: Annotated[Scope, Meta(description="file: only edited files.")] = "workspace"
    timeout_ms: Annotated[int, Meta(ge=0, description="0: no limit of its own.")] = 0


@operation(
    "What would this edit break or fix, in its file and those that use it? Nothing is written.",
    effect="simulates",
    aliases=("simulate_edit_atomic",),
    command="preview",
)
async def preview_edit(call: Call, arguments: PreviewEdit) -> Answer[Evaluation]:
    """Safe only where that is confirmed."""
    return await evaluate(call, texts_of(call, arguments), arguments.scope, arguments.timeout_ms)


def texts_of(call: Call, edit: SpeculativeEdit) -> VirtualTexts:
    """The texts that the edit would make. Raises InvalidArgument unless exactly one form of it is given."""
    forms = [bool(edit.file_path), bool(edit.edits), bool(edit.patch)]
    if sum(forms) != 1:
        what = "no edit is given" if not any(forms) else "the edit is given in several forms"
        raise InvalidArgument(what, hint="Give file_path with old_text or a range and new_text; or edits; or patch.")
    texts = virtual_texts(call)
    if edit.patch:
        apply_patch(texts, edit.patch)
    elif edit.edits:
        apply_edits(texts, list(map(_piece, edit.edits)))
    else:
        apply_one(texts, _one(edit))
    return texts


def _piece(given: Mapping[str, Any]) -> Piece:
    try:
        return msgspec.convert(given, Piece, strict=False)
    except msgspec.ValidationError as problem:
        fields = ", ".join(Piece.__struct_fields__)
        raise InvalidArgument(f"edits: {problem}", hint=f"Each takes {fields}.") from None


def _one(edit: SpeculativeEdit) -> Piece:
    return Piece(
        file_path=edit.file_path,
        start_line=edit.start_line,
        start_column=edit.start_column,
        end_line=edit.end_line,
        end_column=edit.end_column,
        old_text=edit.old_text,
        new_text=edit.new_text,
    )

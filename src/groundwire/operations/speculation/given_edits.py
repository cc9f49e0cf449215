"""Edits as they are given: a range or a piece of text and what to put there, several of them, or a unified patch.

Above: the operations of this package. Below: ``virtual_texts``, ``patches``, ``text_match``.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from groundwire.edits.content import FileContent
from groundwire.errors import EditConflict, FileNotFound, InvalidArgument
from groundwire.operations.operation import Call
from groundwire.operations.speculation.patches import FilePatch, parse_patch, patched
from groundwire.operations.speculation.virtual_texts import VirtualFile, VirtualTexts
from groundwire.operations.text.text_match import find_text
from groundwire.protocol.lsp import Position
from groundwire.protocol.positions import Lines

_HINT = "Give old_text, or start_line to end_column; without them new_text is a new file."


class Piece(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of a file."""

    file_path: str
    start_line: Annotated[int, Meta(ge=0)] = 0
    start_column: Annotated[int, Meta(ge=0)] = 0
    end_line: Annotated[int, Meta(ge=0)] = 0
    end_column: Annotated[int, Meta(ge=0)] = 0
    old_text: str = ""
    new_text: str = ""


class Place(NamedTuple):
    """From where to where, in characters of the text."""

    start: int
    end: int


def virtual_texts(call: Call) -> VirtualTexts:
    """None yet."""
    return VirtualTexts(tuple(call.pool.folders), call.pool.workspace)


def apply_edits(texts: VirtualTexts, edits: Sequence[Piece]) -> None:
    """One after the other; the positions of each are those of the text after the ones before it."""
    for edit in edits:
        apply_one(texts, edit)


def apply_one(texts: VirtualTexts, edit: Piece) -> None:
    """Raises EditConflict or InvalidArgument with nothing changed."""
    known = texts.find(edit.file_path)
    texts.put(known, _edited(known, edit))


def apply_patch(texts: VirtualTexts, patch: str) -> None:
    """All files of a patch, or none."""
    changed = texts.copy()
    for file in parse_patch(patch):
        _apply_file(changed, file)
    for each in changed:
        texts.put(each, each.after)


def _apply_file(texts: VirtualTexts, patch: FilePatch) -> None:
    old = texts.find(patch.old or patch.new)
    if patch.old and old.after is None:
        raise FileNotFound(f"{patch.old} does not exist", hint="Make the patch against the files as they are now.")
    if not patch.old and old.after is not None:
        raise EditConflict(f"{patch.new} is there already", hint="Make the patch against the files as they are now.")
    text = patched(old.after or "", patch.hunks, patch.new or patch.old)
    if not patch.new:
        texts.put(old, None)
        return
    if patch.old and patch.old != patch.new and not patch.keeps_old:
        texts.put(old, None)
    texts.put(texts.find(patch.new), text)


def _edited(known: VirtualFile, edit: Piece) -> str:
    text = known.after
    has_range = any((edit.start_line, edit.start_column, edit.end_line, edit.end_column))
    if text is None:
        if has_range or edit.old_text:
            raise FileNotFound(f"{edit.file_path} does not exist", hint="Only a whole new text can be put there.")
        return edit.new_text
    if has_range and edit.old_text:
        raise InvalidArgument("both old_text and a range are given", hint="Give one of them.")
    if edit.old_text:
        return _spliced_by_text(text, edit)
    if not has_range:
        raise InvalidArgument(f"{edit.file_path} exists, and nothing says what to replace in it", hint=_HINT)
    place = _place(text, edit)
    return text[: place.start] + FileContent(text).with_our_endings(edit.new_text) + text[place.end :]


def _spliced_by_text(text: str, edit: Piece) -> str:
    content = FileContent(text)
    for each in reversed(find_text(text, edit.old_text, edit.new_text).replacements):
        text = text[: each.start] + content.with_our_endings(each.new_text) + text[each.end :]
    return text


def _place(text: str, edit: Piece) -> Place:
    lines = Lines(text)
    if not edit.start_line:
        raise InvalidArgument("start_line is missing", hint=_HINT)
    last = edit.end_line or edit.start_line
    for name, line in (("start_line", edit.start_line), ("end_line", last)):
        if line > lines.line_count:
            raise InvalidArgument(f"{name} is {line}, and {edit.file_path} has {lines.line_count} lines", hint=_HINT)
    end_column = edit.end_column or len(lines.line(last - 1)) + 1
    start = lines.offset(Position(edit.start_line - 1, max(edit.start_column, 1) - 1), "utf-32")
    end = lines.offset(Position(last - 1, end_column - 1), "utf-32")
    if end < start:
        raise InvalidArgument(f"the range ends at {last}:{end_column}, before it begins", hint=_HINT)
    return Place(start, end)

"""Text edits over one text: the new text, or the reason why not; and the smallest edit between two texts.

Above: ``groundwire.edits``, ``workspace.documents``. Below: ``positions``, ``snippets``, ``lsp_edits``.
"""

from collections.abc import Sequence

from groundwire import errors
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_edits import TextEdit
from groundwire.protocol.positions import Lines, PositionEncoding, range_in
from groundwire.protocol.snippets import plain_text


def apply_text_edits(text: str, edits: Sequence[TextEdit], encoding: PositionEncoding) -> str:
    """All edits at once, their positions taken in ``text``. Refuses edits that overlap, ranges that run backwards, and
    positions inside a character: who counts like that counts in another encoding.

    Inserts at one place keep their order, and come before what replaces the text that starts there.
    """
    lines = Lines(text)
    # By start then end: an insert ends where it starts, so it sorts before a replacement from there.
    spans = sorted((_resolve(lines, edit, encoding) for edit in edits), key=lambda span: span[:2])
    parts: list[str] = []
    done = 0
    for start, end, new_text in spans:
        if start < done:
            human = lines.position(start, "utf-32")
            raise errors.EditConflict(f"two edits overlap at line {human.line + 1}, column {human.character + 1}")
        parts += text[done:start], new_text
        done = end
    return "".join([*parts, text[done:]])


def _resolve(lines: Lines, edit: TextEdit, encoding: PositionEncoding) -> tuple[int, int, str]:
    start, end = edit.range.start, edit.range.end
    if start > end:
        raise errors.EditConflict(f"the range of an edit runs backwards, from {start} to {end}")
    new_text = edit.new_text if edit.snippet is None else plain_text(edit.snippet.value)
    return _offset(lines, start, encoding), _offset(lines, end, encoding), new_text or ""


def _offset(lines: Lines, position: Position, encoding: PositionEncoding) -> int:
    offset = lines.offset(position, encoding)
    # Past the end of the line is the end of the line, as LSP rules; all else must be just there.
    before, after = lines.position(offset, encoding), lines.position(offset + 1, encoding)
    if before < position < after and position.line == after.line:
        raise errors.EditConflict(f"an edit has a position inside a character: {position}")
    return offset


def minimal_change(old: str, new: str, encoding: PositionEncoding) -> tuple[Range, str]:
    """The one smallest replacement that makes ``new`` of ``old``. Never begins or ends between ``\\r`` and ``\\n``."""
    shorter = min(len(old), len(new))
    prefix = _common_prefix(old, new, shorter)
    if prefix and old[prefix - 1] == "\r" and "\n" in (old[prefix : prefix + 1], new[prefix : prefix + 1]):
        prefix -= 1
    suffix = _common_suffix(old, new, shorter - prefix)
    end, new_end = len(old) - suffix, len(new) - suffix
    if suffix and old[end] == "\n" and "\r" in (old[end - 1 : end], new[new_end - 1 : new_end]):
        end, new_end = end + 1, new_end + 1
    return range_in(old, prefix, end, encoding), new[prefix:new_end]


def _common_prefix(old: str, new: str, limit: int) -> int:
    """Length of the common start, at most ``limit``. By halves: all is compared in C, and hardly any of it twice."""
    same, step = 0, 1 << limit.bit_length()
    while step := step >> 1:
        if same + step <= limit and old.startswith(new[same : same + step], same):
            same += step
    return same


def _common_suffix(old: str, new: str, limit: int) -> int:
    old_end, new_end = len(old), len(new)
    same, step = 0, 1 << limit.bit_length()
    while step := step >> 1:
        if same + step <= limit and old.endswith(new[new_end - same - step : new_end - same], 0, old_end - same):
            same += step
    return same

"""A symbol taken out of its text with its comments and decorators, so that nothing shows where it was.

Pure. Above: ``symbol_edits``. Below: ``symbol_spans``, ``comma_lists``.
"""

import re

from groundwire.errors import EditConflict
from groundwire.operations.editing.comma_lists import comma_before, is_list_item
from groundwire.operations.editing.symbol_change import USE_TEXT, Piece, SymbolChange
from groundwire.operations.editing.symbol_spans import Located
from groundwire.operations.text.indented_blocks import width
from groundwire.operations.text.masked_text import BLANK, COMMENT

_EMPTY = "the block would have been empty, so pass was put there"
_VALUES = "members after it have no value of their own, so theirs changed"


def delete(located: Located) -> SymbolChange:
    """Raises EditConflict where it cannot be taken out alone."""
    _require_statement(located)
    if is_list_item(located):
        return _without_item(located)
    if not located.span.is_alone:
        raise EditConflict(
            f"{located.symbol.dotted} is declared together with others or shares its line; nothing was deleted",
            hint=USE_TEXT,
        )
    return _without_lines(located)


def _require_statement(located: Located) -> None:
    masked, span = located.masked, located.span
    around = masked.round(span.code)
    if around >= 0 and not masked.holds_statement(span.code):
        raise EditConflict(
            f"{located.symbol.dotted} stands within brackets, as a parameter does; nothing was deleted",
            hint="Deleting it would change what it is part of. " + USE_TEXT,
        )
    if masked.syntax.block == "indent" and _is_assigned_together(located):
        raise EditConflict(
            f"{located.symbol.dotted} is assigned together with others; nothing was deleted", hint=USE_TEXT
        )


def _is_assigned_together(located: Located) -> bool:
    """``x, y = …`` or ``x = y = …``."""
    masked, span = located.masked, located.span
    if masked.syntax.declaring & set(re.findall(r"\w+", masked.code[span.first : span.name])):
        return False
    outside = masked.round(span.name_end)
    marks = re.finditer(r"(?<![=!<>:+\-*/%&|^@])=(?!=)|,", masked.code[span.name_end : span.end])
    found = [mark[0] for mark in marks if masked.round(span.name_end + mark.start()) == outside]
    return found[:1] == [","] or found.count("=") > 1


def _is_group(located: Located) -> bool:
    return located.masked.is_group(located.masked.round(located.span.code))


def _without_lines(located: Located) -> SymbolChange:
    masked, span = located.masked, located.span
    text = masked.text
    top, end = masked.line_start(span.top), span.bottom
    above, below = _blank_above(text, top), _blank_below(text, end)
    opens, closes = _is_first(located, above), _is_last(located, below)
    notes = _notes(located)
    if masked.syntax.colon and opens and closes and above > 0:
        return SymbolChange((Piece(top, end, f"{located.indentation}pass"),), (*notes, _EMPTY))
    kept = _kept_lines(text, (above, top), (end, below), opens=opens, closes=closes)
    if below == len(text):  # it ends as it did before: with a line ending or without
        start = above if text.endswith("\n") else len(text[:above].rstrip("\r\n"))
        return SymbolChange((Piece(start, len(text), ""),), notes)
    return SymbolChange((Piece(above, below, "\n" * kept),), notes)


def _blank_above(text: str, top: int) -> int:
    """Where the blank lines directly above begin."""
    while top > 0:
        start = text.rfind("\n", 0, top - 1) + 1
        if text[start:top].strip():
            break
        top = start
    return top


def _blank_below(text: str, end: int) -> int:
    """Where the first line below begins that is not blank, or the end."""
    line = text.find("\n", end) + 1
    while line > 0:
        following = text.find("\n", line) + 1
        if text[line : following or len(text)].strip():
            return line
        line = following
    return len(text)


def _kept_lines(text: str, above: tuple[int, int], below: tuple[int, int], *, opens: bool, closes: bool) -> int:
    """How many blank lines stay where it was."""
    lines_above = text.count("\n", *above)
    lines_below = max(text.count("\n", *below) - 1, 0)
    if opens:
        return lines_above
    return lines_below if closes else max(lines_above, lines_below)


def _is_first(located: Located, above: int) -> bool:
    """Whether nothing stands between it and what opens the block it is in."""
    code = located.masked.code[:above].rstrip(BLANK)
    line = located.masked.text[:above].rstrip()
    openers = ("{", "(", ":") if located.masked.syntax.colon else ("{", "(")
    return not line or (code.endswith(openers) and "\n" not in line[len(code) :])


def _is_last(located: Located, below: int) -> bool:
    """Whether nothing stands between it and what closes the block it is in."""
    masked = located.masked
    if not masked.text[below:].strip():
        return True
    if masked.syntax.block == "indent":
        at = masked.skip_blank(below, len(masked.code))
        return width(masked.indentation(at)) < width(located.indentation)
    return bool(re.match(r"\s*(?:[)\]}]|end\b)", masked.code[below:]))


def _without_item(located: Located) -> SymbolChange:
    """With the comma behind it; as the last one, with the comma before it."""
    masked, span = located.masked, located.span
    at, notes = located.next_code, _notes(located)
    has_comma = masked.code[at : at + 1] == ","
    before = comma_before(located)
    end = at + 1 if has_comma else span.end
    line_end = masked.line_end(end)
    is_first_on_line = not masked.code[masked.line_start(span.first) : span.first].strip(BLANK)
    if is_first_on_line and not masked.code[end:line_end].strip(BLANK):
        whole = Located(masked, located.symbol, span._replace(bottom=line_end, is_alone=True), located.siblings)
        lines = _without_lines(whole).pieces
        comma = (Piece(before, before + 1, ""),) if before is not None and not has_comma else ()
        return SymbolChange((*comma, *lines), notes)
    if has_comma:
        return SymbolChange((Piece(span.code, _behind_spaces(masked.text, end), ""),), notes)
    if before is None:
        raise EditConflict(f"{located.symbol.dotted} is the only one of its list; nothing was deleted", hint=USE_TEXT)
    comment = _comment_behind(located)
    return SymbolChange((Piece(before, span.end, ""), *comment), notes)


def _comment_behind(located: Located) -> tuple[Piece, ...]:
    """The comment on its line, where what ends the whole list stands between."""
    masked, span = located.masked, located.span
    end = masked.line_end(span.end)
    start = masked.code.find(COMMENT, span.end, end)
    if start < 0 or masked.code[span.end : end].rstrip(BLANK).lstrip(BLANK) != ";":
        return ()
    return (Piece(masked.skip_blank_back(start, span.end), end, ""),)


def _behind_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _notes(located: Located) -> tuple[str, ...]:
    """What deleting it does to others without their being touched."""
    following = next((span for span in located.siblings if span.first > located.span.first), None)
    masked = located.masked
    if following is None or not _counts(located):
        return ()
    if "=" in masked.code[following.name : following.end]:
        return ()
    if _is_group(located) and "=" in masked.code[located.span.name : located.span.end]:
        raise EditConflict(f"those after {located.symbol.dotted} repeat its value; nothing was deleted", hint=USE_TEXT)
    return (_VALUES,)


def _counts(located: Located) -> bool:
    """Whether it is one of a row of which each is one more than the one before."""
    is_member = located.symbol.kind == 22 or (located.symbol.kind == 14 and is_list_item(located))
    return is_member or (located.symbol.kind == 14 and _is_group(located))

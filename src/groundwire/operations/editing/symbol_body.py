"""Where the body of a symbol is: between braces, behind an arrow, in an indented block, or before ``end``.

Pure. Above: ``body_edits``. Below: ``symbol_spans``, ``masked_text``, ``indented_blocks``.
"""

import re
from typing import Literal, NamedTuple

from groundwire.operations.editing.symbol_spans import Located, behind_angles
from groundwire.operations.text.indented_blocks import is_indented, logical_end
from groundwire.operations.text.masked_text import BLANK, Masked

_CALLABLE = frozenset({6, 9, 12})
"""Method, constructor and function, by LSP's numbers."""

_VALUES = frozenset({8, 13, 14})
"""Field, variable and constant."""

_ASSIGNMENT = re.compile(r"(?<![=!<>+\-*/%&|^:?])=(?![=>])")
_DO = re.compile(r"(?<!\w)do(?!\w)(:?)")


class Body(NamedTuple):
    """What is replaced when a body is: ``start`` to ``end``, the brackets or the word round it not included."""

    form: Literal["braces", "expression", "block", "line", "end"]
    start: int
    end: int
    mark: int = -1
    """Of an expression: where the mark before it begins."""


def find_body(located: Located) -> Body | None:
    """The body; None where there is none."""
    masked, span = located.masked, located.span
    if not masked.holds_statement(span.code):
        return None
    if masked.syntax.block == "end" or (masked.syntax.block == "any" and _ends_with_word(masked, span.end)):
        return _before_end(located)
    if is_indented(masked, span.code, span.end):
        return _indented(located)
    return _in_braces(located) or _expression(located)


def _in_braces(located: Located) -> Body | None:
    """The braces that the symbol ends with, if they are those of its body."""
    masked, span = located.masked, located.span
    code, syntax = masked.code, masked.syntax
    opening = masked.partner(span.end - 1) if code[span.end - 1] == "}" else None
    if opening is None or opening < span.name_end or masked.round(opening) != masked.round(span.code):
        return None
    before = code[span.name_end : opening].rstrip(BLANK)
    assigned = _assigned(located, opening)
    if assigned is not None:
        if not syntax.function_value or not re.compile(syntax.function_value).match(code, assigned):
            return None
        if syntax.arrow and syntax.arrow in code[assigned:opening] and not before.endswith(syntax.arrow):
            return None
    elif not _is_block(located, before):
        return None
    return Body("braces", opening + 1, span.end - 1)


def _is_block(located: Located, before: str) -> bool:
    """Whether braces behind such a signature are a body: not a type, nor a value, nor the last of several blocks."""
    if located.symbol.kind in _VALUES:
        return False
    if located.symbol.kind not in _CALLABLE and "(" not in before:
        return True
    pattern = located.masked.syntax.type_before
    return not (pattern and re.search(pattern, before)) and not re.search(r"(?<!\w)try(?!\w)", before)


def _expression(located: Located) -> Body | None:
    """What stands behind an arrow, or behind the mark of a body that is an expression."""
    masked, span = located.masked, located.span
    syntax, code = masked.syntax, masked.code
    assigned = _assigned(located, span.end)
    if syntax.expression and "(" in code[span.name_end : span.end]:
        mark = _outside_brackets(
            masked, re.compile(rf"{re.escape(syntax.expression)}(?![=>])"), span.name_end, span.end
        )
    elif assigned is not None and syntax.arrow and re.compile(syntax.function_value).match(code, assigned):
        mark = _outside_brackets(masked, re.compile(re.escape(syntax.arrow)), assigned, span.end)
    else:
        return None
    if mark is None:
        return None
    width = len(syntax.expression or syntax.arrow)
    return Body("expression", masked.skip_blank(mark + width, span.end), span.end, mark)


def _assigned(located: Located, end: int) -> int | None:
    """Where the value begins that the symbol is declared with."""
    masked, start = located.masked, _behind_name(located)
    mark = _outside_brackets(masked, _ASSIGNMENT, start, end)
    return None if mark is None else masked.skip_blank(mark + 1, end)


def _behind_name(located: Located) -> int:
    """Behind the name and its type parameters, which may have values of their own."""
    masked, span = located.masked, located.span
    at = masked.skip_blank(span.name_end, span.end)
    return behind_angles(masked, at, span.end) if masked.code[at : at + 1] == "<" else span.name_end


def _outside_brackets(masked: Masked, pattern: re.Pattern[str], start: int, end: int) -> int | None:
    """Where it first stands outside the brackets between."""
    outside = masked.round(start)
    for found in pattern.finditer(masked.code, start, end):
        if masked.round(found.start()) == outside:
            return found.start()
    return None


def _indented(located: Located) -> Body | None:
    masked, span = located.masked, located.span
    head_end = logical_end(masked, span.code, len(masked.code))
    start = _behind_colon(masked, span.name_end, head_end) if masked.syntax.colon else head_end
    if start is None or not masked.syntax.declaring & set(re.findall(r"\w+", masked.code[span.first : span.name])):
        return None
    if masked.code[start:head_end].strip(BLANK):
        return Body("line", start, masked.skip_blank_back(head_end, start))
    # A comment on the line of the signature stays with it.
    head_end = head_end - 1 if masked.text[head_end - 1 : head_end] == "\r" else head_end
    return Body("block", head_end, span.end) if span.end > head_end else None


def _behind_colon(masked: Masked, at: int, end: int) -> int | None:
    colon = _outside_brackets(masked, re.compile(":"), at, end)
    return None if colon is None else colon + 1


def _ends_with_word(masked: Masked, end: int) -> bool:
    return re.search(r"(?<!\w)end$", masked.code[max(end - 4, 0) : end]) is not None


def _before_end(located: Located) -> Body | None:
    """Between the line of the signature and the last ``end``; or behind the signature where all is on one line."""
    masked, span = located.masked, located.span
    head_end = min(logical_end(masked, span.code, len(masked.code)), span.end)
    word = next((each for each in _DO.finditer(masked.code, span.name_end, head_end)), None)
    if word is not None and word[1]:
        return Body("expression", masked.skip_blank(word.end(), span.end), span.end, word.start())
    if not _ends_with_word(masked, span.end):
        return None
    if head_end < span.end:
        return Body("end", head_end, span.end - 3)
    opening = masked.skip_blank(span.name_end, span.end)
    closing = masked.partner(opening) if masked.code[opening] == "(" else None
    start = word.end() if word is not None else span.name_end if closing is None else closing + 1
    return Body("end", start, span.end - 3)

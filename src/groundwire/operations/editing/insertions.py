"""Code before or after a symbol, as far from it as such things are from each other in that text.

Pure. Above: ``symbol_edits``. Below: ``symbol_spans``, ``new_code``.
"""

from itertools import pairwise

from groundwire.errors import EditConflict, InvalidArgument
from groundwire.operations.editing.comma_lists import is_list_item
from groundwire.operations.editing.symbol_change import USE_TEXT, Piece, SymbolChange, require_balanced
from groundwire.operations.editing.symbol_spans import Located, Span
from groundwire.operations.text.masked_text import BLANK, Masked
from groundwire.operations.text.new_code import cleaned, indentation_unit, indented


def insert_before(located: Located, code: str) -> SymbolChange:
    """Above its comments and decorators."""
    inserting = _Inserting(located, code)
    return SymbolChange(inserting.before())


def insert_after(located: Located, code: str) -> SymbolChange:
    """Below its last line."""
    inserting = _Inserting(located, code)
    return SymbolChange(inserting.after())


class _Inserting:
    """Code that is put beside a symbol. Raises EditConflict where that has no lines of its own."""

    def __init__(self, located: Located, code: str) -> None:
        masked, syntax = located.masked, located.masked.syntax
        given = cleaned(code)
        require_balanced(given, syntax, "code")
        if not given:
            raise InvalidArgument("code is empty, so there is nothing to insert")
        self._is_item = is_list_item(located)
        self._located = located
        self._masked = masked
        self._span = located.span
        if not self._owns_lines():
            raise EditConflict(
                f"{located.symbol.dotted} shares its line with other code, so nothing can be put beside it",
                hint=USE_TEXT,
            )
        self._is_tall = "\n" in given
        unit = indentation_unit(masked.text, syntax)
        self._code = indented(given, located.indentation, unit, syntax)

    def before(self) -> tuple[Piece, ...]:
        top = self._masked.line_start(self._span.top)
        code = self._with_comma(self._code) if self._is_item else self._code
        gap = self._gap(self._span)
        return (Piece(top, top, f"{self._missing_above(top)}{code}\n{gap}"),)

    def after(self) -> tuple[Piece, ...]:
        bottom, code = self._bottom(), self._code
        comma: tuple[Piece, ...] = ()
        if self._is_item:
            at = self._located.next_code
            has_comma = self._masked.code[at : at + 1] == ","
            code = self._with_comma(code) if has_comma else self._without_comma(code)
            comma = () if has_comma else (Piece(self._span.end, self._span.end, ","),)
        text = f"\n{self._gap(self._span)}{code}{self._missing_below(bottom)}"
        return (*comma, Piece(bottom, bottom, text))

    def _owns_lines(self) -> bool:
        if not self._is_item:
            return self._span.is_alone
        masked, first = self._masked, self._span.first
        at = self._located.next_code
        end = at + 1 if masked.code[at : at + 1] == "," else self._span.end
        rest = masked.code[end : masked.line_end(end)]
        return not masked.code[masked.line_start(first) : first].strip(BLANK) and not rest.strip(BLANK)

    def _bottom(self) -> int:
        at = self._located.next_code
        is_followed = self._is_item and self._masked.code[at : at + 1] == ","
        return self._masked.line_end(at + 1) if is_followed else self._span.bottom

    def _with_comma(self, code: str) -> str:
        end = self._code_end(code)
        return code if code[end - 1] == "," else f"{code[:end]},{code[end:]}"

    def _without_comma(self, code: str) -> str:
        end = self._code_end(code)
        return f"{code[: end - 1]}{code[end:]}" if code[end - 1] == "," else code

    def _code_end(self, code: str) -> int:
        masked = Masked(code, self._masked.syntax)
        return masked.skip_blank_back(len(code), 0)

    def _gap(self, neighbour: Span) -> str:
        return "\n" * self._blank_lines(neighbour)

    def _blank_lines(self, neighbour: Span) -> int:
        """As many as are between the nearest two of which one is over several lines, if one of these is; else as
        between the nearest two that are not."""
        is_tall = self._is_tall or self._lines_of(neighbour) > 1
        siblings = [span for span in self._located.siblings if span.is_alone or self._is_item]
        gaps = [
            (abs(above.first - neighbour.first), gap)
            for above, below in pairwise(siblings)
            if (self._lines_of(above) > 1 or self._lines_of(below) > 1) is is_tall
            and (gap := self._gap_between(above, below)) is not None
        ]
        if gaps:
            return min(gaps)[1]
        is_outermost = not self._located.indentation
        return (self._masked.syntax.gap if is_outermost else 1) if is_tall and not self._is_item else 0

    def _gap_between(self, above: Span, below: Span) -> int | None:
        """The blank lines between two; None when there is more than that."""
        between = self._masked.text[above.bottom : below.top]
        return between.count("\n") - 1 if not between.strip(" \t\r\n,") and "\n" in between else None

    def _lines_of(self, span: Span) -> int:
        return self._masked.text.count("\n", span.top, span.bottom) + 1

    def _missing_above(self, top: int) -> str:
        """Blank lines that what stands above wants to be apart by, now that it is another that follows."""
        above = next((span for span in reversed(self._located.siblings) if span.bottom < top), None)
        gap = self._gap_between(above, self._span) if above else None
        return "\n" * max(self._blank_lines(above) - gap, 0) if above and gap is not None else ""

    def _missing_below(self, bottom: int) -> str:
        below = next((span for span in self._located.siblings if span.top > bottom), None)
        gap = self._gap_between(self._span, below) if below else None
        return "\n" * max(self._blank_lines(below) - gap, 0) if below and gap is not None else ""

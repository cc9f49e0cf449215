"""A symbol's place in its text, in offsets: its name, its own code, and all that belongs to it.

Servers differ in what a symbol's range holds: with decorators, attributes and comments or without, from the keyword or
from the name, with the whole statement or only the name. Here it is the same for all. Pure. Above: ``symbol_body`` and
the edits of symbols. Below: ``masked_text``, ``indented_blocks``, ``protocol.symbol_tree``.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.errors import EditConflict
from groundwire.operations.text.indented_blocks import block_end, is_indented, logical_end
from groundwire.operations.text.masked_text import BLANK, Masked
from groundwire.operations.text.text_ranges import word_within
from groundwire.protocol.lsp import Range
from groundwire.protocol.positions import Lines, PositionEncoding
from groundwire.protocol.symbol_tree import Symbol, walk

_MODIFIERS = re.compile(r"(?:[\w$]+(?:\([\w\s:]*\))?[ \t\x02]+)*[*&]*")
"""Words before a declaration on its line: ``export default``, ``pub(crate)``, ``type``."""

_NEAR = 10
"""How many symbols on either side show what is usual between symbols there."""

_CONTROL = frozenset(
    {"for", "while", "if", "elif", "else", "with", "as", "except", "match", "case", "return", "catch", "in", "from"}
)
"""Words that make it part of a statement that is more than its declaration."""


class Span(NamedTuple):
    """Where a symbol is. All are offsets into the text."""

    top: int
    """The beginning of the first line that belongs to it: of its comments, decorators, attributes."""
    first: int
    """Where its own code begins, behind decorators and attributes: ``export const f``."""
    name: int
    name_end: int
    end: int
    """Just behind its code, without the mark that ends the statement."""
    closed: int
    """The same with that mark."""
    bottom: int
    """The end of its last line, a comment there included; before the line's ending."""
    is_alone: bool
    """Whether its lines hold nothing but it."""
    code: int
    """Where the server says that its code begins, or its name, behind decorators: without ``export const``."""


class Located(NamedTuple):
    """A symbol in its text."""

    masked: Masked
    symbol: Symbol
    span: Span
    siblings: tuple[Span, ...]
    """The nearest with the same parent, in order, itself included."""

    @property
    def indentation(self) -> str:
        """What its first line of code begins with."""
        return self.masked.indentation(self.span.first)

    @property
    def next_code(self) -> int:
        """Where the first code behind it begins, the mark that ends it included."""
        return self.masked.skip_blank(self.span.end, len(self.masked.code))


class SymbolText:
    """A text with all its symbols."""

    def __init__(self, masked: Masked, tree: Sequence[Symbol], encoding: PositionEncoding) -> None:
        self._masked = masked
        self._lines = Lines(masked.text)
        self._encoding: PositionEncoding = encoding
        self._tree = tree
        self._names = {id(symbol): self._name(symbol) for symbol in walk(tree)}
        self._in_order = sorted(walk(tree), key=self._name_at)

    def locate(self, symbol: Symbol) -> Located:
        """Where it is. Raises EditConflict when the text does not let that be told."""
        siblings = _siblings(self._tree, symbol)
        at = next(number for number, each in enumerate(siblings) if each is symbol)
        near = siblings[max(at - _NEAR, 0) : at + _NEAR + 1]
        own, others = self._span(symbol), (self._span_or_none(each) for each in near if each is not symbol)
        return Located(self._masked, symbol, own, tuple(sorted({own, *(each for each in others if each)})))

    def names_within(self, start: int, end: int, *, but: Symbol) -> list[str]:
        """The symbols whose names stand there, apart from one and what is in it or in brackets."""
        own, outside = {id(each) for each in but.walk()}, self._masked.round(start)
        first = bisect_left(self._in_order, start, key=self._name_at)
        last = bisect_left(self._in_order, end, key=self._name_at)
        others = (symbol for symbol in self._in_order[first:last] if id(symbol) not in own)
        return [symbol.dotted for symbol in others if self._masked.round(self._name_at(symbol)) == outside]

    def _name_at(self, symbol: Symbol) -> int:
        return self._names[id(symbol)][0]

    def _offset(self, where: Range) -> tuple[int, int]:
        return self._lines.offset(where.start, self._encoding), self._lines.offset(where.end, self._encoding)

    def _name(self, symbol: Symbol) -> tuple[int, int]:
        """Where its name stands; where it has none, the place where its code begins."""
        name, (start, _) = symbol.path[-1], self._offset(symbol.selection)
        if self._masked.text.startswith(name, start):
            return start, start + len(name)
        found = word_within(self._lines, name, Range(symbol.selection.start, symbol.range.end), self._encoding)
        start, end = self._offset(found)
        return (start, end) if self._masked.text[start:end] == name else (start, start)

    def _span_or_none(self, symbol: Symbol) -> Span | None:
        try:
            return self._span(symbol)
        except EditConflict:
            return None

    def _span(self, symbol: Symbol) -> Span:
        (name, name_end), (start, end) = self._names[id(symbol)], self._offset(symbol.range)
        masked = self._masked
        code = skip_attributes(masked, min(start, name), max(name, start))
        name, name_end = max(name, code), max(name_end, code)
        end = max(masked.skip_blank_back(end, code), name_end)
        if end <= code:
            raise EditConflict(f"there is no code where the server says that {symbol.dotted} is")
        end = self._end(symbol, code, name_end, end)
        first = self._first(code)
        top = self._top(first, symbol)
        closed = masked.skip_blank(end, masked.line_end(end))
        closed = closed + 1 if masked.code[closed : closed + 1] == ";" else end
        bottom = masked.line_end(closed)
        is_alone = (
            skip_attributes(masked, masked.line_start(first), first) == first
            and not masked.code[closed:bottom].strip(BLANK)
            and not self.names_within(first, bottom, but=symbol)
        )
        return Span(top, first, name, name_end, end, closed, bottom, is_alone, code)

    def _end(self, symbol: Symbol, code: int, name_end: int, end: int) -> int:
        """The end of its code. Where a server tells only the name, that of its statement."""
        masked = self._masked
        if masked.code[end - 1] in ";," and end - 1 > name_end:
            end = masked.skip_blank_back(end - 1, code)
        if not masked.holds_statement(code):
            return end
        tells_only_name = end <= name_end
        if tells_only_name:
            end = max(end, _statement_end(masked, name_end))
        if not is_indented(masked, code, end):
            return end
        own = block_end(masked, code)
        last_code = masked.skip_blank_back(own, code)
        if own > code and last_code < end:
            raise EditConflict(
                f"where {symbol.dotted} ends cannot be told: its lines and the server's word differ",
                hint="Use apply_edit with the text itself.",
            )
        return own if last_code == end or tells_only_name else end

    def _first(self, code: int) -> int:
        """Where its statement begins on its line, with words such as ``export const`` before it."""
        masked = self._masked
        start = masked.line_start(code) + len(masked.indentation(code))
        if start >= code:
            return code
        behind = skip_attributes(masked, start, code)
        words = _CONTROL.isdisjoint(re.findall(r"\w+", masked.code[behind:code]))
        return behind if words and _MODIFIERS.fullmatch(masked.code, behind, code) else code

    def _top(self, first: int, symbol: Symbol) -> int:
        """Over the comments, decorators and attributes that stand directly above."""
        masked = self._masked
        outside, top = masked.round(first), masked.line_start(first)
        is_own_line = skip_attributes(masked, top, first) == first
        while is_own_line and top > 0:
            start = masked.line_start(top - 1)
            if not masked.text[start:top].strip():
                break
            while start > 0 and not masked.is_line_of_code(start, outside):
                start = masked.line_start(start - 1)
            if not self._belongs(start, top, outside) or self.names_within(start, top, but=symbol):
                break
            top = start
        return top

    def _belongs(self, start: int, end: int, outside: int) -> bool:
        """Whether the lines there are a comment, a decorator or an attribute of what follows them."""
        masked = self._masked
        if not masked.is_line_of_code(start, outside):
            return False
        if not masked.code[start:end].strip(BLANK):
            not_above = masked.syntax.not_above
            text = masked.text[start:end].lstrip()
            return not (not_above and re.match(not_above, text))
        return skip_attributes(masked, start, end) == end


def skip_attributes(masked: Masked, at: int, end: int) -> int:
    """Behind the comments, decorators and attributes at ``at``."""
    pattern = masked.syntax.attributes
    while True:
        at = masked.skip_blank(at, end)
        found = re.compile(pattern).match(masked.code, at, end) if pattern else None
        if found is None or at >= end:
            return at
        at = logical_end(masked, at, end) if masked.syntax.colon else _behind_brackets(masked, found.end(), end)


def _behind_brackets(masked: Masked, at: int, end: int) -> int:
    """Behind the brackets that belong to an attribute, if there are any."""
    if masked.code[at - 1] == "[":
        at -= 1
    opening = masked.skip_blank(at, end)
    if masked.code[opening : opening + 1] == "<":
        return behind_angles(masked, opening, end)
    if masked.code[opening : opening + 1] in ("(", "["):
        closing = masked.partner(opening)
        return closing + 1 if closing is not None and closing < end else end
    return at


def behind_angles(masked: Masked, at: int, end: int) -> int:
    depth = 0
    while at < end:
        partner = masked.partner(at) if masked.code[at] in "([{" else None
        depth += (masked.code[at] == "<") - (masked.code[at] == ">" and masked.code[at - 1] not in "-=")
        at = at + 1 if partner is None else partner + 1
        if depth == 0:
            return at
    return end


def _statement_end(masked: Masked, at: int) -> int:
    """The end of the statement that goes on at ``at``, without its mark."""
    code = masked.code
    if masked.syntax.block == "indent":
        return masked.skip_blank_back(logical_end(masked, at, len(code)), at)
    while at < len(code):
        if code[at] in ";,)]}" or (code[at] == "\n" and masked.syntax.ends_with_line):
            break
        closing = masked.partner(at) if code[at] in "([{" else None
        if closing is not None and code[at] == "{":
            return closing + 1
        at = at + 1 if closing is None else closing + 1
    return masked.skip_blank_back(at, 0)


def _siblings(tree: Sequence[Symbol], wanted: Symbol) -> Sequence[Symbol]:
    if any(each is wanted for each in tree):
        return tree
    return next((found for each in tree if (found := _siblings(each.children, wanted))), ())

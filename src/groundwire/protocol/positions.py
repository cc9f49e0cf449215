"""1-based characters as people count them ↔ 0-based units of utf-8, utf-16 or utf-32 as the wire counts them.

A character is a Unicode code point. Lines end at ``\\n``, ``\\r\\n`` and ``\\r`` only, as LSP rules; a form feed or
U+2028 does not end one.

Above: ``edits``, ``workspace``, ``client``. Below: ``lsp``.
"""

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import Literal

from groundwire.protocol.lsp import Position, Range

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]

_ONE_MORE = (1).__add__


class Lines:
    """A text that can be asked for its lines and positions. Lines are numbered from 0 here, as on the wire."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        # Same length, one kind of ending: then splitting, which is much faster than searching, finds every start.
        flat = self.text.replace("\r\n", " \n").replace("\r", "\n")
        starts = [0, *accumulate(map(_ONE_MORE, map(len, flat.split("\n"))))]
        return starts[:-1]

    @property
    def line_count(self) -> int:
        """At least one; a text that ends in a line ending has an empty last line."""
        return len(self._starts)

    def line(self, number: int) -> str:
        """The text of a line without its ending."""
        if not 0 <= number < self.line_count:
            raise IndexError(f"line {number} of a text of {self.line_count} lines")
        start, end = self._bounds(number)
        return self.text[start:end]

    def offset(self, position: Position, encoding: PositionEncoding) -> int:
        """Characters before ``position``. Past the line means its end, past the text the end of that; inside a
        character means its start."""
        if position.line >= self.line_count:
            return len(self.text)
        if position.line < 0:
            return 0
        start, end = self._bounds(position.line)
        return start + _characters(self.text[start:end], position.character, encoding)

    def position(self, offset: int, encoding: PositionEncoding) -> Position:
        """The position before the character at ``offset``; between ``\\r`` and ``\\n`` it is the end of the line."""
        offset = min(max(offset, 0), len(self.text))
        number = bisect_right(self._starts, offset) - 1
        start, end = self._bounds(number)
        return Position(number, _units(self.text[start : min(offset, end)], encoding))

    def range(self, start: int, end: int, encoding: PositionEncoding) -> Range:
        """The range between two offsets."""
        return Range(self.position(start, encoding), self.position(end, encoding))

    def to_wire(self, line: int, column: int, encoding: PositionEncoding) -> Position:
        """From line and column as people count them, both from 1. Clamps as ``offset`` does."""
        return self.position(self.offset(Position(line - 1, column - 1), "utf-32"), encoding)

    def to_human(self, position: Position, encoding: PositionEncoding) -> tuple[int, int]:
        """Line and column as people count them, both from 1."""
        if 0 <= position.line < self.line_count:
            start, end = self._bounds(position.line)
            return position.line + 1, _characters(self.text[start:end], position.character, encoding) + 1
        human = self.position(self.offset(position, encoding), "utf-32")
        return human.line + 1, human.character + 1

    def span_to_human(self, where: Range, encoding: PositionEncoding) -> tuple[int, int, int, int, str]:
        """Both ends as ``to_human`` gives them and the line where it begins, which is cut out only once."""
        first, last = where.start, where.end
        if not 0 <= first.line < self.line_count:
            return *self.to_human(first, encoding), *self.to_human(last, encoding), ""
        start, end = self._bounds(first.line)
        line, number = self.text[start:end], first.line + 1
        column = _characters(line, first.character, encoding) + 1
        if last.line != first.line:
            return number, column, *self.to_human(last, encoding), line
        return number, column, number, _characters(line, last.character, encoding) + 1, line

    def _bounds(self, number: int) -> tuple[int, int]:
        start = self._starts[number]
        if number + 1 == len(self._starts):
            return start, len(self.text)
        end = self._starts[number + 1] - 1
        if self.text[end] == "\n" and end > start and self.text[end - 1] == "\r":
            end -= 1
        return start, end


def position_in(text: str, offset: int, encoding: PositionEncoding) -> Position:
    """As ``Lines(text).position``, for a single question: the text is searched, not split, which is much faster."""
    if "\r" not in text:  # nearly always, and counting what is not there takes as long as counting lines
        start = text.rfind("\n", 0, offset) + 1
        return Position(text.count("\n", 0, start), _units(text[start:offset], encoding))
    if text[offset - 1 : offset + 1] == "\r\n" and offset:
        offset -= 1
    returns = text.count("\r", 0, offset)
    line = text.count("\n", 0, offset) + (returns - text.count("\r\n", 0, offset) if returns else 0)
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    return Position(line, _units(text[start:offset], encoding))


def range_in(text: str, start: int, end: int, encoding: PositionEncoding) -> Range:
    """As ``Lines(text).range``, for a single question."""
    first, inside = position_in(text, start, encoding), text[start:end]
    if "\n" in inside or "\r" in inside:
        return Range(first, position_in(text, end, encoding))
    return Range(first, Position(first.line, first.character + _units(inside, encoding)))


def _units(text: str, encoding: PositionEncoding) -> int:
    """How many units ``text`` takes. Surrogates stand for bytes that were no text; they must not stop us."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _characters(line: str, units: int, encoding: PositionEncoding) -> int:
    """How many whole characters of ``line`` fit into ``units``."""
    if units <= 0:
        return 0
    if encoding == "utf-32" or line.isascii():
        return min(units, len(line))
    if encoding == "utf-8":
        data = line.encode("utf-8", "surrogatepass")
        while units < len(data) and data[units] & 0xC0 == 0x80:
            units -= 1
        return len(data[:units].decode("utf-8", "surrogatepass"))
    data = line.encode("utf-16-le", "surrogatepass")
    if _splits_a_pair(data, 2 * units):
        units -= 1
    return len(data[: 2 * units].decode("utf-16-le", "surrogatepass"))


def _splits_a_pair(data: bytes, cut: int) -> bool:
    """Whether ``cut`` lies between the two halves of a surrogate pair (little endian, so the high byte is second)."""
    return cut < len(data) and data[cut + 1] & 0xFC == 0xDC and data[cut - 1] & 0xFC == 0xD8

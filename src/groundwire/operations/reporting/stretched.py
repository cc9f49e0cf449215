"""Symbols with the whole of what they are declared by: of a variable some servers tell only where its name is, and of a
type of functions that it is a function.

Pure, and by the text. Above: ``indirect``. Below: ``protocol.symbol_tree``.
"""

import re
from collections.abc import Sequence

import msgspec

from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.positions import Lines, PositionEncoding
from groundwire.protocol.symbol_tree import Symbol

_VALUES = frozenset({7, 8, 13, 14})
"""Property, field, variable, constant, by LSP's numbers."""
_STRING = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|(?<!\S)#.*|//.*")
_GIVEN = re.compile(r"[\w\s,.*()\[\]]*(?::[^=]*)?=(?![=>])")
"""What may stand between a name and its value."""
_FUNCTION, _STRUCT = 12, 23
_TYPE_OF_FUNCTIONS = re.compile(r"\s*(?:\[[^\]\n]*\]\s*)?=?\s*func\b")
"""What stands behind the name of such a type, and never behind that of a function."""
_MOST_LINES = 2_000
_LONGEST = 300


def stretched(lines: Lines, symbols: Sequence[Symbol], encoding: PositionEncoding) -> tuple[Symbol, ...]:
    """Each of them, and what is in it, up to the end of its value."""
    return tuple(_stretched(lines, each, encoding) for each in symbols)


def _stretched(lines: Lines, symbol: Symbol, encoding: PositionEncoding) -> Symbol:
    if symbol.children:
        symbol = msgspec.structs.replace(symbol, children=stretched(lines, symbol.children, encoding))
    if symbol.kind == _FUNCTION and _TYPE_OF_FUNCTIONS.match(_behind(lines, symbol, encoding)):
        return msgspec.structs.replace(symbol, kind=_STRUCT)
    if symbol.kind not in _VALUES or symbol.range != symbol.selection:
        return symbol
    if not _GIVEN.match(_behind(lines, symbol, encoding)):
        return symbol
    end = _last_line(lines, symbol.range.end.line)
    behind = lines.offset(Position(end, 0), encoding) + len(lines.line(end))
    return msgspec.structs.replace(symbol, range=Range(symbol.range.start, lines.position(behind, encoding)))


def _behind(lines: Lines, symbol: Symbol, encoding: PositionEncoding) -> str:
    """What stands behind its name on that line."""
    place = symbol.selection.end
    start = lines.offset(Position(place.line, 0), encoding)
    return lines.line(place.line)[lines.offset(place, encoding) - start :][:_LONGEST]


def _last_line(lines: Lines, number: int) -> int:
    """The line on which all brackets are closed that open from this one on."""
    depth = 0
    for here in range(number, min(number + _MOST_LINES, lines.line_count)):
        code = _STRING.sub("", lines.line(here))
        depth += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
        if depth <= 0 and not code.rstrip().endswith("\\"):
            return here
    return number

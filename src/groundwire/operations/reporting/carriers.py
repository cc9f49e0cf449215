"""Through what a change goes on to those who do not name it: a function whose result is not written down has the type
of what it returns, a variable or an attribute that of its value, a class what it inherits.

Pure, and by the text: it may take more for a carrier than is one, never less that it knows of.
Above: ``indirect``, ``dependents``. Below: ``given_values``, ``decided``, ``protocol``.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from groundwire.operations.reporting.decided import depending_on, given_at, renamed_at
from groundwire.operations.reporting.given_values import values_from
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.positions import Lines, PositionEncoding
from groundwire.protocol.symbol_tree import Symbol, walk

_FUNCTIONS = frozenset({6, 9, 12})
"""Method, constructor and function, by LSP's numbers."""
_CONSTRUCTOR = 9
_VALUES = frozenset({7, 8, 13, 14})
"""Property, field, variable, constant."""

_TYPES = frozenset({5, 10, 11, 19, 23})
"""Class, enum, interface, object and struct."""

_WRITTEN_VALUE = re.compile(r"\s*[?!]?\s*:(?![=:]|\s*(?:#.*)?$)", re.MULTILINE)
"""Not the end of ``with f() as x:``."""
_WRITTEN_BEHIND = re.compile(r"[ \t]*:(?!=)|[ \t]+[^\s=:;,()]")
"""``var x int = f()``, ``static X: T = f()``; what stands before the name may as well say that it is inferred."""
_CLOSING = {"(": ")", "[": "]", "<": ">", "{": "}"}
_INTRODUCED = re.compile(r"\b(?:def|defp|fn|fun|func|function|init|proc|sub)\b")
_LONGEST_SIGNATURE = 4_000
_FAR_BEHIND = 20
"""Characters: as far behind a name its parenthesis may open."""

_MAKERS = frozenset({"__init__", "constructor"})
"""Functions whose result is what they are in."""


class Carrier(NamedTuple):
    """A name whose uses may see the change. ``is_type``: what it names is a type, which signatures mention.

    ``only_heirs``: of its uses, only types that are made from it may see it.
    """

    position: Position
    is_type: bool
    only_heirs: bool = False


class Source(NamedTuple):
    """A text, its symbols and how its language writes types: see ``result_marks`` and ``result_words`` of it."""

    lines: Lines
    symbols: Sequence[Symbol]
    encoding: PositionEncoding
    marks: tuple[str, ...] | None
    words: tuple[str, ...]
    is_structural: bool = False
    """A type is what it has: who asks for an interface takes whatever has its members."""
    has_overloads: bool = True
    """What a call gives may depend on what it is given."""


def carriers_of(source: Source, use: Range, *, is_type: bool, only_heirs: bool = False) -> Iterator[Carrier]:
    """Those that a use of something changed goes on through. ``is_type``: what is used there is a type."""
    chain = [each for each in _around(source.symbols, use.start) if not _holds(each.selection, use.start)]
    if (renamed := _renamed(source, use)) is not None:
        yield Carrier(renamed, is_type, only_heirs)
    if only_heirs:
        if chain and chain[-1].kind in _TYPES:
            yield _carrier(source, chain[-1])._replace(only_heirs=True)
        return
    functions = [number for number, each in enumerate(chain) if each.kind in _FUNCTIONS]
    if functions:
        yield from _through_function(source, chain[: functions[0] + 1], use, is_type=is_type)
        return
    for each in _innermost(source, chain, use):
        if is_type or each.kind not in _VALUES or not _is_written_value(source, each):
            yield _carrier(source, each)
    if all(each.kind in _VALUES for each in chain) and not _is_name(source.symbols, use.start):
        yield from _decided(source, use, is_within=bool(chain))


def _innermost(source: Source, chain: Sequence[Symbol], use: Range) -> list[Symbol]:
    """What a use is in; several where one statement gives several their values."""
    if not chain or chain[-1].kind not in _VALUES:
        return list(chain[-1:])
    beside = chain[-2].children if len(chain) > 1 else source.symbols
    return [each for each in beside if each.kind in _VALUES and _holds(each.range, use.start)]


def _renamed(source: Source, use: Range) -> Position | None:
    place = renamed_at(source.lines, use.start.line, _column(source, use.start))
    return _position(source, *place) if place is not None else None


def _decided(source: Source, use: Range, *, is_within: bool) -> Iterator[Carrier]:
    """What else a use goes on through that is in no function or type. Of what type that is nobody knows."""
    if source.marks is None:
        return
    scopes = (each.range for each in source.symbols if each.kind in _FUNCTIONS | _TYPES)
    inner = [range(each.start.line + 1, each.end.line + 1) for each in scopes]
    places = [] if is_within else [*given_at(source.lines, use.start.line)]
    for place in dict.fromkeys((*places, *depending_on(source.lines, use.start.line, inner))):
        yield Carrier(_position(source, *place), is_type=True)


def _is_name(symbols: Sequence[Symbol], place: Position) -> bool:
    return any(_holds(each.selection, place) for each in symbols)


def _column(source: Source, place: Position) -> int:
    line = Position(place.line, 0)
    return source.lines.offset(place, source.encoding) - source.lines.offset(line, source.encoding)


def _position(source: Source, line: int, column: int) -> Position:
    start = source.lines.offset(Position(line, 0), source.encoding)
    return source.lines.position(start + column, source.encoding)


def touched_carriers(
    source: Source, touched: Sequence[Symbol], lines: Collection[int]
) -> Iterator[tuple[Symbol, bool]]:
    """Of the symbols whose own lines changed, each with whether others may see that in the type of what uses it."""
    for symbol in touched:
        if symbol.kind not in _FUNCTIONS:
            yield symbol, True
            continue
        header = range(symbol.range.start.line, _header_end(source, symbol) + 1)
        yield symbol, not _is_written(source, symbol) or any(number in header for number in lines)


def keeps_result(source: Source, function: Symbol, lines: Collection[int], before: str) -> bool:
    """Whether its calls give what they gave: of what stands before its body only the parameters are others."""
    if source.has_overloads or function.kind not in _FUNCTIONS:
        return False
    start = source.lines.offset(function.selection.start, source.encoding)
    name = re.compile(rf"\b{re.escape(function.path[-1])}\s*\(")
    found = name.match(source.lines.text, start)
    frame = _frame(source.lines.text, found.end() - 1) if found is not None else None
    if frame is None or not frame.behind.rstrip().endswith("{"):  # its result may go on behind that line
        return False
    last = source.lines.position(_behind_parameters(source, function), source.encoding).line
    header = range(function.range.start.line, _header_end(source, function) + 1)
    if any(number in header and not function.selection.start.line <= number <= last for number in lines):
        return False
    earlier = [_frame(before, each.end() - 1) for each in name.finditer(before)]
    alike = [each for each in earlier if each is not None and each.before == frame.before]
    return bool(alike) and all(each == frame for each in alike)  # one of several may stand in a comment


def is_another(source: Source, function: Symbol, lines: Collection[int]) -> bool:
    """Whether servers may take it for another function than before: they tell those of one name by their parameters.

    So it is in languages that write the type of the result before the name.
    """
    if source.is_structural or not source.has_overloads or function.kind not in _FUNCTIONS:
        return False
    start = source.lines.offset(function.range.start, source.encoding)
    name = source.lines.offset(function.selection.start, source.encoding)
    header = range(function.range.start.line, _header_end(source, function) + 1)
    return any(number in header for number in lines) and not _INTRODUCED.search(source.lines.text[start:name])


class _Frame(NamedTuple):
    """What stands on the lines of parameters besides them."""

    before: str
    behind: str


def _frame(text: str, opened: int) -> _Frame | None:
    closed = _behind_closing(text, opened, min(len(text), opened + _LONGEST_SIGNATURE))
    if closed is None:
        return None
    end = text.find("\n", closed)
    return _Frame(text[text.rfind("\n", 0, opened) + 1 : opened], text[closed : end if end >= 0 else len(text)])


def owners_of(source: Source, members: Iterable[Symbol]) -> Iterator[Carrier]:
    """The types that these belong to, which are others now: where they go by name, only for those made from them."""
    only_heirs = not source.is_structural
    types = {each.path: each for each in walk(source.symbols) if each.kind in _TYPES}
    for member in members:
        owner = types.get(member.path[:-1])
        if owner is not None:
            yield _carrier(source, owner)._replace(only_heirs=only_heirs)
        elif len(member.path) > 1 and (place := _mentioned(source, member, member.path[-2])):
            yield Carrier(place, is_type=True, only_heirs=only_heirs)


def losers_of(source: Source, lost: Iterable[tuple[int, Collection[str]]]) -> Iterator[Carrier]:
    """The types that have lost a member: those that stand round a line or are among the words that were there."""
    only_heirs = not source.is_structural
    types = [each for each in walk(source.symbols) if each.kind in _TYPES]
    for line, words in lost:
        for each in types:
            if _is_in_or_behind(source, each, line) or each.path[-1] in words:
                yield _carrier(source, each)._replace(only_heirs=only_heirs)


def _is_in_or_behind(source: Source, type_: Symbol, line: int) -> bool:
    """Where indentation tells what belongs together, a type that loses its last member ends before it."""
    between = range(type_.range.end.line + 1, min(line, source.lines.line_count))
    return type_.range.start.line < line and not any(source.lines.line(number).strip() for number in between)


def _mentioned(source: Source, member: Symbol, name: str) -> Position | None:
    """Where a member names what it belongs to, be that in another file."""
    start = source.lines.offset(member.range.start, source.encoding)
    end = source.lines.offset(member.selection.start, source.encoding)
    found = re.search(rf"\b{re.escape(name)}\b", source.lines.text[start:end])
    return source.lines.position(start + found.start(), source.encoding) if found is not None else None


def attributes_at(source: Source, numbers: Collection[int], before: str = "") -> Iterator[Carrier]:
    """Attributes that are given a value on these lines, or what these give a name to; ``before``: the text that was.

    Where types are always written down none matters.
    """
    if source.marks is None:
        return
    for number in sorted(numbers):
        if number < source.lines.line_count:
            chain = _around(source.symbols, Position(number, _indent(source.lines.line(number))))
            owner = next((each for each in chain if each.kind in _FUNCTIONS), None)
            lines = range(owner.range.start.line, owner.range.end.line + 1) if owner else range(number, number + 1)
            for each in values_from(source.lines, lines, number, before):
                yield Carrier(_position(source, *each), is_type=False)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def is_called(source: Source, use: Range) -> bool:
    """Whether a use of a function is a call of it."""
    end = source.lines.offset(use.end, source.encoding)
    return source.lines.text[end : end + _FAR_BEHIND].lstrip(" \t").startswith("(")


def is_type(symbol: Symbol) -> bool:
    """Whether signatures may mention it."""
    return symbol.kind not in _FUNCTIONS and symbol.kind not in (7, 8)


def _through_function(source: Source, chain: Sequence[Symbol], use: Range, *, is_type: bool) -> Iterator[Carrier]:
    owner = chain[-1]
    yield from attributes_at(source, [use.start.line])
    is_mentioned = is_type and use.start.line <= _header_end(source, owner)
    is_mentioned |= use.start < owner.selection.start  # what decorates it decides what it is
    if is_mentioned or not _is_written(source, owner):
        yield from (_carrier(source, each) for each in chain if each is owner or each.kind in _VALUES)


def _carrier(source: Source, symbol: Symbol) -> Carrier:
    """Some servers tell only where the whole begins."""
    start = source.lines.offset(symbol.selection.start, source.encoding)
    name = symbol.path[-1] if symbol.path else symbol.name
    if not source.lines.text.startswith(name, start):
        found = source.lines.text.find(name, start, source.lines.offset(symbol.range.end, source.encoding))
        start = found if found >= 0 else start
    return Carrier(source.lines.position(start, source.encoding), is_type(symbol))


def _around(symbols: Sequence[Symbol], place: Position) -> list[Symbol]:
    """The symbols that hold a place, the outermost first."""
    chain: list[Symbol] = []
    while True:
        holding = [each for each in symbols if _holds(each.range, place)]
        if not holding:
            return chain
        chain.append(min(holding, key=lambda each: each.range.end.line - each.range.start.line))
        symbols = chain[-1].children


def _holds(range_: Range, place: Position) -> bool:
    return range_.start <= place <= range_.end


def _is_written(source: Source, function: Symbol) -> bool:
    """Whether what the function gives is known without a look into it."""
    if source.marks is None or function.kind == _CONSTRUCTOR or function.name in _MAKERS:
        return True
    text = source.lines.text
    end = source.lines.offset(function.range.end, source.encoding)
    start = _behind_parameters(source, function)
    if source.words and not any(word in text[start:end] for word in source.words):
        return True
    return bool(source.marks) and text[start : start + _LONGEST_SIGNATURE].lstrip().startswith(source.marks)


def _is_written_value(source: Source, value: Symbol) -> bool:
    end = source.lines.offset(value.selection.end, source.encoding)
    written = _WRITTEN_VALUE if source.marks is not None else _WRITTEN_BEHIND
    return written.match(source.lines.text, end) is not None


def _header_end(source: Source, function: Symbol) -> int:
    """The last line of what stands before the body."""
    offset = _behind_parameters(source, function)
    number, last = source.lines.position(offset, source.encoding).line, function.range.end.line
    while number < last and not re.search(r"\{|=>|;|:\s*(?:#.*)?$", source.lines.line(number)):
        number += 1
    return number


def _behind_parameters(source: Source, function: Symbol) -> int:
    """Just behind the parenthesis that closes the parameters; behind the name where there are none."""
    text = source.lines.text
    start = source.lines.offset(function.selection.start, source.encoding)
    end = min(source.lines.offset(function.range.end, source.encoding), start + _LONGEST_SIGNATURE)
    opened = text.find("(", start, end)
    if opened < 0:
        return source.lines.offset(function.selection.end, source.encoding)
    closed = _behind_closing(text, opened, end)
    return opened if closed is None else closed


def _behind_closing(text: str, opened: int, end: int) -> int | None:
    """Just behind what closes a parenthesis; None where nothing does before the end."""
    expected: list[str] = []
    for offset in range(opened, end):
        if text[offset] in "([{":
            expected.append(_CLOSING[text[offset]])
        elif expected and text[offset] == expected[-1]:
            expected.pop()
            if not expected:
                return offset + 1
    return None

"""Which attributes, and names of the module, a function gives a value that comes from one of its lines: there, or by
way of names it gives first.

Pure, and by the text. Above: ``carriers``. Below: ``protocol.positions``.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.protocol.positions import Lines

_OBJECT = r"\b(?:self|cls|this)\s*\.\s*"
_ATTRIBUTE = re.compile(rf"{_OBJECT}(\w+)")
_TARGETS = re.compile(r"(?P<left>[^=!<>()]*?[^=!<>:+\-*/%&|^\s])\s*(?::[^=]*)?[+\-*/%&|^:]?=(?![=>])")
"""What stands before the sign that gives it a value."""
_DECLARED = re.compile(rf"\s*{_OBJECT}\w+\s*:[^=]*$")
_LOOPED = re.compile(r"\bfor\s+(?P<left>[\w\s,.()\[\]*]+?)(?=\s+(?:in|of)\b)")
_NAMED = re.compile(r"\bas\s+(?P<left>\([^)\n]*\)|[\w.\[\]*]+)(?=\s*[:,)])")
_WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")
_GLOBAL = re.compile(r"\s*global\s+([\w\s,]+)")
_PARAMETER = re.compile(r"(?<![\w.])([^\W\d]\w*)\s*(?:[?]?:[^,)\n]*)?(?:=[^,)\n]*)?")
_NO_NAMES = frozenset({"const", "let", "var", "self", "this", "cls"})
_UNFINISHED = ("(", "[", "{", ",", "=", "+", ".", "\\", "&&", "||", "?", "=>")
_HEADER_END = re.compile(r"[:{]\s*(?:#.*|//.*)?$")
_MOST_LINES = 2_000
_LONGEST = 300
"""Characters: so far into a line what it gives a value is looked for."""


class Place(NamedTuple):
    """0-based; ``column`` in characters."""

    line: int
    column: int


def values_from(lines: Lines, function: Sequence[int], number: int, before: str = "") -> Iterator[Place]:
    """These, by their names. ``function``: its lines; ``before``: the text in which they were others."""
    own = _statement(lines, number, function[0])
    names = {name for each in own for name in _named_on(lines.line(each))}
    if _is_header(lines, function, number):
        names |= _new_parameters(lines.line(number), before)
    texts = {each: lines.line(each) for each in function[:_MOST_LINES]}
    shared = frozenset(name for text in texts.values() for name in _made_global(text))
    names |= _made_global(lines.line(number))
    places = {place for each in own for place in _attributes(lines, each, shared)}
    is_more = bool(names)
    while is_more:
        pattern = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        heads = {
            head
            for each, text in texts.items()
            if pattern.search(text)
            for head in _statement(lines, each, function[0])
        }
        found = {name for each in heads for name in _named_on(texts.get(each, ""))}
        places |= {place for each in heads for place in _attributes(lines, each, shared)}
        is_more = not found <= names
        names |= found
    yield from sorted(places)


def _made_global(line: str) -> set[str]:
    found = _GLOBAL.match(line)
    return set(_WORD.findall(found[1])) if found is not None else set()


def _attributes(lines: Lines, number: int, shared: frozenset[str]) -> Iterator[Place]:
    line = lines.line(number)
    for start, left in lefts(line):
        yield from (Place(number, start + word.start()) for word in _WORD.finditer(left) if word[0] in shared)
        for found in _ATTRIBUTE.finditer(left):
            if not left[found.end() :].lstrip().startswith((".", "(", "[")):
                yield Place(number, start + found.start(1))


def _named_on(line: str) -> set[str]:
    """The names of its own that a line gives a value."""
    words = {word for _, left in lefts(line) for word in _WORD.findall(left)}
    return words - _NO_NAMES


def lefts(line: str) -> Iterator[tuple[int, str]]:
    """What a line gives a value, each with the column where it begins."""
    line = line[:_LONGEST]
    if found := _TARGETS.match(line):
        yield 0, found["left"]
    elif _DECLARED.match(line):
        yield 0, line
    for found in (*_LOOPED.finditer(line), *_NAMED.finditer(line)):
        yield found.start("left"), found["left"]


def _statement(lines: Lines, number: int, first: int) -> list[int]:
    """The lines of what stands on a line, upwards as far as those above it do not end there."""
    numbers, here = [number], number
    while here > first and lines.line(here - 1).rstrip().endswith(_UNFINISHED) and len(numbers) < _MOST_LINES:
        here -= 1
        numbers.append(here)
    return numbers


def _is_header(lines: Lines, function: Sequence[int], number: int) -> bool:
    end = next((each for each in function if _HEADER_END.search(lines.line(each))), function[0])
    return number <= end


def _new_parameters(line: str, before: str) -> set[str]:
    """Those that were not there, or otherwise."""
    found = ((each[1], each[0].strip()) for each in _PARAMETER.finditer(line[:_LONGEST]))
    return {name for name, whole in found if whole not in before} - _NO_NAMES

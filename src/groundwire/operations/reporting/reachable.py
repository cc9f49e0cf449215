"""Lines that an edit left as they were, and that are perhaps reached only now, or no longer: what stands in a module or
a class below a condition, in a module that ends before its end, behind what ends a function.

Pure, and by the text of languages that go by indentation. Above: ``touched``. Below: ``declared_names``.
"""

import re
from collections.abc import Sequence

from groundwire.operations.text.declared_names import DeclaringText, indent_of
from groundwire.workspace.difference import Gap

_CONDITION = re.compile(r"\s*(?:if|elif|else|for|while|try|except|finally|with|match|case)\b.*:\s*(?:#.*)?\Z")
_HEAD = re.compile(r"\s*(?:async\s+)?(?:if|elif|for|while|try|with|match|case)\b")
_CONTINUED = re.compile(r"\s*(?:(?:elif|else|except|finally)\b|\))")
_END = re.compile(
    r"\s*(?:return|raise|(?:sys\.|os\.)?_?exit\s*\(|quit\s*\(|assert\s+(?:False|0)\b)(?![^\n]*[;{}]\s*\Z)"
)

Span = tuple[int, int]
"""Lines, from and to."""


def otherwise_reached(before: str, after: str, gaps: Sequence[Gap]) -> frozenset[int]:
    """The numbers of such lines in the old text."""
    old, new = DeclaringText(before), DeclaringText(after)
    places = _old_places(gaps, len(old.lines), len(new.lines))
    was, now = _flow(old), _flow(new)
    there = {number: places[number] for number in now if places.get(number) in was}
    kept = {place for number, place in there.items() if old.is_in_function(place) == new.is_in_function(number)}
    gone = (number for head, span in was.items() if head not in kept for number in range(*span))
    come = (number for head, span in now.items() if places.get(head) not in kept for number in range(*span))
    return frozenset({*gone, *(places[number] for number in come if number in places)})


def lines_depending(text: DeclaringText, number: int) -> range:
    """The lines that depend on the condition whose head stands on a line: all where it may end the module."""
    if not _HEAD.match(text.lines[number]):
        return range(0)
    end = _end_of_block(text, number)
    may_end = any(_END.match(text.lines[each]) for each in range(number + 1, end))
    return range(len(text.lines)) if may_end else range(number + 1, end)


def _flow(text: DeclaringText) -> dict[int, Span]:
    """The conditions that are in no function, and ends, each with the lines that depend on it."""
    return {number: span for number, line in enumerate(text.lines) if (span := _span(text, number, line)) is not None}


def _span(text: DeclaringText, number: int, line: str) -> Span | None:
    is_end = _END.match(line) is not None
    if not (is_end or _CONDITION.match(line)) or not text.is_code(number):
        return None
    if text.is_in_function(number):
        return (number + 1, _end_of_lines(text, number)) if is_end else None
    # Of a module that never comes to its end some checkers know nothing, not even what stands above.
    return (0, len(text.lines)) if is_end else (number + 1, _end_of_block(text, number))


def _end_of_lines(text: DeclaringText, number: int) -> int:
    """Behind those that stand below a line and are indented as far: a function's attributes may be given there."""
    indent = indent_of(text.lines[number])
    below = filter(text.is_code, range(number + 1, len(text.lines)))
    return next((each for each in below if indent_of(text.lines[each]) < indent), len(text.lines))


def _end_of_block(text: DeclaringText, head: int) -> int:
    """Behind what is indented below a condition, and below those that are its alternatives."""
    indent = indent_of(text.lines[head])
    for number in range(head + 1, len(text.lines)):
        line = text.lines[number]
        is_beyond = indent_of(line) < indent or (indent_of(line) == indent and not _CONTINUED.match(line))
        if text.is_code(number) and is_beyond:
            return number
    return len(text.lines)


def _old_places(gaps: Sequence[Gap], old_lines: int, new_lines: int) -> dict[int, int]:
    """Where the lines of the new text that only moved stood in the old one."""
    places: dict[int, int] = {}
    old_end = new_end = 0
    for start, end, place, place_end in (*gaps, (old_lines, old_lines, new_lines, new_lines)):
        places.update(zip(range(new_end, place), range(old_end, start), strict=False))
        old_end, new_end = end, place_end
    return places

"""Lines that an edit left as they were and yet put elsewhere: into a comment or a string, a class, other brackets.

Pure, and by the text. Above: ``touched``. Below: ``declared_names``.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.operations.text.declared_names import DeclaringText, begins_scope, indent_of
from groundwire.operations.text.imported_names import IMPORTING
from groundwire.workspace.difference import Gap

_STRING = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`[^`]*`|//.*|(?<!\S)#.*")
_MARKS = ('"""', "'''")
_ASIDE = re.compile(r"\s*(?:/\*(?!.*\*/)|#\s*(?:if|ifdef|ifndef|else|elif|endif)\b|(?!.*/\*).*\*/)")
_MACRO = re.compile(r"\s*#\s*define\b")
_END_OF_LIST = re.compile(r"\s*\}\s*from\b")


class Displaced(NamedTuple):
    """Numbers of lines of the old text. Whoever used what is declared there is to be found anew."""

    perhaps: frozenset[int]
    """Their names may be declared as they were."""
    surely: frozenset[int]


def displaced_lines(before: str, after: str, gaps: Sequence[Gap]) -> Displaced:
    """Those outside the gaps that are within something else than they were."""
    old, new = DeclaringText(before), DeclaringText(after)
    surely = {number for start, end in _inside(old, new, gaps) for number in range(start, end)}
    surely.update(number for gap in gaps for number in _macros(old, gap))
    perhaps = {number for gap in gaps for number in _below(old, new, gap)}
    perhaps.update(number for gap in gaps for number in _listed_above(old, gap))
    return Displaced(frozenset(perhaps), frozenset(surely))


def _inside(old: DeclaringText, new: DeclaringText, gaps: Sequence[Gap]) -> Iterator[tuple[int, int]]:
    """From where to where more, or less, is open than was."""
    depth, strings = 0, (0, 0, 0)
    ends = [*(gap[0] for gap in gaps[1:]), len(old.lines)]
    for gap, end in zip(gaps, ends, strict=False):
        was, now = _nesting(old, gap[0], gap[1]), _nesting(new, gap[2], gap[3])
        depth += now[0] - was[0]
        strings = tuple(
            (one + other + before) % 2 for one, other, before in zip(was[1:], now[1:], strings, strict=True)
        )
        if depth or any(strings):
            yield gap[1], end


def _nesting(text: DeclaringText, start: int, end: int) -> tuple[int, ...]:
    """What is open behind these lines and was not before them: brackets, strings, comments."""
    lines = [text.lines[number] for number in range(start, min(end, len(text.lines)))]
    code = [
        _STRING.sub("", line) for line, number in zip(lines, range(start, end), strict=False) if text.is_code(number)
    ]
    brackets = sum(map(_depth, code))
    strings = (sum(line.count(mark) for line in lines) % 2 for mark in _MARKS)
    return brackets, *strings, sum(_ASIDE.match(line) is not None for line in lines) % 2


def _depth(line: str) -> int:
    return sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))


def _below(old: DeclaringText, new: DeclaringText, gap: Gap) -> Iterator[int]:
    """What stands below the head of something that was put there or taken away, or names what a changed one imports."""
    was, now = _head(old, gap[0], gap[1]), _head(new, gap[2], gap[3])
    if was and now and not IMPORTING.match(was):
        return
    for number in range(gap[1], len(old.lines)) if was or now else ():
        line = old.lines[number]
        if line.strip() and indent_of(line) <= indent_of(was or now):
            return
        yield number


def _head(text: DeclaringText, start: int, end: int) -> str:
    """The last of these lines, where the next ones may be within what it begins."""
    code = (text.lines[number] for number in reversed(range(start, min(end, len(text.lines)))) if text.is_code(number))
    last = next(code, "")
    return last if IMPORTING.match(last) or begins_scope(last) else ""


def _listed_above(old: DeclaringText, gap: Gap) -> Iterator[int]:
    """The names of a list that says where they come from at its end."""
    for number in range(gap[0], min(gap[1], len(old.lines))):
        if _END_OF_LIST.match(old.lines[number]):
            above = number - 1
            while above >= 0 and not IMPORTING.match(old.lines[above]):
                yield above
                above -= 1


def _macros(old: DeclaringText, gap: Gap) -> Iterator[int]:
    """The heads of macros of which a later line has changed."""
    for number in range(gap[0], min(max(gap[1], gap[0] + 1), len(old.lines))):
        head = number
        while head > 0 and old.lines[head - 1].rstrip().endswith("\\"):
            head -= 1
        if head < number and _MACRO.match(old.lines[head]):
            yield head

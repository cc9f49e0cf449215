"""What a use decides that stands in no declaration: the other name that an import gives it, what is declared under a
condition, what a loop or a ``with`` names.

Pure, and by the text. Above: ``carriers``. Below: ``declared_names``, ``given_values``,
``reachable``.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from groundwire.operations.reporting.given_values import lefts
from groundwire.operations.reporting.reachable import lines_depending
from groundwire.operations.text.declared_names import DeclaringText
from groundwire.operations.text.imported_names import IMPORTING, WORDS
from groundwire.protocol.positions import Lines

Place = tuple[int, int]
"""A line and a column in characters, 0-based."""

_RENAMED = re.compile(r"\s+as\s+([^\W\d]\w*)")
_ENTRY = re.compile(r"\s*(?:type\s+)?\w+\s+as\s+\w+\s*[,)}]*\s*(?:#.*|//.*)?\Z")
"""One line of a list of imports."""
_ON_ITS_WAY = re.compile(r"([^\W\d]\w*)\s*:=|^\s*case\b(.*):")
_LONGEST_HEAD = 50
_LONGEST = 300
"""Characters: so far into a line names are looked for."""
_NO_NAMES = frozenset({"as", "from", "import", "in", "self", "cls", "True", "False", "None"})


def renamed_at(lines: Lines, line: int, column: int) -> Place | None:
    """Where an import gives what is named there another name: who has it by that one names nothing of the first."""
    text = lines.line(line)
    word = WORDS.match(text, column)
    found = _RENAMED.match(text, word.end()) if word is not None else None
    if found is None or not (IMPORTING.match(text) or _ENTRY.match(text)):
        return None
    return line, found.start(1)


def given_at(lines: Lines, line: int) -> Iterator[Place]:
    """The names that the statement on a line gives a value."""
    text = _declaring(lines.text)
    head = _head(text, line)
    for number in range(head, line + 1) if not IMPORTING.match(text.lines[head]) else ():
        yield from _given(text, number)


def depending_on(lines: Lines, line: int, inner: Sequence[range]) -> Iterator[Place]:
    """The names that mean something else once the condition on a line does. ``inner``: lines of bodies, where nothing
    is declared for others."""
    text = _declaring(lines.text)
    head = _head(text, line)
    bodies = [*inner, range(head, line + 1)]
    for number in lines_depending(text, head):
        if not any(number in each for each in bodies):
            yield from _given(text, number)
            yield from _declared(text, number)


@lru_cache(maxsize=8)
def _declaring(text: str) -> DeclaringText:
    """A file may hold many uses."""
    return DeclaringText(text)


def _head(text: DeclaringText, line: int) -> int:
    """The first line of the statement: the one above with a bracket that is not closed before the line."""
    head, depth = line, 0
    for above in range(line - 1, max(line - _LONGEST_HEAD, 0) - 1, -1):
        code = text.lines[above]
        depth += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
        if depth > 0 or (above == head - 1 and code.endswith("\\")):
            head, depth = above, 0
    return head


def _given(text: DeclaringText, number: int) -> Iterator[Place]:
    """What a statement gives a value."""
    line = text.lines[number][:_LONGEST]
    if IMPORTING.match(line) or not text.is_code(number):
        return
    for start, left in lefts(line):
        yield from _names(number, line, start, start + len(left))
    for found in _ON_ITS_WAY.finditer(line):
        yield from _names(number, line, *found.span(found.lastindex or 0))


def _declared(text: DeclaringText, number: int) -> Iterator[Place]:
    line = text.lines[number]
    if text.imported_at(number):
        start = found.end() if (found := re.match(r".*\bimport\b", line)) else 0
        yield from _names(number, line, start, len(line))
        return
    for name in sorted(text.declared_at(number) - _NO_NAMES):
        if found := re.search(rf"(?<![\w.]){re.escape(name)}\b", line):
            yield number, found.start()


def _names(number: int, line: str, start: int, end: int) -> Iterator[Place]:
    for word in WORDS.finditer(line, start, end):
        if word[0] not in _NO_NAMES and not line.startswith(".", word.end()):
            yield number, word.start()

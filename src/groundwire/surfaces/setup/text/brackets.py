"""Entries between brackets, with commas between them: one added at the end, or taken out with its comma and its line.

Adding and taking out undo each other, byte for byte. Above: ``json_changes``, ``toml_changes``. Below: ``layout``.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from groundwire.surfaces.setup.text.layout import Change, begins_its_line, indentation, line_break_before, newline_of

Write = Callable[[str | None], str]
"""An entry, written with this indentation for its further lines; with None, on one line."""

SPACE = " \t\r\n"
_BLANKS = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Entry:
    """A member of an object, or an element of a list (then ``key`` is empty); ``comma`` is that of after it."""

    key: tuple[str, ...]
    start: int
    value: int
    end: int
    comma: int | None

    @property
    def end_with_comma(self) -> int:
        """After the comma that follows it, if one does."""
        return self.end if self.comma is None else self.comma + 1


@dataclass(frozen=True, slots=True)
class Container:
    """The places of two brackets, and what is between."""

    opening: int
    closing: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Style:
    """How a text is written. ``comment`` has a group for what begins a comment that only the line's end ends."""

    text: str
    unit: str
    comment: str
    gap: str = " "
    may_spread: bool = True
    expands_empty: bool = False

    def interior(self, box: Container) -> str:
        """All that is between the brackets."""
        return self.text[box.opening + 1 : box.closing]

    def is_spread(self, box: Container) -> bool:
        """Whether an entry may have lines of its own there."""
        return self.may_spread and "\n" in self.interior(box)


def addition(style: Style, box: Container, write: Write) -> list[Change]:
    """The entry as the last one."""
    if not box.entries:
        return [_first(style, box, write)]
    last = box.entries[-1]
    spot = _after_comments(style, last.end_with_comma)
    comma = [Change(last.end, last.end, ",")] if last.comma is None else []
    closing = "" if last.comma is None else ","
    if not style.is_spread(box):
        return [*comma, Change(spot, spot, style.gap + write(None) + closing)]
    own_line = begins_its_line(style.text, last.start)
    indent = indentation(style.text, last.start if own_line else box.opening) + ("" if own_line else style.unit)
    return [*comma, Change(spot, spot, newline_of(style.text) + indent + write(indent) + closing)]


def removal(style: Style, box: Container, entry: Entry) -> list[Change]:
    """The entry taken out."""
    at = box.entries.index(entry)
    if len(box.entries) == 1:
        before = style.text[box.opening + 1 : entry.start]
        after = style.text[entry.end_with_comma : box.closing]
        if not (before + after).strip(SPACE):
            return [Change(box.opening + 1, box.closing, _left_of_empty(before, after))]
    comma = box.entries[at - 1].comma if at > 0 else None
    trivia = box.opening + 1 if comma is None else comma + 1
    cut = _cut(style, box, entry, trivia)
    if entry.comma is None and comma is not None:
        return [Change(comma, comma + 1, ""), cut]
    return [cut]


def _first(style: Style, box: Container, write: Write) -> Change:
    newline = newline_of(style.text)
    base = indentation(style.text, box.opening)
    indent = base + style.unit
    interior = style.interior(box)
    if interior.strip(SPACE):
        spot = box.opening + 1 + len(interior.rstrip(SPACE))
        written = newline + indent + write(indent) if style.is_spread(box) else " " + write(None)
        return Change(spot, spot, written)
    if style.is_spread(box) or (style.expands_empty and not interior):
        closing = newline if interior else newline + base
        return Change(box.opening + 1, box.opening + 1, newline + indent + write(indent) + closing)
    return Change(box.closing, box.closing, write(None) + interior)


def _left_of_empty(before: str, after: str) -> str:
    """What ``_first`` found between the brackets: it put a line of its own before a line end that was there."""
    if "\n" not in before:
        return before
    rest = after.partition("\n")[2]
    return rest if "\n" in rest else ""


def _cut(style: Style, box: Container, entry: Entry, trivia: int) -> Change:
    """``trivia`` is where the space and the comments before the entry begin."""
    text, end = style.text, entry.end_with_comma
    blanks = _BLANKS.match(text, end)
    after = end if blanks is None else blanks.end()
    ends_line = text.startswith(("\n", "\r\n"), after)
    before = text[trivia : entry.start]
    if begins_its_line(text, entry.start):
        if ends_line or (after == box.closing and not _ends_in_line_comment(style, before)):
            return Change(max(line_break_before(text, entry.start), trivia), end, "")
        return Change(entry.start, end if after == box.closing else after, "")
    if ends_line or after == box.closing:
        return Change(trivia + len(before.rstrip(" \t")), end, "")
    return Change(entry.start, after, "")


def _ends_in_line_comment(style: Style, trivia: str) -> bool:
    comments = list(re.finditer(style.comment, trivia, re.DOTALL))
    return bool(comments) and comments[-1].group(1) is not None


def _after_comments(style: Style, at: int) -> int:
    found = re.compile(rf"(?:[ \t]*(?:{style.comment}))*", re.DOTALL).match(style.text, at)
    return at if found is None else found.end()

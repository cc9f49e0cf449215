"""The head of a SKILL.md: the little of YAML that skills are written in. Anything else is refused, with its place.

Understood are words, quoted texts, true and false, lists (in brackets, or by dashes), and members, nested by indents.
Above: ``skills``. Below: nothing.
"""

import json
import re
from typing import NamedTuple, TypeAlias, cast

from groundwire.errors import InvalidArgument

Value: TypeAlias = "str | bool | list[Value] | dict[str, Value]"

_FENCE = "---"
_MEMBER = re.compile(r"(?P<key>[A-Za-z][\w-]*):(?:\s+(?P<value>\S.*))?")
_OTHER_YAML = ("{", "&", "*", "!", "|", ">", "%", "@", "`", "?", "#")
"""What begins with one of these means something in YAML that is not understood here."""
_WORDS = {"true": True, "false": False}


class FrontMatter(NamedTuple):
    """What the head says, and the text below it."""

    members: dict[str, Value]
    body: str


class _Line(NamedTuple):
    number: int
    indent: int
    text: str


def parse_front_matter(text: str, place: str) -> FrontMatter:
    """Raises InvalidArgument that names the file and the line; ``place`` is how the file is called there."""
    lines = text.split("\n")
    if lines[0].rstrip() != _FENCE:
        raise _refused(place, 1, f"the file does not begin with {_FENCE}")
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), 0)
    if not end:
        raise _refused(place, len(lines), f"no {_FENCE} ends the head")
    members = _Head(_lines(lines[1:end], place), place).read()
    return FrontMatter(members, "\n".join(lines[end + 1 :]).strip("\n") + "\n")


def _lines(head: list[str], place: str) -> list[_Line]:
    kept: list[_Line] = []
    for number, line in enumerate(head, 2):
        text = line.strip()
        if "\t" in line:
            raise _refused(place, number, "a tab")
        if text and not text.startswith("#"):
            kept.append(_Line(number, len(line) - len(line.lstrip()), text))
    return kept


class _Head:
    """Read from the top down, a line at a time."""

    def __init__(self, lines: list[_Line], place: str) -> None:
        self._lines = lines
        self._place = place
        self._at = 0

    def read(self) -> dict[str, Value]:
        members = self._members(0)
        if self._next is not None:
            raise self._refuse(self._next, "the indentation fits nothing above")
        return members

    @property
    def _next(self) -> _Line | None:
        return self._lines[self._at] if self._at < len(self._lines) else None

    def _members(self, indent: int) -> dict[str, Value]:
        members: dict[str, Value] = {}
        while (line := self._next) is not None and line.indent == indent and not _is_item(line.text):
            found = _MEMBER.fullmatch(line.text)
            if found is None:
                raise self._refuse(line, "neither a member (name: value) nor an item of a list")
            if found["key"] in members:
                raise self._refuse(line, f"{found['key']} is there twice")
            self._at += 1
            value = found["value"]
            members[found["key"]] = self._below(line) if value is None else self._value(value, line)
        return members

    def _below(self, above: _Line) -> Value:
        line = self._next
        if line is not None and _is_item(line.text) and line.indent >= above.indent:
            return self._items(line.indent)
        if line is None or line.indent <= above.indent:
            raise self._refuse(above, "a name without a value")
        return cast("Value", self._members(line.indent))

    def _items(self, indent: int) -> list[Value]:
        items: list[Value] = []
        while (line := self._next) is not None and line.indent == indent and _is_item(line.text):
            inner = line.text[1:].lstrip()
            if not inner:
                raise self._refuse(line, "an item without a value")
            if _MEMBER.fullmatch(inner):
                within = indent + len(line.text) - len(inner)
                self._lines[self._at] = _Line(line.number, within, inner)
                items.append(self._members(within))
            else:
                self._at += 1
                items.append(self._value(inner, line))
        return items

    def _value(self, text: str, line: _Line) -> Value:
        if not text.startswith("["):
            return self._scalar(text, line)
        if not text.endswith("]"):
            raise self._refuse(line, "a list that does not end on its line")
        inner = text[1:-1].strip()
        return [self._scalar(each.strip(), line) for each in inner.split(",")] if inner else []

    def _scalar(self, text: str, line: _Line) -> str | bool:
        if text in _WORDS:
            return _WORDS[text]
        if text.startswith('"'):
            return self._double_quoted(text, line)
        if text.startswith("'"):
            if len(text) < 2 or not text.endswith("'") or "'" in text[1:-1].replace("''", ""):
                raise self._refuse(line, "a quoted text that does not end")
            return text[1:-1].replace("''", "'")
        if not text or text.startswith(_OTHER_YAML) or ": " in text or " #" in text or text[0] in "[]":
            raise self._refuse(line, f"{text!r} is not understood: put it into quotes")
        return text

    def _double_quoted(self, text: str, line: _Line) -> str:
        try:
            return str(json.loads(text))
        except ValueError:
            raise self._refuse(line, "a quoted text that does not end") from None

    def _refuse(self, line: _Line, why: str) -> InvalidArgument:
        return _refused(self._place, line.number, why)


def _is_item(text: str) -> bool:
    return text == "-" or text.startswith("- ")


def _refused(place: str, number: int, why: str) -> InvalidArgument:
    return InvalidArgument(
        f"{place}:{number}: {why}", hint="Skills are written in a small part of YAML: docs/skills.md."
    )

"""Where everything stands in a JSON text with comments: objects and lists, their entries, and the commas between.

Above: ``json_changes``, ``jsonc``. Below: ``brackets``, ``layout``, ``config.jsonc``.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from groundwire.config import jsonc
from groundwire.surfaces.setup.text.brackets import Container, Entry
from groundwire.surfaces.setup.text.layout import refusal, refuse_lone_returns

_SPACE = re.compile(r"[ \t\r\n]*")
_TRIVIA = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_INDENTED = re.compile(r"^([ \t]+)[^ \t\r\n]", re.MULTILINE)
_DECODER = json.JSONDecoder()
_DEFAULT_UNIT = "  "


@dataclass(frozen=True, slots=True)
class Document:
    """A text, the same with blanks for comments and trailing commas, and the value it stands for."""

    text: str
    plain: str
    data: object

    @property
    def root(self) -> int:
        """Where the outermost value begins."""
        return _after_space(self.plain, 0)

    def value(self, entry: Entry) -> object:
        """What an entry says."""
        return cast("object", _DECODER.raw_decode(self.plain, entry.value)[0])

    def unit(self) -> str:
        """What one level of indentation is made of in this file."""
        return min((found.group(1) for found in _INDENTED.finditer(self.plain)), key=len, default=_DEFAULT_UNIT)


def is_blank(text: str) -> bool:
    """Nothing but space and comments."""
    return not jsonc.to_json(text).strip(" \t\r\n")


def read_document(text: str) -> Document:
    """Raises InvalidArgument, with the line, for what is not JSON even so."""
    refuse_lone_returns(text)
    try:
        data = jsonc.parse(text)
    except jsonc.JsonSyntaxError as problem:
        at = sum(len(line) for line in text.splitlines(keepends=True)[: problem.line - 1])
        raise refusal(f"this is not JSON: {problem}", text, at, hint="Correct the file, then try again.") from problem
    return Document(text, jsonc.to_json(text), data)


def container_at(document: Document, opening: int) -> Container:
    """The object or list that begins at ``opening``."""
    keyed = document.plain[opening] == "{"
    entries: list[Entry] = []
    at = _after_space(document.plain, opening + 1)
    while document.plain[at] not in "]}":
        entry = _entry_at(document, at, keyed=keyed)
        entries.append(entry)
        at = _after_space(document.plain, entry.end)
        if document.plain[at] == ",":
            at = _after_space(document.plain, at + 1)
    return Container(opening, at, tuple(entries))


def boxes_along(document: Document, path: Sequence[str]) -> list[Container]:
    """The objects that hold the keys of the path: the outermost, and as many more as are there.

    Raises InvalidArgument where something that is not an object is in the way.
    """
    boxes: list[Container] = []
    at = document.root
    for key in path:
        if document.plain[at] != "{":
            raise refusal(f"an object was expected here, to hold {key!r}", document.text, at)
        boxes.append(container_at(document, at))
        entry = member(boxes[-1], key)
        if entry is None:
            break
        at = entry.value
    return boxes


def member(box: Container, key: str) -> Entry | None:
    """Of a key that is there twice, the last one counts, as it does for those who read the file."""
    return next((entry for entry in reversed(box.entries) if entry.key == (key,)), None)


def _entry_at(document: Document, at: int, *, keyed: bool) -> Entry:
    plain = document.plain
    key: tuple[str, ...] = ()
    value = at
    if keyed:
        name, colon = cast("tuple[str, int]", _DECODER.raw_decode(plain, at))
        key = (name,)
        value = _after_space(plain, _after_space(plain, colon) + 1)
    end = cast("tuple[object, int]", _DECODER.raw_decode(plain, value))[1]
    trivia = _TRIVIA.match(document.text, end)
    after = end if trivia is None else trivia.end()
    return Entry(key, at, value, end, after if document.text[after] == "," else None)


def _after_space(plain: str, at: int) -> int:
    found = _SPACE.match(plain, at)
    return at if found is None else found.end()

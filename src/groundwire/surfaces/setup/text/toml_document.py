"""Where everything stands in a TOML text: its sections, their pairs, and what is inside inline tables and arrays.

The text is known to be valid (``tomllib`` has read it), so nothing is checked twice here. Above: ``toml_changes``,
``toml``. Below: ``brackets``, ``layout``.
"""

import re
import tomllib
from dataclasses import dataclass

from groundwire.surfaces.setup.text.brackets import Container, Entry
from groundwire.surfaces.setup.text.layout import BOM, line_start, refusal, refuse_lone_returns

Key = tuple[str, ...]

_TRIVIA = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BLANKS = re.compile(r"[ \t]*")
_PART = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_SCALAR = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}(?!")'
    r"|'''.*?'{3,5}(?!')"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|[^,\]}#\r\n]*[^,\]}#\r\n \t]",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Section:
    """A header and the pairs below it. The first section of a text has no header, and an empty path."""

    path: Key
    is_element: bool
    start: int
    header_end: int
    pairs: tuple[Entry, ...]

    @property
    def end(self) -> int:
        """After its last pair, or its header: the comments that follow may be those of the next section."""
        return self.pairs[-1].end if self.pairs else self.header_end


def read_data(text: str) -> dict[str, object]:
    """Raises InvalidArgument, with the line, for what is not TOML."""
    refuse_lone_returns(text)
    try:
        return tomllib.loads(text.removeprefix(BOM))
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        found = re.search(r"at line (\d+)", str(problem))
        line = int(found.group(1)) if found else text.count("\n") + 1
        at = sum(len(one) for one in text.split("\n")[: line - 1]) + line - 1
        raise refusal(f"this is not TOML: {problem}", text, at, hint="Correct the file, then try again.") from problem


def sections_of(text: str) -> list[Section]:
    """In the order of the text; the one without a header first."""
    at = _after(_TRIVIA, text, len(BOM) if text.startswith(BOM) else 0)
    start = line_start(text, 0)
    sections: list[Section] = []
    path: Key = ()
    is_element, header_end = False, start
    pairs: list[Entry] = []
    while at < len(text):
        if text[at] == "[":
            sections.append(Section(path, is_element, start, header_end, tuple(pairs)))
            is_element, start, pairs = text.startswith("[[", at), at, []
            path, header_end = _key_at(text, at + (2 if is_element else 1))
            header_end += 2 if is_element else 1
            at = header_end
        else:
            pairs.append(_pair_at(text, at))
            at = pairs[-1].end
        at = _after(_TRIVIA, text, at)
    return [*sections, Section(path, is_element, start, header_end, tuple(pairs))]


def container_at(text: str, opening: int) -> Container:
    """The inline table or the array that begins at ``opening``."""
    keyed = text[opening] == "{"
    entries: list[Entry] = []
    at = _after(_TRIVIA, text, opening + 1)
    while text[at] not in "]}":
        entry = _pair_at(text, at) if keyed else Entry((), at, at, value_end(text, at), None)
        at = _after(_TRIVIA, text, entry.end)
        comma = at if text[at] == "," else None
        entries.append(Entry(entry.key, entry.start, entry.value, entry.end, comma))
        at = at if comma is None else _after(_TRIVIA, text, at + 1)
    return Container(opening, at, tuple(entries))


def value_end(text: str, at: int) -> int:
    """After the value that begins at ``at``."""
    if text[at] in "[{":
        return container_at(text, at).closing + 1
    return _after(_SCALAR, text, at)


def _pair_at(text: str, at: int) -> Entry:
    key, equals = _key_at(text, at)
    value = _after(_BLANKS, text, equals + 1)
    return Entry(key, at, value, value_end(text, value), None)


def _key_at(text: str, at: int) -> tuple[Key, int]:
    """A dotted key, and the place of what follows it."""
    parts: list[str] = []
    while True:
        at = _after(_BLANKS, text, at)
        end = _after(_PART, text, at)
        parts.append(_unquoted(text[at:end]))
        at = _after(_BLANKS, text, end)
        if text[at] != ".":
            return tuple(parts), at
        at += 1


def _unquoted(part: str) -> str:
    return str(tomllib.loads(f"key = {part}")["key"]) if part[0] in "\"'" else part


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return at if found is None else found.end()

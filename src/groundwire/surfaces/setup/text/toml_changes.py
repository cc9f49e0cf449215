"""One key of a TOML text set or taken out, wherever it is defined: in a section, as a dotted key, or inline.

Each function makes one step; whoever calls it reads the result again. Above: ``toml``. Below: ``toml_document``,
``toml_values``, ``brackets``, ``layout``.
"""

from collections.abc import Mapping, Sequence

from groundwire.surfaces.setup.text import brackets
from groundwire.surfaces.setup.text.brackets import Container, Entry, Style
from groundwire.surfaces.setup.text.data import nested
from groundwire.surfaces.setup.text.layout import (
    BOM,
    Change,
    changed,
    indentation,
    line_break_before,
    line_start,
    newline_of,
)
from groundwire.surfaces.setup.text.toml_document import Key, Section, container_at, sections_of
from groundwire.surfaces.setup.text.toml_values import key_text, pair_text, value_text

_COMMENT = r"(#)[^\r\n]*"


def section_text(path: Key, values: Mapping[str, object], newline: str, *, is_element: bool = False) -> str:
    """A header and its pairs, without a line end after the last."""
    header = f"[[{key_text(path)}]]" if is_element else f"[{key_text(path)}]"
    return newline.join([header, *(pair_text((key,), value) for key, value in values.items())])


def with_section(text: str, path: Key, values: Mapping[str, object], *, is_element: bool = False) -> str:
    """The section at the end of the text, which ends in a line end afterwards if it did before."""
    newline = newline_of(text)
    written = section_text(path, values, newline, is_element=is_element)
    if not text.removeprefix(BOM):
        return text + written + newline
    if text.endswith("\n"):
        return text + newline + written + newline
    return text + newline + newline + written


def without_section(text: str, section: Section) -> str:
    """Undoes ``with_section``. Comments after its last pair stay: they may be about what follows."""
    head, tail = text[: line_start(text, section.start)], text[_line_end(text, section.end) :]
    if _ends_in_empty_line(head):
        head = _without_line_end(head)
    if not tail and not text.endswith("\n"):
        head = _without_line_end(head)
    return head + tail


def set_inline(text: str, start: int, path: Key, value: object) -> str | None:
    """The value at a path inside the inline table at ``start``; None if something there has to go first."""
    box = container_at(text, start)
    for entry in box.entries:
        if entry.key == path:
            return changed(text, [Change(entry.value, entry.end, value_text(value))])
        if entry.key == path[: len(entry.key)] and text[entry.value] == "{":
            return set_inline(text, entry.value, path[len(entry.key) :], value)
    if any(entry.key[: len(path)] == path for entry in box.entries):
        return None
    shared = any(entry.key[:1] == path[:1] for entry in box.entries)
    written = pair_text(path, value) if shared else pair_text(path[:1], nested(path[1:], value))
    return changed(text, brackets.addition(_inline_style(text), box, lambda _: written))


def without_inline(text: str, start: int, path: Key) -> str | None:
    """Without one definition of the path, or below it, in the inline table at ``start``; None if there is none."""
    box = container_at(text, start)
    for entry in box.entries:
        if entry.key[: len(path)] == path:
            return changed(text, brackets.removal(_inline_style(text), box, entry))
        if entry.key == path[: len(entry.key)] and text[entry.value] == "{":
            return without_inline(text, entry.value, path[len(entry.key) :])
    return None


def with_array_entry(text: str, box: Container, value: object) -> str:
    """The value as the last one of an array."""
    return changed(text, brackets.addition(_array_style(text), box, lambda _: value_text(value)))


def without_array_entry(text: str, box: Container, entry: Entry) -> str:
    """An array without one of its elements."""
    return changed(text, brackets.removal(_array_style(text), box, entry))


def with_pair_after(text: str, section: Section, pair: Entry | None, path: Key, value: object) -> str:
    """A pair on a line of its own, after another one of the section, or after its header."""
    newline = newline_of(text)
    end = _line_end(text, section.header_end if pair is None else pair.end)
    line = indentation(text, section.start if pair is None else pair.start) + pair_text(path, value)
    written = line + newline if text.endswith("\n", 0, end) else newline + line
    return changed(text, [Change(end, end, written)])


def without_pair(text: str, pair: Entry) -> str:
    """Without the line, or the lines, of a pair."""
    start, end = pair.start - len(indentation(text, pair.start)), _line_end(text, pair.end)
    if end == len(text) and not text.endswith("\n"):
        start = line_break_before(text, start)
    return changed(text, [Change(start, end, "")])


def inline_home(text: str, path: Sequence[str]) -> tuple[Entry, Key] | None:
    """The pair whose inline table holds the path, or would; and the path inside it."""
    wanted = tuple(path)
    for section in sections_of(text):
        for pair in () if section.is_element else section.pairs:
            full = section.path + pair.key
            if len(full) < len(wanted) and wanted[: len(full)] == full and text[pair.value] == "{":
                return pair, wanted[len(full) :]
    return None


def value_place(text: str, path: Sequence[str]) -> int | None:
    """Where the value that one pair gives to the path begins; None if it is made up of sections or dotted keys."""
    for section in sections_of(text):
        for pair in () if section.is_element else section.pairs:
            if section.path + pair.key == tuple(path):
                return pair.value
    home = inline_home(text, path)
    return None if home is None else _offset_in(text, home[0].value, home[1])


def _inline_style(text: str) -> Style:
    """An inline table has to stay on its line."""
    return Style(text, "", _COMMENT, may_spread=False)


def _array_style(text: str) -> Style:
    return Style(text, "  ", _COMMENT)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _ends_in_empty_line(head: str) -> bool:
    shorter = _without_line_end(head)
    return shorter != head and (shorter in {"", BOM} or shorter.endswith("\n"))


def _without_line_end(head: str) -> str:
    return head.removesuffix("\n").removesuffix("\r")


def _offset_in(text: str, start: int, path: Key) -> int | None:
    for entry in container_at(text, start).entries:
        if entry.key == path:
            return entry.value
        if entry.key == path[: len(entry.key)] and text[entry.value] == "{":
            return _offset_in(text, entry.value, path[len(entry.key) :])
    return None

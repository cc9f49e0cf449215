"""Where a piece of text stands in another: exactly, else line by line with the white space around each line ignored.

Pure. Line endings do not matter: ``\\n`` fits each of them. Above: ``apply_edit``. Below: ``errors``.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from groundwire.errors import EditConflict, InvalidArgument

_MOST_PLACES = 10
_MOST_COMPARED = 5_000
_LONGEST_SHOWN = 120
_ENDING = re.compile(r"\r\n|\r")


class Replacement(NamedTuple):
    """From where to where in the text (offsets), and what is put there."""

    start: int
    end: int
    new_text: str


class Found(NamedTuple):
    """Where the text is to be replaced. ``is_exact``: not only after white space was ignored."""

    replacements: tuple[Replacement, ...]
    is_exact: bool


def find_text(text: str, old: str, new: str, *, replace_all: bool = False) -> Found:
    """The one place of ``old``, or all of them. Raises EditConflict that names the places, or the closest lines."""
    if not old:
        raise InvalidArgument("old_text is empty", hint="Give the text to replace; write_file makes a new file.")
    plain = _Plain(text)
    wanted, new = _ENDING.sub("\n", old), _ENDING.sub("\n", new)
    exact = list(_occurrences(plain.text, wanted, overlap=not replace_all))
    if exact:
        _require_one([plain.line_at(start) for start in exact], plain, replace_all=replace_all)
        return Found(tuple(plain.replacement(start, start + len(wanted), new) for start in exact), is_exact=True)
    windows = list(_windows(plain, _Wanted(wanted)))
    if not windows:
        raise _not_found(plain, wanted)
    _require_one([window.first for window in windows], plain, replace_all=replace_all)
    spans = _apart(windows)
    return Found(tuple(_indented(plain, window, wanted, new) for window in spans), is_exact=False)


class _Plain:
    """The text with ``\\n`` for every line ending, and the way back to its own offsets."""

    def __init__(self, text: str) -> None:
        self.text = _ENDING.sub("\n", text)
        self.lines = self.text.split("\n")
        self.starts = [0]
        for line in self.lines[:-1]:
            self.starts.append(self.starts[-1] + len(line) + 1)
        shortened = (found.start() for found in re.finditer("\r\n", text))
        # Each pair before it is one character longer in the text itself.
        self._pairs = [start - number for number, start in enumerate(shortened)]

    def line_at(self, offset: int) -> int:
        """The number of the line, from 0."""
        return bisect_left(self.starts, offset + 1) - 1

    def replacement(self, start: int, end: int, new: str) -> Replacement:
        return Replacement(start + bisect_left(self._pairs, start), end + bisect_left(self._pairs, end), new)


class _Wanted:
    """What is looked for, line by line."""

    def __init__(self, text: str) -> None:
        self.lines = text.removesuffix("\n").split("\n")
        self.trimmed = [line.strip() for line in self.lines]


class _Window(NamedTuple):
    """Lines that fit, from ``first`` on, and how their indentation is spelled: as it was given → as it is."""

    first: int
    count_of_lines: int
    indents: Mapping[str, str]


def _occurrences(text: str, wanted: str, *, overlap: bool) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + (1 if overlap else len(wanted)))


def _windows(plain: _Plain, wanted: _Wanted) -> Iterator[_Window]:
    if not any(wanted.trimmed):
        return
    trimmed, size = [line.strip() for line in plain.lines], len(wanted.lines)
    for first in range(len(trimmed) - size + 1):
        if trimmed[first : first + size] != wanted.trimmed:
            continue
        indents = _indents(wanted.lines, plain.lines[first : first + size])
        if indents is not None:
            yield _Window(first, size, indents)


def _indents(given: Sequence[str], there: Sequence[str]) -> dict[str, str] | None:
    """How the indentation of each depth is spelled there; None where the lines are nested in another way."""
    indents: dict[str, str] = {}
    for one, other in zip(given, there, strict=True):
        if one.strip() and indents.setdefault(_lead(one), _lead(other)) != _lead(other):
            return None
    return indents if len(set(indents.values())) == len(indents) else None


def _apart(windows: Sequence[_Window]) -> list[_Window]:
    """Those that share no line, the first ones first."""
    kept: list[_Window] = []
    for window in windows:
        if not kept or window.first >= kept[-1].first + kept[-1].count_of_lines:
            kept.append(window)
    return kept


def _indented(plain: _Plain, window: _Window, old: str, new: str) -> Replacement:
    """Whole lines replaced by the new ones, indented as the old ones are."""
    last = window.first + window.count_of_lines - 1
    ends_line = old.endswith("\n")
    if ends_line and last == len(plain.lines) - 1:  # the last line of the file has no ending, and gets none
        ends_line, new = False, new.removesuffix("\n")
    end = plain.starts[last] + len(plain.lines[last]) + ends_line
    lines = [_reindented(line, window.indents) for line in new.split("\n")]
    return plain.replacement(plain.starts[window.first], end, "\n".join(lines))


def _reindented(line: str, indents: Mapping[str, str]) -> str:
    if not line.strip():
        return line
    lead = _lead(line)
    rest = line[len(lead) :]
    if lead in indents:
        return indents[lead] + rest
    above = max((given for given in indents if lead.startswith(given)), key=len, default=None)
    if above is not None:
        return indents[above] + _deeper(lead[len(above) :], indents) + rest
    shallowest = min(indents, key=len)
    missing = len(shallowest) - len(lead)
    there = indents[shallowest]
    return there[: max(len(there) - missing, 0)] + rest


def _deeper(lead: str, indents: Mapping[str, str]) -> str:
    """Further indentation, spelled as the file spells a step where that can be seen."""
    for outer, inner in ((outer, inner) for outer in indents for inner in indents if outer != inner):
        if not inner.startswith(outer) or not indents[inner].startswith(indents[outer]):
            continue
        step, spelled = inner[len(outer) :], indents[inner][len(indents[outer]) :]
        if lead == step * (len(lead) // len(step)):
            return spelled * (len(lead) // len(step))
    return lead


def _lead(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _require_one(lines: Sequence[int], plain: _Plain, *, replace_all: bool) -> None:
    if len(lines) == 1 or replace_all:
        return
    shown = [_shown(plain, line) for line in lines[:_MOST_PLACES]]
    if len(lines) > _MOST_PLACES:
        shown.append(f"and {len(lines) - _MOST_PLACES:,} more")
    raise EditConflict(
        f"old_text is there {len(lines):,} times: {'; '.join(shown)}",
        hint="Give more of the lines around the one that is meant, or replace_all.",
    )


def _not_found(plain: _Plain, wanted: str) -> EditConflict:
    close = _closest(plain, [line.strip() for line in wanted.removesuffix("\n").split("\n")])
    hint = "Read the file again: give old_text as it stands there."
    return EditConflict(f"old_text is not in the file{close}", hint=hint)


def _closest(plain: _Plain, wanted: Sequence[str]) -> str:
    """Where most of its lines are, and from where on they differ; else the lines most like its first one."""
    trimmed = [line.strip() for line in plain.lines]
    first = next((number for number, line in enumerate(wanted) if line), None)
    if first is None:
        return ""
    starts = (number for number, line in enumerate(trimmed) if line == wanted[first])
    alike = [(_alike(trimmed[start:], wanted[first:]), start) for start in starts]
    if alike:
        number, start = max(alike, key=lambda each: (each[0], -each[1]))
        if first + number >= len(wanted):
            return f"; line {start + 1} is like it, but the lines are indented in another way"
        differs = start + number
        there = _shown(plain, differs) if differs < len(trimmed) else "the end of the file"
        return f"; from line {start + 1} on it is alike, up to {there}"
    known = list(dict.fromkeys(line[:_LONGEST_SHOWN] for line in trimmed[:_MOST_COMPARED] if line))
    close = get_close_matches(wanted[first][:_LONGEST_SHOWN], known, n=3)
    places = sorted(next(n for n, line in enumerate(trimmed) if line[:_LONGEST_SHOWN] == each) for each in close)
    return f"; closest: {'; '.join(_shown(plain, place) for place in places)}" if places else ""


def _alike(lines: Sequence[str], wanted: Sequence[str]) -> int:
    pairs = enumerate(zip(lines, wanted, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(lines), len(wanted)))


def _shown(plain: _Plain, line: int) -> str:
    text = plain.lines[line].strip()
    cut = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    return f"line {line + 1}: {cut}"

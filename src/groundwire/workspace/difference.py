"""What an edit did to a file's findings: introduced, resolved, or there before, compared through the shift of its
lines.

Above: ``operations``. Below: ``protocol``.
"""

import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

import msgspec

from groundwire.protocol.lsp_diagnostics import Diagnostic
from groundwire.protocol.positions import Lines

_EXACT_LIMIT = 4_000
"""Above this many changed lines the two halves of the change are taken as one block: matching them costs too much."""


class Difference(msgspec.Struct, frozen=True):
    """``introduced`` and ``existing`` are findings of the new content; ``resolved`` of the old."""

    introduced: tuple[Diagnostic, ...]
    existing: tuple[Diagnostic, ...]
    resolved: tuple[Diagnostic, ...]


class LineShifts:
    """Where each line of the old text stands in the new one; None where it was changed or removed."""

    def __init__(self, old: str, new: str) -> None:
        old_lines, new_lines = _all_lines(old), _all_lines(new)
        self._blocks = _matching_blocks(old_lines, new_lines)
        # What a server reports beyond the end of the text stays there.
        self._blocks.append((len(old_lines), len(new_lines), sys.maxsize))
        self._starts = [start for start, _, _ in self._blocks]

    def new_line(self, line: int) -> int | None:
        """The 0-based line in the new text of a 0-based line of the old."""
        start, moved_to, length = self._blocks[bisect_right(self._starts, line) - 1]
        return moved_to + line - start if line < start + length else None


def compare(before: Iterable[Diagnostic], after: Iterable[Diagnostic], shifts: LineShifts) -> Difference:
    """Match findings by what they say and where their line went. Equal findings are counted, not merged."""
    remaining: Counter[tuple[object, ...]] = Counter()
    old: list[tuple[tuple[object, ...], Diagnostic]] = []
    for diagnostic in before:
        key = _key(diagnostic, shifts.new_line(diagnostic.range.start.line))
        remaining[key] += 1
        old.append((key, diagnostic))
    introduced: list[Diagnostic] = []
    existing: list[Diagnostic] = []
    for diagnostic in after:
        key = _key(diagnostic, diagnostic.range.start.line)
        if remaining[key] > 0:
            remaining[key] -= 1
            existing.append(diagnostic)
        else:
            introduced.append(diagnostic)
    resolved: list[Diagnostic] = []
    for key, diagnostic in old:
        if remaining[key] > 0:
            remaining[key] -= 1
            resolved.append(diagnostic)
    return Difference(tuple(introduced), tuple(existing), tuple(resolved))


def _key(diagnostic: Diagnostic, line: int | None) -> tuple[object, ...]:
    return (line, diagnostic.severity, diagnostic.code_text, diagnostic.source, diagnostic.message_text)


def _all_lines(text: str) -> list[str]:
    lines = Lines(text)
    return [lines.line(number) for number in range(lines.line_count)]


def _matching_blocks(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int]]:
    prefix = _common_prefix(old, new)
    suffix = _common_prefix(old[prefix:][::-1], new[prefix:][::-1])
    blocks = [(0, 0, prefix)]
    old_middle, new_middle = old[prefix : len(old) - suffix], new[prefix : len(new) - suffix]
    if old_middle and new_middle and len(old_middle) + len(new_middle) <= _EXACT_LIMIT:
        matcher = SequenceMatcher(None, old_middle, new_middle, autojunk=False)
        blocks += [(prefix + a, prefix + b, size) for a, b, size in matcher.get_matching_blocks() if size]
    blocks.append((len(old) - suffix, len(new) - suffix, suffix))
    return blocks


def _common_prefix(first: Sequence[str], second: Sequence[str]) -> int:
    length = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        length += 1
    return length

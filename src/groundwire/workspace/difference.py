"""What an edit did to a file's findings: introduced, resolved, or there before, compared through the shift of its
lines.

Above: ``operations``. Below: ``protocol``.
"""

import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

import msgspec

from groundwire.protocol.lsp_diagnostics import Diagnostic
from groundwire.protocol.positions import Lines

_EXACT_LIMIT = 2_000
"""Above this many lines, comparing all with all costs too much: first they are split where a line stands only once."""

Block = tuple[int, int, int]
"""Lines that only moved: from where, to where, how many."""


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


def _matching_blocks(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    prefix = _common_prefix(old, new)
    suffix = _common_prefix(old[prefix:][::-1], new[prefix:][::-1])
    old_end, new_end = len(old) - suffix, len(new) - suffix
    middle = _blocks_within(old[prefix:old_end], new[prefix:new_end])
    shifted = [(prefix + start, prefix + moved_to, length) for start, moved_to, length in middle]
    return [(0, 0, prefix), *shifted, (old_end, new_end, suffix)]


def _blocks_within(old: Sequence[str], new: Sequence[str]) -> Iterator[Block]:
    if not old or not new:
        return
    if len(old) + len(new) <= _EXACT_LIMIT:
        yield from SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
        return
    anchors = _anchors(old, new)
    starts, ends = [(0, 0), *anchors], [*anchors, (len(old), len(new))]
    for (old_start, new_start), (old_end, new_end) in zip(starts, ends, strict=True) if anchors else ():
        for start, moved_to, length in _matching_blocks(old[old_start:old_end], new[new_start:new_end]):
            yield old_start + start, new_start + moved_to, length


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of equal lines that stand once in either text: the most that rise in both."""
    new_places = _only_once(new)
    pairs = [(place, new_places[line]) for line, place in _only_once(old).items() if line in new_places]
    best_ends: list[int] = []
    chains: list[tuple[tuple[int, int], int]] = []
    tops: list[int] = []
    for number, pair in enumerate(pairs):
        length = bisect_left(best_ends, pair[1])
        chains.append((pair, tops[length - 1] if length else -1))
        best_ends[length : length + 1] = [pair[1]]
        tops[length : length + 1] = [number]
    rising: list[tuple[int, int]] = []
    at = tops[-1] if tops else -1
    while at >= 0:
        pair, at = chains[at]
        rising.append(pair)
    return rising[::-1]


def _only_once(lines: Sequence[str]) -> dict[str, int]:
    count = Counter(lines)
    return {line: place for place, line in enumerate(lines) if count[line] == 1}


def _common_prefix(first: Sequence[str], second: Sequence[str]) -> int:
    length = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        length += 1
    return length

"""What an edit did to a file's findings: introduced, resolved, or there before, compared through the shift of its
lines.

Above: ``operations``. Below: ``protocol``.
"""

import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Generic, TypeVar

import msgspec

from groundwire.protocol.positions import Lines

D = TypeVar("D")

_EXACT_LIMIT = 2_000
"""Above this many lines, comparing all with all costs too much: first they are split where a line stands only once."""

Block = tuple[int, int, int]
"""Lines that only moved: from where, to where, how many."""

Gap = tuple[int, int, int, int]
"""Lines that were removed, from and to, and those that stand in their place, from and to."""


class Difference(msgspec.Struct, Generic[D], frozen=True):
    """``introduced`` and ``existing`` are findings of the new content; ``resolved`` of the old."""

    introduced: tuple[D, ...]
    existing: tuple[D, ...]
    resolved: tuple[D, ...]


class LineShifts:
    """Where each line of the old text stands in the new one; None where it was changed or removed."""

    def __init__(self, old: str, new: str) -> None:
        if old == new:  # most files that are looked at after an edit are not the edited one
            self._blocks, self._starts = [(0, 0, sys.maxsize)], [0]
            return
        old_lines, new_lines = _all_lines(old), _all_lines(new)
        self._blocks = matching_blocks(old_lines, new_lines)
        # What a server reports beyond the end of the text stays there.
        self._blocks.append((len(old_lines), len(new_lines), sys.maxsize))
        self._starts = [start for start, _, _ in self._blocks]

    def new_line(self, line: int) -> int | None:
        """The 0-based line in the new text of a 0-based line of the old."""
        start, moved_to, length = self._blocks[bisect_right(self._starts, line) - 1]
        return moved_to + line - start if line < start + length else None

    def gaps(self) -> Iterator[Gap]:
        """The lines between those that only moved: (from, to) in the old text, and what stands there in the new."""
        return gaps_between(self._blocks)


def gaps_between(blocks: Iterable[Block]) -> Iterator[Gap]:
    """What lies between lines that only moved."""
    old_end = new_end = 0
    for start, moved_to, length in blocks:
        if (old_end, new_end) != (start, moved_to):
            yield old_end, start, new_end, moved_to
        old_end, new_end = start + length, moved_to + length


def compare(
    before: Iterable[D], after: Iterable[D], shifts: LineShifts, told: Callable[[D], tuple[int, Hashable]]
) -> Difference[D]:
    """Match findings by what they say and where their line went. Equal findings are counted, not merged.

    ``told`` gives the 0-based line of a finding, and what it says.
    """
    remaining: Counter[tuple[int | None, Hashable]] = Counter()
    old: list[tuple[tuple[int | None, Hashable], D]] = []
    for finding in before:
        line, saying = told(finding)
        key = (shifts.new_line(line), saying)
        remaining[key] += 1
        old.append((key, finding))
    introduced: list[D] = []
    existing: list[D] = []
    for finding in after:
        key = told(finding)
        if remaining[key] > 0:
            remaining[key] -= 1
            existing.append(finding)
        else:
            introduced.append(finding)
    resolved: list[D] = []
    for key, finding in old:
        if remaining[key] > 0:
            remaining[key] -= 1
            resolved.append(finding)
    return Difference(tuple(introduced), tuple(existing), tuple(resolved))


def _all_lines(text: str) -> list[str]:
    lines = Lines(text)
    return [lines.line(number) for number in range(lines.line_count)]


def matching_blocks(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """The lines that only moved, the first and the last block perhaps empty."""
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
        for start, moved_to, length in matching_blocks(old[old_start:old_end], new[new_start:new_end]):
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

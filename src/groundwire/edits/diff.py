"""The lines in which two texts differ, within bounds: comparing takes quadratic time, a huge difference is one block.

Above: ``report``. Below: nothing.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_MOST_COMPARED = 2_000
_CONTEXT = 3

Block = tuple[int, int, int, int]
"""Lines from, to (before) and from, to (after) that differ; counted from 0."""


def lines_of(text: str) -> list[str]:
    """The lines with their endings; only ``\\n``, ``\\r\\n`` and ``\\r`` end one."""
    return _LINE.findall(text)


def blocks(before: Sequence[str], after: Sequence[str]) -> list[Block]:
    """Where the lines differ. What differs over more than some thousand lines is one block."""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if not old and not new:
        return []
    if not old or not new or len(old) + len(new) > _MOST_COMPARED:
        return [(head, head + len(old), head, head + len(new))]
    codes = SequenceMatcher(None, old, new).get_opcodes()
    return [(head + a, head + b, head + c, head + d) for tag, a, b, c, d in codes if tag != "equal"]


def unified_diff(before: str, after: str, *, old_name: str, new_name: str, max_lines: int = 400) -> str:
    """The usual form, three lines of context, at most ``max_lines``; what is cut is told."""
    old, new = lines_of(before), lines_of(after)
    hunks = _hunks(blocks(old, new))
    if not hunks:
        return ""
    shown = [f"--- {old_name}", f"+++ {new_name}", *(line for hunk in hunks for line in _hunk(hunk, old, new))]
    if len(shown) > max_lines:
        shown = [*shown[:max_lines], f"… and {len(shown) - max_lines} more lines"]
    return "\n".join(shown) + "\n"


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


def _hunks(found: Sequence[Block]) -> list[list[Block]]:
    """Blocks whose context would touch, together."""
    hunks: list[list[Block]] = []
    for block in found:
        if hunks and block[0] - hunks[-1][-1][1] <= 2 * _CONTEXT:
            hunks[-1].append(block)
        else:
            hunks.append([block])
    return hunks


def _hunk(found: Sequence[Block], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    start, end = max(found[0][0] - _CONTEXT, 0), min(found[-1][1] + _CONTEXT, len(old))
    new_start, new_end = found[0][2] - (found[0][0] - start), found[-1][3] + (end - found[-1][1])
    yield f"@@ -{_span(start, end)} +{_span(new_start, new_end)} @@"
    at = start
    for old_from, old_to, new_from, new_to in found:
        yield from _marked(" ", old[at:old_from])
        yield from _marked("-", old[old_from:old_to])
        yield from _marked("+", new[new_from:new_to])
        at = old_to
    yield from _marked(" ", old[at:end])


def _span(start: int, end: int) -> str:
    count = end - start
    first = start + 1 if count else start
    return f"{first}" if count == 1 else f"{first},{count}"


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        bare = line.rstrip("\r\n")
        yield f"{mark}{bare}"
        if bare == line:
            yield "\\ No newline at end of file"

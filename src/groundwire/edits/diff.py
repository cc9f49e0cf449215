"""The lines in which two texts differ, and how that is shown.

Above: ``report``. Below: ``workspace.difference``.
"""

import re
from collections.abc import Iterator, Sequence

from groundwire.workspace.difference import Gap, gaps_between, matching_blocks

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_CONTEXT = 3


def lines_of(text: str) -> list[str]:
    """The lines with their endings; only ``\\n``, ``\\r\\n`` and ``\\r`` end one."""
    return _LINE.findall(text)


def blocks(before: Sequence[str], after: Sequence[str]) -> list[Gap]:
    """Where the lines differ: from, to (before) and from, to (after), counted from 0."""
    return list(gaps_between(matching_blocks(before, after)))


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


def _hunks(found: Sequence[Gap]) -> list[list[Gap]]:
    """Blocks whose context would touch, together."""
    hunks: list[list[Gap]] = []
    for block in found:
        if hunks and block[0] - hunks[-1][-1][1] <= 2 * _CONTEXT:
            hunks[-1].append(block)
        else:
            hunks.append([block])
    return hunks


def _hunk(found: Sequence[Gap], old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
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

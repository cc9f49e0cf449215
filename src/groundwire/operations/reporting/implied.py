"""Lines that mean something else though they are as they were, for what they go by is above them: constants that are
counted or repeat the one before, and what a comment gives its type.

Pure, and by the text. Above: ``touched``. Below: ``protocol.positions``.
"""

import re
from collections.abc import Collection, Iterator

from groundwire.protocol.positions import Lines

_CONSTANTS = re.compile(r"const\s*\(")
_END_OF_CONSTANTS = re.compile(r"\)")
_REPEATED = re.compile(r"\s+\w+(?:\s*,\s*\w+)*\s*(?://.*)?$|.*\biota\b")
"""Within Go's constants: what has no value of its own has that of the one above, counted on."""
_DOCUMENTED = re.compile(r"\s*(?:/\*)?\*+\s*@\w+\s*\{|\s*/?\*+\s*@(?:extends|implements|overload|template|this)\b")
"""JavaScript has its types there."""
_END_OF_COMMENT = "*/"
_LONGEST_COMMENT = 200


def implied_lines(text: str, touched: Collection[int]) -> frozenset[int]:
    """Those that go by one of the touched lines, which are none of them."""
    if not touched:
        return frozenset()
    found: set[int] = set()
    if "const (" in text or "const(" in text:
        found.update(_repeated(Lines(text), touched))
    if _END_OF_COMMENT in text:
        found.update(_documented(Lines(text), touched))
    return frozenset(found.difference(touched))


def _repeated(lines: Lines, touched: Collection[int]) -> Iterator[int]:
    is_within = is_other = False
    for number in range(lines.line_count):
        line = lines.line(number)
        if not is_within:
            is_within, is_other = _CONSTANTS.match(line) is not None, number in touched
        elif _END_OF_CONSTANTS.match(line):
            is_within = False
        elif number in touched:
            is_other = True
        elif is_other and _REPEATED.match(line):
            yield number


def _documented(lines: Lines, touched: Collection[int]) -> Iterator[int]:
    """The first line behind each comment that has such a line; a line that was taken from one leaves its neighbours."""
    for number in sorted(touched):
        near = range(max(number - 1, 0), min(number + 2, lines.line_count))
        if any(_DOCUMENTED.match(lines.line(each)) for each in near):
            last = min(number + _LONGEST_COMMENT, lines.line_count - 1)
            ends = (each for each in range(number, last) if _END_OF_COMMENT in lines.line(each))
            yield from (each + 1 for each in (next(ends, None),) if each is not None)

"""Statements that give others something and are no symbol of a file: what the module itself stands for, and what is put
into something that was declared elsewhere.

Pure, and by the text. Above: ``dependents``. Below: ``carriers``, ``protocol.positions``.
"""

import re
from collections.abc import Collection, Iterator

from groundwire.operations.reporting.carriers import Carrier, Source
from groundwire.protocol.lsp import Position

_GIVING = re.compile(r"export\s+(default)\b|(export)\s*=|module\.(exports)\s*=(?!=)|(?:\w+\.)+(\w+)\s*=(?![=>])")
_GOES_ON = re.compile(r"\s|[)\]}]|$")
"""What a line begins with that is no statement of its own."""


def statements_at(source: Source, touched: Collection[int]) -> Iterator[Carrier]:
    """The names by which servers know who uses what is given on the touched lines."""
    if source.marks is None or not touched:
        return
    number = 0
    while number < source.lines.line_count:
        end = _end(source, number)
        found = _GIVING.match(source.lines.line(number))
        if found is not None and any(each in touched for each in range(number, end)):
            name = found.start(found.lastindex or 0)
            start = source.lines.offset(Position(number, 0), source.encoding)
            yield Carrier(source.lines.position(start + name, source.encoding), is_type=True)
        number = end


def _end(source: Source, number: int) -> int:
    """Behind the statement that begins on a line."""
    following = range(number + 1, source.lines.line_count)
    return next((each for each in following if not _GOES_ON.match(source.lines.line(each))), source.lines.line_count)

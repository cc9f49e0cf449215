"""Parts of a text: as agents name them, the word in a range, and lines as they are shown.

Pure. Lines and columns that agents name are 1-based characters. Above: the operations. Below: ``protocol.positions``.
"""

import re

from groundwire.errors import InvalidArgument
from groundwire.operations.arguments import FileRange
from groundwire.protocol.lsp import Range
from groundwire.protocol.positions import Lines, PositionEncoding


def is_whole(wanted: FileRange) -> bool:
    """Whether the whole file is meant."""
    return not (wanted.start_line or wanted.start_column or wanted.end_line or wanted.end_column)


def wire_range(wanted: FileRange, lines: Lines, encoding: PositionEncoding) -> Range:
    """The part that is meant. Raises InvalidArgument when there is no such part."""
    first, last = wanted.start_line or 1, wanted.end_line or lines.line_count
    for name, line in (("start_line", first), ("end_line", last)):
        if line > lines.line_count:
            raise InvalidArgument(f"{name} is {line}, and the file has {lines.line_count} lines")
    column, end_column = wanted.start_column or 1, wanted.end_column or len(lines.line(last - 1)) + 1
    if (last, end_column) < (first, column):
        raise InvalidArgument(f"the range ends at {last}:{end_column}, before it begins at {first}:{column}")
    return Range(lines.to_wire(first, column, encoding), lines.to_wire(last, end_column, encoding))


def word_within(lines: Lines, word: str, where: Range, encoding: PositionEncoding) -> Range:
    """Where a word first stands in a range; the range itself when it does not."""
    start, end = lines.offset(where.start, encoding), lines.offset(where.end, encoding)
    found = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)").search(lines.text, start, end)
    return lines.range(found.start(), found.end(), encoding) if found else where


def line_of(lines: Lines, line: int) -> str:
    """A line of source as it is shown beside a place; empty when the text has no such line."""
    return lines.line(line - 1).strip() if line <= lines.line_count else ""

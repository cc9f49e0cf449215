"""Blocks that are what is indented more: where one that begins with a given line ends.

Pure. Above: ``symbol_spans``, ``symbol_body``. Below: ``masked_text``.
"""

import re

from groundwire.operations.text.masked_text import BLANK, Masked

_END_WORD = re.compile(r"(?<!\w)end$")


def is_indented(masked: Masked, start: int, end: int) -> bool:
    """Whether a symbol's block is held together by its indentation."""
    block = masked.syntax.block
    if block != "any":
        return block == "indent"
    return masked.code[end - 1 : end] != "}" and not _END_WORD.search(masked.code, start, end)


def logical_end(masked: Masked, at: int, limit: int) -> int:
    """The end of the line that goes on at ``at``, over brackets and continuations; before its ending."""
    outside = masked.round(at)
    while True:
        end = masked.code.find("\n", at)
        if end < 0 or end >= limit:
            return limit
        if masked.is_line_of_code(end + 1, outside):
            return end
        at = end + 1


def block_end(masked: Masked, start: int) -> int:
    """The end of the block whose first line begins at ``start``: that of its last line of code, or of a comment that
    is indented as the block is."""
    code, outside, depth = masked.code, masked.round(start), width(masked.indentation(start))
    end = masked.skip_blank_back(logical_end(masked, start, len(code)), start)
    at = end
    while (at := code.find("\n", at) + 1) > 0 and at < len(code):
        line_end = masked.line_end(at)
        if not masked.text[at:line_end].strip() or not masked.is_line_of_code(at, outside):
            end = end if not masked.text[at:line_end].strip() else line_end
            at = line_end
            continue
        if width(masked.indentation(at)) <= depth:
            break
        end = line_end
        at = line_end
    return _without_trailing(masked, start, end)


def _without_trailing(masked: Masked, start: int, end: int) -> int:
    while end > start and masked.text[end - 1] in " \t\r\n":
        end -= 1
    return end


def width(indentation: str) -> int:
    """How far to the right it reaches; a tab goes on to the next multiple of eight."""
    return len(indentation.expandtabs(8))


def has_code(masked: Masked, start: int, end: int) -> bool:
    """Whether there is anything but comments and white space."""
    return bool(masked.code[start:end].strip(BLANK))

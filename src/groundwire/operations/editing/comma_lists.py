"""Symbols that are items of a list with commas: members of an enum, fields, one of several in a declaration.

Pure. Above: ``insertions``, ``deletions``. Below: ``symbol_spans``.
"""

from groundwire.operations.editing.symbol_spans import Located
from groundwire.operations.text.masked_text import BLANK


def is_list_item(located: Located) -> bool:
    """Whether commas part it from its neighbours, and it begins with itself and not with what is said of all."""
    masked, span = located.masked, located.span
    around = masked.round(span.code)
    if masked.syntax.block == "indent" or (around >= 0 and masked.code[around] != "{"):
        return False
    is_parted = masked.code[located.next_code : located.next_code + 1] == "," or comma_before(located) is not None
    return is_parted and (span.code == span.name or (around >= 0 and not _has_statements(located, around)))


def comma_before(located: Located) -> int | None:
    """Where the comma stands that parts it from what is before it."""
    masked, span = located.masked, located.span
    is_first_on_line = not masked.code[masked.line_start(span.first) : span.first].strip(BLANK)
    at = masked.skip_blank_back(span.top if is_first_on_line else span.code, 0) - 1
    return at if at >= 0 and masked.code[at] == "," else None


def _has_statements(located: Located, opening: int) -> bool:
    masked = located.masked
    closing = masked.partner(opening) or len(masked.code)
    at = masked.code.find(";", opening, closing)
    while at >= 0:
        if masked.round(at) == opening:
            return True
        at = masked.code.find(";", at + 1, closing)
    return False

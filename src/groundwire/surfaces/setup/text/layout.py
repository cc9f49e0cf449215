"""Lines, indentation and changes of a text, whatever its format.

Above: ``brackets`` and all that edits. Below: ``errors``.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from groundwire.errors import InvalidArgument

BOM = "\ufeff"
BY_HAND = "Add or remove the entry by hand; nothing was changed."

_LONE_RETURN = re.compile(r"\r(?!\n)")
_INDENTATION = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Change:
    """What stands from ``start`` to ``end`` becomes ``text``."""

    start: int
    end: int
    text: str


def changed(text: str, changes: Iterable[Change]) -> str:
    """All changes made; those at the same place in the order they are given."""
    pieces: list[str] = []
    at = 0
    for change in sorted(changes, key=lambda change: (change.start, change.end)):
        pieces += text[at : change.start], change.text
        at = change.end
    return "".join([*pieces, text[at:]])


def refusal(problem: str, text: str, at: int = 0, *, hint: str = BY_HAND) -> InvalidArgument:
    """The error for what stands at ``at``."""
    return InvalidArgument(f"line {line_number(text, at)}: {problem}", hint=hint)


def line_number(text: str, at: int) -> int:
    """Counted from one."""
    return text.count("\n", 0, at) + 1


def refuse_lone_returns(text: str) -> None:
    """A carriage return alone ends a line for some readers and not for others."""
    found = _LONE_RETURN.search(text)
    if found is not None:
        raise refusal("a carriage return without a line feed", text, found.start())


def newline_of(text: str) -> str:
    """How the first line ends; a line feed if none does."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def line_start(text: str, at: int) -> int:
    """Where the line of ``at`` begins; after a byte order mark, if there is one."""
    start = text.rfind("\n", 0, at) + 1
    return start + 1 if start == 0 and text.startswith(BOM) else start


def line_break_before(text: str, at: int) -> int:
    """Where the line end before the line of ``at`` begins; the start of the text for its first line."""
    start = line_start(text, at)
    if not text.endswith("\n", 0, start):
        return start
    return start - (2 if text.endswith("\r\n", 0, start) else 1)


def indentation(text: str, at: int) -> str:
    """The blanks at the beginning of the line of ``at``."""
    found = _INDENTATION.match(text, line_start(text, at))
    return found.group() if found is not None else ""


def begins_its_line(text: str, at: int) -> bool:
    """Nothing but blanks before it."""
    return not text[line_start(text, at) : at].strip(" \t")

"""How reports to people are laid out: columns, hanging lines, a few colours. Nothing in them obeys a terminal.

Above: ``explain``, ``doctor`` and ``status``. Below: ``protocol.names``.
"""

import os
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from groundwire.protocol.names import shown

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_NARROWEST, _WIDEST = 60, 120


class Page(msgspec.Struct, frozen=True):
    """What is written on."""

    width: int = 100
    has_colour: bool = False
    has_unicode: bool = True

    @property
    def columns(self) -> int:
        """Lines of more than 120 characters are hard to read, and fewer than 60 hold nothing."""
        return min(max(self.width, _NARROWEST), _WIDEST)

    def painted(self, text: str, style: str) -> str:
        """The text in a colour, where there are any."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.has_colour and style and text else text

    def mark(self, *, is_good: bool) -> str:
        """A tick or a cross, or words for them."""
        if self.has_unicode:
            return "✓" if is_good else "✗"
        return "ok" if is_good else "!!"

    def hanging(self, head: str, text: str, *, indent: int = 2, column: int = 0) -> list[str]:
        """A short head and a text beside it, which goes on below itself where it is long."""
        start = f"{' ' * indent}{head.ljust(column)}" if head else " " * (indent + column)
        lines = textwrap.wrap(
            plain(text), max(self.columns - len(start), 20), break_long_words=False, break_on_hyphens=False
        ) or [""]
        rest = " " * len(start)
        return [f"{start}{lines[0]}".rstrip(), *(rest + line for line in lines[1:])]


def aligned(rows: Sequence[Sequence[str]], *, indent: int = 0, columns: int = 0) -> list[str]:
    """Columns as wide as they must be; the last one is free, and goes below where it would leave ``columns``."""
    if not rows:
        return []
    cells = [[plain(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]) - 1)]
    # A column that is empty in every row takes no room.
    shown = [[(cell, width) for cell, width in zip(row[:-1], widths, strict=True) if width] for row in cells]
    lines = [(" " * indent + "  ".join(cell.ljust(width) for cell, width in pairs)) for pairs in shown]
    return [_joined(line, row[-1], columns) for line, row in zip(lines, cells, strict=True)]


def _joined(line: str, last: str, columns: int) -> str:
    whole = f"{line}  {last}".rstrip()
    return f"{line.rstrip()}\n{' ' * 4}{last}" if columns and last and len(whole) > columns else whole


def plain(text: str) -> str:
    """A name or a message may hold what a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "�" for letter in shown(text))


def short_path(path: str) -> str:
    """From the home directory where it is in there."""
    home = str(Path.home())
    return f"~{path.removeprefix(home)}" if path == home or path.startswith(home + os.sep) else path


def some(names: Iterable[str], most: int = 3) -> str:
    """A few of them, and how many more."""
    listed = list(names)
    more = len(listed) - most
    return ", ".join(listed[:most] if more > 1 else listed) + (f" +{more}" if more > 1 else "")


def without_name(why: str, server: str) -> str:
    """A reason that begins with the name of the server it stands beside, without the name."""
    for start in (f"{server} is ", f"{server}: ", f"{server} "):
        if why.startswith(start):
            return why.removeprefix(start)
    return why

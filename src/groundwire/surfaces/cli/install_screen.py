"""How an installation looks: one line that moves on a terminal, plain lines elsewhere, a table at the end.

Above: ``install``. Below: nothing.
"""

import os
import shutil
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import TextIO

_WIPE = "\r\x1b[K"
_STYLES = {"installed": "32", "removed": "32", "failed": "31", "broken": "31"}


class Progress:
    """Tells on a stream what is being done. Called with every step and, now and then, the last thing it said."""

    def __init__(self, stream: TextIO, title: str) -> None:
        self._stream = stream
        self._title = title
        self._is_live = stream.isatty()
        self._start = monotonic()
        self._doing = ""

    @property
    def has_spoken(self) -> bool:
        """Whether there is a line to end."""
        return self._doing != ""

    def __call__(self, doing: str, said: str) -> None:
        """Shows it."""
        if self._is_live:
            line = f"{self._title}: {doing} … {monotonic() - self._start:.0f} s"
            # One column stays free: a terminal may go to the next line when the last one is used.
            width = shutil.get_terminal_size().columns - 1
            self._write(_WIPE + cut(f"{line}  {printable(said)}" if said else line, width))
        elif doing != self._doing:
            self._write(f"{self._title}: {doing}\n")
        self._doing = doing

    def done(self, outcome: str) -> None:
        """Ends with a line that stays."""
        seconds = monotonic() - self._start
        line = f"{self._title}: {outcome}{f' in {seconds:.1f} s' if self._doing else ''}\n"
        self._write(_WIPE + line if self._is_live else line)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def table(head: Sequence[str], rows: Iterable[Sequence[str]], stream: TextIO) -> str:
    """Columns as wide as they must be; the state in colour where the stream shows colours."""
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    has_colour = stream.isatty() and "NO_COLOR" not in os.environ
    shown: list[str] = []
    for number, line in enumerate(lines):
        padded = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        style = "1" if number == 0 else next((_STYLES[cell] for cell in line if cell in _STYLES), "")
        shown.append(f"\x1b[{style}m{padded}\x1b[0m" if style and has_colour else padded)
    return "\n".join(shown)


def short(path: Path) -> str:
    """The path, from the home directory where it is in there."""
    home = Path.home()
    return f"~{os.sep}{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def cut(text: str, width: int) -> str:
    """At most so many characters."""
    return text if len(text) <= width else f"{text[: max(width - 1, 0)]}…"


def printable(text: str) -> str:
    """Without what would move the cursor or change colours."""
    return "".join(each for each in text if unicodedata.category(each)[0] != "C")

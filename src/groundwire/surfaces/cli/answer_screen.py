"""How an answer looks on a terminal: in colour where colours are wanted, and never able to steer it.

Above: ``operation_command``. Below: nothing.
"""

import os
import re
import unicodedata
from typing import TextIO

_BOLD, _DIM, _GREEN, _YELLOW, _MAGENTA, _CYAN = "1", "2", "32", "33", "35", "36"
_PLACE = re.compile(r"^( +)((?:[^\s:]+:)*\d+[:-]\d+(?:-\d+:\d+)?)(?= |$)")
_CODE = re.compile(r"\(confirmed[^)]*\)")
_UNPROVEN = ("not known", "not proven", "At least", "at least")


def on_screen(text: str, stream: TextIO) -> str:
    """The text as it is for programs; for people, safe to show, and coloured unless ``NO_COLOR`` is set."""
    if not stream.isatty():
        return text
    lines = [_safe(line) for line in text.split("\n")]
    if os.environ.get("NO_COLOR"):
        return "\n".join(lines)
    return "\n".join([_first(lines[0]), *map(_coloured, lines[1:])])


def _safe(line: str) -> str:
    """Source may hold anything: what would move the cursor or change the terminal is left out."""
    return "".join(each for each in line if each == "\t" or unicodedata.category(each) not in ("Cc", "Cf"))


def _first(line: str) -> str:
    if any(words in line for words in _UNPROVEN):
        return _styled(line, _YELLOW)
    proof = _CODE.search(line)
    if proof is None:
        return _styled(line, _BOLD)
    return _styled(line[: proof.start()], _BOLD) + _styled(proof[0], _GREEN) + line[proof.end() :]


def _coloured(line: str) -> str:
    if line.startswith(("Next: ", "+", "Nothing from")):
        return _styled(line, _DIM)
    place = _PLACE.match(line)
    if place is not None:
        return f"{place[1]}{_styled(place[2], _CYAN)}{line[place.end() :]}"
    is_heading = line and not line[0].isspace() and " " not in line
    return _styled(line, _MAGENTA) if is_heading else line


def _styled(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m"

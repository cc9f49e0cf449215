"""How much each host lets through to its model, and a text cut to it.

Sizes are bytes of UTF-8: hosts count bytes, characters or tokens, and none of these is ever more than the bytes.
Above: ``output``. Below: nothing.
"""

from collections.abc import Mapping

from groundwire.surfaces.hooks.event import Agent

_USUAL = 10_000
_ROOMS: Mapping[Agent, int] = {"codex": 8_000, "cline": 50_000}
_FOR_THE_REST = len(b"\n+999,999,999 more lines")


def room_of(agent: Agent) -> int:
    """The most that is said to this host at once."""
    return _ROOMS.get(agent, _USUAL)


def cut(text: str, room: int) -> str:
    """The text within the room, cut at the end of a line; what is left out is counted."""
    if _size(text) <= room:
        return text
    lines = text.rstrip("\n").split("\n")
    kept = _lines_that_fit(lines, room - _FOR_THE_REST)
    shown = lines[:kept] if kept else [_start_of(lines[0], room - _FOR_THE_REST)]
    left = len(lines) - len(shown)
    return "\n".join([*shown, f"+{left:,} more lines"] if left else shown)


def _lines_that_fit(lines: list[str], room: int) -> int:
    used = 0
    for number, line in enumerate(lines):
        used += _size(line) + 1
        if used > room:
            return number
    return len(lines)


def _start_of(line: str, room: int) -> str:
    mark = " …"
    return line.encode()[: room - _size(mark)].decode("utf-8", "ignore") + mark


def _size(text: str) -> int:
    return len(text.encode())

"""The patches of ``apply_patch``: which files one touches, and what it puts in place of what.

Above: ``tool_calls``. Below: ``event``.
"""

import re
from typing import NamedTuple

from groundwire.surfaces.hooks.event import Replaced

_HEADER = re.compile(r"\*\*\* (?:(Add|Update|Delete) File|Move to): *(.+)")
_BETWEEN_PIECES = ("@@", "***")


class Patch(NamedTuple):
    """What a patch touches."""

    files: tuple[str, ...]
    """In their order, each once: added, updated, deleted, and both names of one that is moved."""
    is_whole: bool
    """It writes a whole file, or concerns more than one."""
    replaced: tuple[Replaced, ...] = ()
    """In files that are updated; under the old name of one that is moved."""


def read_patch(text: str) -> Patch | None:
    """What the patch does, whatever is around it; None when there is no header."""
    reader = _Reader()
    for line in text.split("\n"):
        reader.read(line)
    reader.end_piece()
    reader.files.pop("", None)
    files = tuple(reader.files)
    return Patch(files, reader.has_added or len(files) > 1, tuple(reader.replaced)) if files else None


class _Reader:
    """Line by line."""

    def __init__(self) -> None:
        self.files: dict[str, None] = {}
        self.has_added = False
        self.replaced: list[Replaced] = []
        self._is_in_update = False
        self._updated = ""
        self._old: list[str] = []
        self._new: list[str] = []

    def read(self, line: str) -> None:
        # A line of context starts with a blank, so that within an update only what is not indented is a header.
        header = _HEADER.match(line if self._is_in_update else line.lstrip())
        if header is not None:
            self._begin_file(*header.groups())
        elif not line or line[0] in " -+":
            self._add(line)
        elif line.startswith(_BETWEEN_PIECES):
            self.end_piece()

    def end_piece(self) -> None:
        """What was read of it is complete."""
        old, new = "".join(self._old), "".join(self._new)
        if self._updated and old != new:
            self.replaced.append(Replaced(self._updated, old, new))
        self._old, self._new = [], []

    def _begin_file(self, kind: str | None, name: str) -> None:
        self.end_piece()
        self.has_added |= kind == "Add"
        self._is_in_update = kind in ("Update", None)
        if kind is not None:
            self._updated = name.strip() if kind == "Update" else ""
        self.files[name.strip()] = None

    def _add(self, line: str) -> None:
        mark, rest = line[:1], f"{line[1:]}\n"
        if mark != "+":
            self._old.append(rest)
        if mark != "-":
            self._new.append(rest)

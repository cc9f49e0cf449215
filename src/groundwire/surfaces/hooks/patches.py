"""The patches of ``apply_patch``: which files one touches.

Above: ``tool_calls``. Below: nothing.
"""

import re
from typing import NamedTuple

_HEADER = re.compile(r"\*\*\* (?:(Add|Update|Delete) File|Move to): *(.+)")


class Patch(NamedTuple):
    """What a patch touches."""

    files: tuple[str, ...]
    """In their order, each once: added, updated, deleted, and both names of one that is moved."""
    is_whole: bool
    """It writes a whole file, or concerns more than one."""


def read_patch(text: str) -> Patch | None:
    """The files that the headers of the patch name, whatever is around it; None when there is no header."""
    files: dict[str, None] = {}
    has_added = is_in_update = False
    for line in text.split("\n"):
        # A line of context starts with a blank, so that within an update only what is not indented is a header.
        header = _HEADER.match(line if is_in_update else line.lstrip())
        if header is None:
            continue
        kind, name = header.groups()
        has_added |= kind == "Add"
        is_in_update = kind in ("Update", None)
        files[name.strip()] = None
    files.pop("", None)
    return Patch(tuple(files), has_added or len(files) > 1) if files else None

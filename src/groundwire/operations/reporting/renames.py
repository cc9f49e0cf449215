"""Which new files of a change set are old ones under another name: those that share most of their lines.

Pure. Above: ``check_changes``. Below: ``dependents``.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from groundwire.operations.reporting.dependents import Edited

_ALIKE = 0.5
_MOST_PAIRS = 2_500


def find_renames(edits: Sequence[Edited]) -> dict[Path, Edited]:
    """The new file's path → what it was. The most alike go together, each but once."""
    new = [edit for edit in edits if edit.before == "" and edit.after]
    gone = [edit for edit in edits if edit.after is None and edit.before]
    if len(new) * len(gone) > _MOST_PAIRS:
        return {}
    lines = {edit.file: Counter((edit.after or edit.before or "").splitlines()) for edit in (*new, *gone)}
    pairs = [
        (_likeness(lines[one.file], lines[other.file]), one.file, other)
        for one in new
        for other in gone
        if one.file.suffix == other.file.suffix
    ]
    found: dict[Path, Edited] = {}
    taken: set[Path] = set()
    for likeness, file, other in sorted(pairs, key=lambda pair: (-pair[0], pair[1])):
        if likeness >= _ALIKE and file not in found and other.file not in taken:
            found[file] = other
            taken.add(other.file)
    return found


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / (one.total() + other.total())

"""Who depended on a file the last time, and who was broken: looked at again before it is found out anew.

Above: ``edit_report``. Below: ``dependents``.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from groundwire.operations.reporting.dependents import Dependents, Edited

_MOST_REMEMBERED = 500
_MOST_BROKEN = 20


class DependentsMemory:
    """Which files depended on a file the last time that was found out, and which were broken by edits of others.

    The latter are looked at with every edit until they are mended: otherwise nobody would notice that they are, and
    what breaks them in the same way again would be taken for old.
    """

    def __init__(self) -> None:
        self._files: dict[Path, tuple[Path, ...]] = {}
        self._broken: dict[Path, None] = {}

    def of(self, edited: Iterable[Path]) -> list[Path]:
        """Each once."""
        depending = (each for file in edited for each in self._files.get(file, ()))
        return list(dict.fromkeys((*depending, *reversed(self._broken))))

    def remember(self, edits: Sequence[Edited], found: Dependents) -> None:
        """For one file only: of several nobody knows which of them it was. Everybody is nobody in particular."""
        if len(edits) == 1 and not found.is_everybody:
            self._files.pop(edits[0].file, None)
            self._files[edits[0].file] = found.files
        while len(self._files) > _MOST_REMEMBERED:
            del self._files[next(iter(self._files))]

    def broken(self, file: Path) -> None:
        """An edit broke it."""
        self._broken.pop(file, None)
        self._broken[file] = None
        while len(self._broken) > _MOST_BROKEN:
            del self._broken[next(iter(self._broken))]

    def mended(self, file: Path) -> None:
        """There is no error in it."""
        self._broken.pop(file, None)

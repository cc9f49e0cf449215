"""Fixes that were suggested, under short names, until they are applied or the file is another.

Above: ``fixes``. Below: ``protocol.lsp_actions``.
"""

import weakref
from dataclasses import dataclass
from pathlib import Path

from groundwire.client.session import Session
from groundwire.errors import InvalidArgument
from groundwire.pool.routing import Chosen
from groundwire.protocol.lsp_actions import OfferedAction

_MOST_KEPT = 500


@dataclass(frozen=True, eq=False)
class KeptFix:
    """An action, who offered it, and for what: the text of the file by its hash, and all others by the world."""

    offered: OfferedAction
    chosen: Chosen
    session: "weakref.ref[Session]"
    file: Path
    language: str
    hash: str
    world: int

    @property
    def key(self) -> tuple[object, ...]:
        """The same for the same action of the same server for the same content."""
        return (self.chosen.spec.id, self.file, self.hash, bytes(self.offered.raw))


class FixIds:
    """The last of them. A number is never given twice."""

    def __init__(self) -> None:
        self._kept: dict[str, KeptFix] = {}
        self._names: dict[tuple[object, ...], str] = {}
        self._last = 0

    def keep(self, fix: KeptFix) -> str:
        """The name of a fix; the same again for one that is known."""
        name = self._names.get(fix.key)
        if name is None:
            self._last += 1
            name = f"f{self._last}"
        else:
            del self._kept[name]
        self._kept[name] = fix
        self._names[fix.key] = name
        while len(self._kept) > _MOST_KEPT:
            self._drop(next(iter(self._kept)))
        return name

    def get(self, name: str) -> KeptFix:
        """The fix of that name. Raises InvalidArgument."""
        found = self._kept.get(name)
        if found is None:
            raise InvalidArgument(f"no fix {name[:50]!r} is kept", hint="Ask suggest_fixes for the fixes of the file.")
        return found

    def forget(self, file: Path) -> None:
        """The file is another by now: what was suggested for it does not fit any more."""
        for name in [name for name, fix in self._kept.items() if fix.file == file]:
            self._drop(name)

    def _drop(self, name: str) -> None:
        del self._names[self._kept.pop(name).key]

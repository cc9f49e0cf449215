"""The watcher of a workspace while an event loop runs: opened when first needed, read whenever the system has news.

Above: ``pool``. Below: ``watcher``.
"""

import asyncio
from pathlib import Path

from groundwire.pool.watcher import Watcher, open_watcher
from groundwire.workspace.changes import FileChange


class Watching:
    """``begin`` may be called as often as one likes; nothing that happens after the first time is missed."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._watcher: Watcher | None = None
        self.included: frozenset[str] = frozenset()
        """Directories that are watched because a server names them."""

    def include(self, names: frozenset[str]) -> None:
        """Watch directories of these names too, from now on."""
        self.begin().include(names - self.included)
        self.included |= names

    def begin(self) -> Watcher:
        """Watch from now on."""
        if self._watcher is None:
            self._watcher = open_watcher(self._workspace)
            descriptor = self._watcher.fileno()
            if descriptor is not None:
                asyncio.get_running_loop().add_reader(descriptor, self._watcher.collect)
        return self._watcher

    def changes(self) -> list[FileChange]:
        """Every change that finished by now and was not given before."""
        return self.begin().drain()

    @property
    def note(self) -> str:
        """Why changes on disk may be missed; empty when they are not."""
        return self._watcher.note if self._watcher is not None else ""

    def end(self) -> None:
        """Give everything back."""
        watcher, self._watcher = self._watcher, None
        if watcher is None:
            return
        descriptor = watcher.fileno()
        if descriptor is not None:
            asyncio.get_running_loop().remove_reader(descriptor)
        watcher.close()

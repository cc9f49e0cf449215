"""The watcher of a workspace while an event loop runs: opened when first needed, read whenever the system has news.

What happens while nobody asks is passed on in batches, so that servers are warm by the next question; that question
reads the watcher itself and waits for no batch. Above: ``pool``. Below: ``watcher``.
"""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from groundwire.errors import GroundwireError
from groundwire.pool.watcher import Watcher, open_watcher
from groundwire.workspace.changes import FileChange

log = logging.getLogger(__name__)

BATCH_S = 0.15


class Watching:
    """``begin`` may be called as often as one likes; nothing that happens after the first time is missed.

    ``on_news`` is called a moment after something happened that nobody has asked for yet.
    """

    def __init__(self, workspace: Path, on_news: Callable[[], None]) -> None:
        self._workspace = workspace
        self._on_news = on_news
        self._watcher: Watcher | None = None
        self._batch: asyncio.TimerHandle | None = None
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
                asyncio.get_running_loop().add_reader(descriptor, self._collect)
        return self._watcher

    def changes(self) -> list[FileChange]:
        """Every change that finished by now and was not given before."""
        self._forget_batch()
        return self.begin().drain()

    @property
    def note(self) -> str:
        """Why changes on disk may be missed; empty when they are not."""
        return self._watcher.note if self._watcher is not None else ""

    def end(self) -> None:
        """Give everything back."""
        self._forget_batch()
        watcher, self._watcher = self._watcher, None
        if watcher is None:
            return
        descriptor = watcher.fileno()
        if descriptor is not None:
            asyncio.get_running_loop().remove_reader(descriptor)
        watcher.close()

    def _collect(self) -> None:
        if self._watcher is None:
            return
        self._watcher.collect()
        if self._batch is None:
            self._batch = asyncio.get_running_loop().call_later(BATCH_S, self._tell)

    def _tell(self) -> None:
        self._batch = None
        try:
            self._on_news()
        except GroundwireError as error:  # whoever asks next meets it again, and is told
            log.warning("changes on disk could not be passed on: %s", error)

    def _forget_batch(self) -> None:
        if self._batch is not None:
            self._batch.cancel()
            self._batch = None

"""Files that changed under a server that is not asked about them: somebody watches, so they are checked again.

One at a time, a moment after the last change, and only what a running server has open anyway; what a server says by
itself meanwhile makes it needless. Above: ``watch_look``. Below: ``operations.diagnose``.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path

from groundwire.client.sync import path_of, uri_of
from groundwire.errors import GroundwireError
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from groundwire.workspace.changes import FileChange

log = logging.getLogger(__name__)

_PAUSE_S = 0.3
_WAIT_S = 10.0
_MOST = 100
"""Files that wait."""


class Rechecking:
    """Over one pool."""

    def __init__(self, pool: Pool, pause_s: float = _PAUSE_S) -> None:
        self._pool = pool
        self._pause_s = pause_s
        self._waiting: dict[str, float] = {}
        self._done: dict[str, object] = {}
        """By path: for which content it was checked last, so that what cannot be proven is not checked for ever."""
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Hear of changes on disk from now on."""
        self._pool.seen.append(self._saw)

    def end(self) -> None:
        """Hear no more of them, and check nothing."""
        self._pool.seen.remove(self._saw)
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()

    def look(self, doubtful: Iterable[str], now: float) -> None:
        """Begin the next check, if one is due. ``doubtful``: files whose findings are about older content."""
        for path in doubtful:
            if len(self._waiting) < _MOST:
                self._waiting.setdefault(path, now)
        if self._task is not None and not self._task.done():
            return
        for path, since in tuple(self._waiting.items()):
            content = self._content(path)
            if not content or self._done.get(path) == content:
                del self._waiting[path]
            elif now - since >= self._pause_s:
                del self._waiting[path]
                self._note_done(path, content)
                self._task = asyncio.ensure_future(self._check(path))
                return

    def _saw(self, changes: Sequence[FileChange]) -> None:
        if not changes:
            return
        now = asyncio.get_running_loop().time()
        documents = (document for each in self._pool.instances() for document in each.session.state.documents)
        are_open = {path_of(document.uri) for document in documents}
        for path in (change.path for change in changes if change.path in are_open):
            if len(self._waiting) < _MOST:
                self._waiting[path] = now

    def _content(self, path: str) -> tuple[object, ...]:
        """What running servers were told of it; nothing where none has it open."""
        uri = uri_of(path)
        ready = (each.session for each in self._pool.instances() if not each.is_starting)
        told = ((id(each), each.state.documents.get(uri)) for each in ready)
        return tuple((session, document.told_at) for session, document in told if document is not None)

    def _note_done(self, path: str, content: object) -> None:
        if len(self._done) >= _MOST:
            self._done.pop(next(iter(self._done)))
        self._done[path] = content

    async def _check(self, path: str) -> None:
        try:
            await check_files(self._pool, [Path(path)], wait_s=_WAIT_S)
        except GroundwireError as error:  # it is gone, say: what was known of it goes with the next look
            log.debug("%s was not checked again: %s", path, error)

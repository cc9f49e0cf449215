"""What clients are told without asking, as log messages: errors that have come up, servers that are ready, crash and
come back, references that may be stale.

One look at the pool serves all who want to know, and nobody looks while nobody does. Each has a short queue and a task
of its own: one that does not read keeps the others from nothing. Above: ``notices_handlers``. Below:
``notices_health``, ``notices_errors``, ``notices_changes``, ``daemon.watch_look``.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import get_args

from groundwire.daemon.watch_look import EVERY_S, Lookout
from groundwire.daemon.watch_messages import News, ServersChanged
from groundwire.errors import GroundwireError
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.edge import typed
from groundwire.surfaces.mcp.notices_changes import ChangedSources
from groundwire.surfaces.mcp.notices_errors import ErrorCounts, Rise
from groundwire.surfaces.mcp.notices_health import Level, Notice, ServerHealth
from groundwire.surfaces.mcp.notices_quiet import Quiet

REGRESSION_QUIET_S = 0.5
STALE_QUIET_S = 3.0
_MOST_WAITING = 100
_MOST_AT_ONCE = 20
_LAST_WORDS_S = 1.0
_LEVELS: tuple[Level, ...] = get_args(Level)

Send = Callable[[Notice], Awaitable[None]]


class Listener:
    """One who wants to know what matters at least as much as ``level``."""

    def __init__(self, level: Level, send: Send) -> None:
        self.level: Level = level
        self._send = send
        self._waiting: deque[Notice] = deque(maxlen=_MOST_WAITING)
        self._sending: asyncio.Task[None] | None = None

    def hear(self, notice: Notice) -> None:
        """It is sent beside everything else; of what waits for too long the oldest goes."""
        if _LEVELS.index(notice.level) < _LEVELS.index(self.level):
            return
        self._waiting.append(notice)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.ensure_future(self._send_waiting())

    @property
    def waiting(self) -> int:
        """How much has not been sent yet."""
        return len(self._waiting)

    async def finish(self) -> None:
        """What waits is sent, for a moment."""
        if self._sending is not None:
            await asyncio.wait([self._sending], timeout=_LAST_WORDS_S)
        self.stop()

    def stop(self) -> None:
        """Nothing more is sent."""
        self._waiting.clear()
        if self._sending is not None:
            self._sending.cancel()

    async def _send_waiting(self) -> None:
        while self._waiting:
            try:
                await typed("a notice", self._send(self._waiting.popleft()))
            except GroundwireError:  # nobody is there any more, it seems; the log has it
                self._waiting.clear()


class Notices:
    """Of one pool, for all its clients; ``Notices.of`` gives the one there is."""

    def __init__(
        self,
        pool: Pool,
        every_s: float = EVERY_S,
        regression_quiet_s: float = REGRESSION_QUIET_S,
        stale_quiet_s: float = STALE_QUIET_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = pool
        self._clock = clock
        self._every_s = every_s
        self._regression = Quiet(regression_quiet_s)
        self._stale = Quiet(stale_quiet_s)
        self._listeners: set[Listener] = set()
        self._begin_anew()

    @staticmethod
    def of(pool: Pool) -> "Notices":
        """The one of the pool."""
        return pool.kept.get(Notices, lambda: Notices(pool))

    async def add(self, level: Level, send: Send) -> Listener:
        """One who is told what happens from now on."""
        listener = Listener(level, send)
        if not self._listeners:
            self._begin_anew()
        self._listeners.add(listener)
        lookout = self._lookout
        try:
            await lookout.begin()
        except BaseException:
            self._listeners.discard(listener)
            lookout.end()
            raise
        return listener

    def remove(self, listener: Listener) -> None:
        """It hears no more."""
        listener.stop()
        if listener in self._listeners:
            self._listeners.discard(listener)
            self._lookout.end()

    @property
    def listeners(self) -> int:
        """How many want to know anything."""
        return len(self._listeners)

    @property
    def is_quiet(self) -> bool:
        """Whether all that was seen has been told."""
        return not (self._regression.is_on or self._stale.is_on)

    def errors_in(self, file: Path) -> int | None:
        """How many errors the file was last seen to have, if any server has said so."""
        return self._errors.count(str(file))

    def _begin_anew(self) -> None:
        """What happened while nobody listened is nobody's news."""
        self._lookout = Lookout(self._pool, self._heard, self._every_s, self._look)
        self._health = ServerHealth()
        self._errors = ErrorCounts()
        self._changes: int | None = None
        self._changes_told = 0
        for quiet in (self._regression, self._stale):
            quiet.forget()

    def _heard(self, news: News) -> None:
        if isinstance(news, ServersChanged):
            for notice in self._health.look(news.servers, news.counts):
                self._tell(notice)

    def _look(self) -> None:
        now = self._clock()
        if self._errors.look(self._pool.instances()):
            self._regression.happened(now)
        if self._regression.is_over(now):
            self._regression.forget()
            self._tell_rises(self._errors.rises())
        self._look_at_changes(now)

    def _tell_rises(self, rises: list[Rise]) -> None:
        for rise in rises[:_MOST_AT_ONCE]:
            file = rise.path.removeprefix(f"{self._pool.workspace.as_posix()}/")
            words = f"{file} has {rise.errors} error{'s' * (rise.errors != 1)}, {rise.delta} more than before."
            if rise is rises[:_MOST_AT_ONCE][-1] and len(rises) > _MOST_AT_ONCE:
                words += f" {len(rises) - _MOST_AT_ONCE} more files have more errors, too."
            data = {"type": "diagnostic_regression", "file": file, "errors": rise.errors, "delta": rise.delta}
            self._tell(Notice("warning", {**data, "message": words}))

    def _look_at_changes(self, now: float) -> None:
        changed = ChangedSources.of(self._pool)
        if self._changes is None:
            self._changes = self._changes_told = changed.count
        if changed.count != self._changes:
            self._changes = changed.count
            self._stale.happened(now)
        if self._stale.is_over(now):
            self._stale.forget()
            files, self._changes_told = changed.files_since(self._changes_told), changed.count
            words = f"{files} source{'s' * (files != 1)} changed on disk: references found before may be stale."
            self._tell(Notice("info", {"type": "stale_references", "files_changed": files, "message": words}))

    def _tell(self, notice: Notice) -> None:
        for listener in self._listeners:
            listener.hear(notice)

"""Tells who wants to know that a resource has become another one. It is looked at only when files or servers have
changed, and only a moment after the last change: a burst is told once.

Above: ``server``. Below: ``resources``, ``notices_changes``, ``notices_quiet``, ``pool``.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from groundwire.client.session import Session
from groundwire.errors import GroundwireError
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.edge import typed
from groundwire.surfaces.mcp.notices_changes import ChangedSources
from groundwire.surfaces.mcp.notices_quiet import Quiet
from groundwire.surfaces.mcp.resources import REFERENCES, read_resource

_EVERY_S = 0.5
QUIET_S = 2.0
_STALE_QUIET_S = 3.0

Notify = Callable[[str], Awaitable[None]]
"""Sends that the resource of that address has changed."""


@dataclass(eq=False)
class Watch:
    """One resource that someone watches."""

    uri: str
    notify: Notify
    essence: object = None
    quiet: Quiet = field(default_factory=lambda: Quiet(QUIET_S))


class Watching:
    """All watches over one pool; it looks only while there are any.

    ``every_s``: how often it is seen whether anything has changed; ``quiet_s``, how long nothing must have before the
    resources are read again.
    """

    def __init__(
        self,
        pool: Pool,
        every_s: float = _EVERY_S,
        quiet_s: float = QUIET_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = pool
        self._clock = clock
        self._every_s = every_s
        self._quiet_s = quiet_s
        self._watches: set[Watch] = set()
        self._task: asyncio.Task[None] | None = None
        self._world: object = None
        self._changes = 0
        self._has_echoed = False
        """Looking at a resource may move the world itself: then it is looked at once more, and no further."""

    async def add(self, uri: str, notify: Notify) -> Watch:
        """Watch a resource from now on. Raises a GroundwireError when there is none."""
        essence = (await read_resource(self._pool, uri)).essence
        factor = _STALE_QUIET_S / QUIET_S if uri.startswith(REFERENCES) else 1.0
        watch = Watch(uri, notify, essence, Quiet(self._quiet_s * factor))
        watch.quiet.happened(self._clock())  # whatever changed while it was read
        self._watches.add(watch)
        if self._task is None:
            self._task = asyncio.create_task(self._look_on())
        return watch

    def remove(self, watch: Watch) -> None:
        """Watch it no more."""
        self._watches.discard(watch)
        if not self._watches and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(self._every_s)
            self._pool.refresh()
            if self._has_moved():
                self._has_echoed = False
                self._all_may_have_changed()
            due = [watch for watch in self._watches if watch.quiet.is_over(self._clock())]
            for watch in due:
                watch.quiet.forget()
                await self._look(watch)
            changes = self._changes
            if due and self._has_moved() and (self._changes != changes or not self._has_echoed):
                self._has_echoed = self._changes == changes
                self._all_may_have_changed()

    def _has_moved(self) -> bool:
        before = (self._changes, self._world)
        self._changes, self._world = ChangedSources.of(self._pool).count, self._fingerprint()
        return before != (self._changes, self._world)

    def _all_may_have_changed(self) -> None:
        for watch in self._watches:
            watch.quiet.happened(self._clock())

    async def _look(self, watch: Watch) -> None:
        try:
            essence: object = (await typed(watch.uri, read_resource(self._pool, watch.uri))).essence
        except GroundwireError as error:
            essence = str(error)
        if essence == watch.essence or watch not in self._watches:
            return
        watch.essence = essence
        try:
            await typed(watch.uri, watch.notify(watch.uri))
        except GroundwireError:  # one that cannot be told keeps the others from nothing; the log has it
            self.remove(watch)

    def _fingerprint(self) -> object:
        """Anything that may change a resource changes it; looking at a resource may, too."""
        return tuple(_of(instance.session) for instance in self._pool.instances())


def _of(session: Session) -> tuple[object, ...]:
    state = session.state
    said = [state.diagnostics.record(file).pushed for file in state.diagnostics.files()]
    last = max((publication.received for publication in said if publication is not None), default=0.0)
    readiness = state.readiness.describe(session.now())
    return (id(session), session.life, state.documents.clock, state.diagnostics.refreshes, last, readiness)

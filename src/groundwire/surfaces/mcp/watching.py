"""Tells who wants to know that a resource has become another one. Looked at only when files or servers have changed.

Above: ``server``. Below: ``resources``, ``pool``.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from groundwire.client.session import Session
from groundwire.errors import GroundwireError
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.edge import typed
from groundwire.surfaces.mcp.resources import read_resource

_EVERY_S = 2.0

Notify = Callable[[str], Awaitable[None]]
"""Sends that the resource of that address has changed."""


@dataclass(eq=False)
class Watch:
    """One resource that someone watches."""

    uri: str
    notify: Notify
    essence: object = None


class Watching:
    """All watches over one pool; it looks only while there are any."""

    def __init__(self, pool: Pool, every_s: float = _EVERY_S) -> None:
        self._pool = pool
        self._every_s = every_s
        self._watches: set[Watch] = set()
        self._task: asyncio.Task[None] | None = None
        self._world: object = None

    async def add(self, uri: str, notify: Notify) -> Watch:
        """Watch a resource from now on. Raises a GroundwireError when there is none."""
        watch = Watch(uri, notify, (await read_resource(self._pool, uri)).essence)
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
            if self._fingerprint() == self._world:
                continue
            for watch in tuple(self._watches):
                await self._look(watch)
            self._world = self._fingerprint()

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

"""Looks at a pool while anybody watches: what servers do, what they say, what is asked, what is edited.

Nothing of it runs while nobody watches. Above: ``watch``. Below: ``watch_known``, ``watch_recheck``, ``watch_record``.
"""

import asyncio
import logging
from collections.abc import Callable

import msgspec

from groundwire.daemon.watch_known import KnownFindings
from groundwire.daemon.watch_messages import CallEnded, EditMade, FindingsChanged, News, ServersChanged
from groundwire.daemon.watch_recheck import Rechecking
from groundwire.daemon.watch_record import edit_news
from groundwire.errors import GroundwireError
from groundwire.operations.journal import CallRecord, Event, Journal
from groundwire.pool.pool import Pool
from groundwire.pool.status import ServerStatus

log = logging.getLogger(__name__)

EVERY_S = 0.25
_MEMORY_EVERY_S = 2.0
_NOTABLE_MB = 5
"""How much more or less memory is worth telling."""
_MOST_OF_THE_TIME = 0.02
"""Where changes on disk have to be searched for, no more than this part of the time goes into it."""


class Lookout:
    """``tell`` hears every change from the first ``begin`` to the last ``end``."""

    def __init__(
        self,
        pool: Pool,
        tell: Callable[[News], None],
        every_s: float = EVERY_S,
        look_besides: Callable[[], object] = bool,
    ) -> None:
        self._pool = pool
        self._tell = tell
        self._every_s = every_s
        self._look_besides = look_besides
        self._journal = pool.kept.get(Journal)
        self.findings = KnownFindings(pool.workspace)
        self._rechecking = Rechecking(pool)
        self._essence: object = ()
        self._memory: dict[tuple[str, str], float] = {}
        self._memory_at = float("-inf")
        self._refresh_at = float("-inf")
        self._watchers = 0
        self._task: asyncio.Task[None] | None = None
        self._looking = asyncio.Lock()

    async def begin(self) -> "asyncio.Task[None]":
        """One more watches; everything has been looked at when it returns. The task ends only when looking fails."""
        self._watchers += 1
        if self._watchers == 1:
            self._journal.listeners.append(self._happened)
            self._rechecking.begin()
            self._task = asyncio.ensure_future(self._look_on())
        looking = self._task
        assert looking is not None  # noqa: S101  the first has begun it
        await self.look()
        return looking

    def end(self) -> None:
        """One less."""
        self._watchers -= 1
        if self._watchers == 0 and self._task is not None:
            self._journal.listeners.remove(self._happened)
            self._rechecking.end()
            self._task.cancel()
            self._task = None

    def servers(self) -> tuple[ServerStatus, ...]:
        """As they are now; their memory is that of two seconds ago."""
        return tuple(map(self._measured, self._pool.status(has_memory=False)))

    def _measured(self, status: ServerStatus) -> ServerStatus:
        has_memory = status.pid is not None and not status.process_of
        memory = self._memory.get((status.server, status.root)) if has_memory else None
        memory = round(memory, 1) if memory is not None else None
        return msgspec.structs.replace(status, since_s=round(status.since_s, 1), memory_mb=memory)

    async def look(self) -> None:
        """Once: tells what has changed since the last time."""
        async with self._looking:
            self._refresh()
            await self._measure()
            self._look_besides()
            seen = self.servers()
            essence = (tuple(map(_essence, seen)), self._pool.seats.counts())
            if essence != self._essence:
                self._essence = essence
                self._tell(ServersChanged(servers=seen, counts=self._pool.seats.counts()))
            changed = await self.findings.look(self._pool.instances(), {(each.server, each.root) for each in seen})
            if changed:
                self._tell(FindingsChanged(files=changed, more_files=self.findings.more_files))
            self._rechecking.look(self.findings.doubtful(), _now())

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(self._every_s)
            await self.look()

    def _refresh(self) -> None:
        """Servers hear of changes on disk, so that they say what those lead to."""
        began = _now()
        if began < self._refresh_at or not self._pool.instances():
            return
        try:
            self._pool.refresh()
        except GroundwireError as error:  # whoever asks next meets it again, and is told
            log.warning("changes on disk could not be passed on: %s", error)
        now = _now()
        self._refresh_at = now + (now - began) / _MOST_OF_THE_TIME

    async def _measure(self) -> None:
        if _now() - self._memory_at < _MEMORY_EVERY_S:
            return
        self._memory_at = _now()
        self._memory = await asyncio.to_thread(self._pool.seats.memory_mb)

    def _happened(self, event: Event) -> None:
        self._tell(CallEnded(call=event) if isinstance(event, CallRecord) else EditMade(edit=edit_news(event)))


def _essence(status: ServerStatus) -> object:
    """All that is worth telling: not that time goes by, nor that memory moves a little."""
    memory = round(status.memory_mb / _NOTABLE_MB) if status.memory_mb is not None else None
    return msgspec.structs.replace(status, since_s=0.0, memory_mb=memory)


def _now() -> float:
    return asyncio.get_running_loop().time()

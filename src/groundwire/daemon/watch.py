"""Watching a daemon: first everything there is, then each change, for as long as the watcher stays.

``once`` among the options: only the first. Who watches keeps nothing alive, and is waited for by nobody.
Above: ``background``. Below: ``watch_look``, ``watch_queue``, ``watch_record``.
"""

import asyncio
import os
import time

import psutil

from groundwire.daemon.clients import Clients
from groundwire.daemon.greeting import Greeting
from groundwire.daemon.watch_look import EVERY_S, Lookout
from groundwire.daemon.watch_messages import ClientLine, DaemonChanged, News, Snapshot, dump
from groundwire.daemon.watch_queue import WatchQueue
from groundwire.daemon.watch_record import edit_news, tallies_of
from groundwire.operations.journal import Journal
from groundwire.pool.pool import Pool
from groundwire.version import VERSION

_MEGABYTE = 1e6
_NOTABLE_MB = 5
_SHOWN_CALLS = 100
_SHOWN_EDITS = 50


class WatchConversation:
    """Over one pool."""

    def __init__(self, pool: Pool, every_s: float = EVERY_S) -> None:
        self._pool = pool
        self._queues: set[WatchQueue] = set()
        self._lookout = Lookout(pool, self._tell, every_s, self._look_at_daemon)
        self._told: object = None
        self._started = time.time()
        self.clients: Clients | None = None
        """The daemon's, once there is one."""

    async def converse(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Until the watcher hangs up."""
        queue = WatchQueue()
        is_once = bool(greeting.options.get("once"))
        try:
            looking = await self._lookout.begin()
            # Without a pause between the two: what happens from here on is in the queue, what happened in the snapshot.
            writer.write(dump(self.snapshot()))
            self._queues.add(queue)
            telling = asyncio.ensure_future(writer.drain() if is_once else self._go_on(queue, writer))
            hearing = asyncio.ensure_future(reader.read())
            try:
                await asyncio.wait([telling, hearing, looking], return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (telling, hearing):
                    task.cancel()
                await asyncio.gather(telling, hearing, return_exceptions=True)
            if looking.done():
                looking.result()  # a defect: the log has it, and whoever watches begins anew
        finally:
            self._queues.discard(queue)
            self._lookout.end()

    def snapshot(self) -> Snapshot:
        """Everything, as far as it has been looked at."""
        journal = self._pool.kept.get(Journal)
        return Snapshot(
            root=str(self._pool.workspace),
            pid=os.getpid(),
            version=VERSION,
            uptime_s=self._uptime_s(),
            memory_mb=_memory_mb(),
            clients=self._clients(),
            servers=self._lookout.servers(),
            findings=self._lookout.findings.shown,
            calls=tuple(journal.calls)[-_SHOWN_CALLS:],
            edits=tuple(map(edit_news, tuple(journal.edits)[-_SHOWN_EDITS:])),
            tallies=tallies_of(journal),
            counts=self._pool.seats.counts(),
            more_files=self._lookout.findings.more_files,
        )

    def _look_at_daemon(self) -> None:
        clients, memory_mb = self._clients(), _memory_mb()
        essence = round(memory_mb / _NOTABLE_MB), [(each.client, each.conversation) for each in clients]
        if essence != self._told:
            self._told = essence
            self._tell(DaemonChanged(uptime_s=self._uptime_s(), memory_mb=memory_mb, clients=clients))

    def _uptime_s(self) -> float:
        return round(time.time() - self._started, 1)

    def _clients(self) -> tuple[ClientLine, ...]:
        now, present = time.monotonic(), self.clients.all if self.clients is not None else ()
        return tuple(
            ClientLine(client=each.client, conversation=each.conversation, since_s=round(now - each.since, 1))
            for each in present
        )

    def _tell(self, news: News) -> None:
        if self._queues:
            line = dump(news)
            for queue in self._queues:
                queue.put(line)

    async def _go_on(self, queue: WatchQueue, writer: asyncio.StreamWriter) -> None:
        await writer.drain()
        while True:
            lines = await queue.take()
            if queue.dropped:
                lines = queue.begin_anew() + dump(self.snapshot())
            writer.write(lines)
            await writer.drain()


def _memory_mb() -> float:
    return round(psutil.Process().memory_info().rss / _MEGABYTE, 1)

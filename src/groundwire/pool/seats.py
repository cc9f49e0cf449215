"""The seats of a pool, by (server, root): who sits there is noticed and cleared away when it has ended, and whoever is
idle or takes too much memory has to leave.

Decisions are made synchronously; stopping what is not needed any more goes on beside them.
Above: ``pool``. Below: ``seat``, ``housekeeping``.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from groundwire.pool.housekeeping import plan_evictions, tenants_of
from groundwire.pool.instance import Instance
from groundwire.pool.routing import Chosen
from groundwire.pool.seat import Seat
from groundwire.pool.settings import PoolSettings
from groundwire.pool.status import ServerCounts, ServerStatus

log = logging.getLogger(__name__)

Start = Callable[[Chosen, float, dict[str, str]], Instance]


class Seats:
    """``gave_up`` is told of every instance that is cleared away."""

    def __init__(self, settings: PoolSettings, start: Start, gave_up: Callable[[Instance], None]) -> None:
        self._settings = settings
        self._start = start
        self._gave_up = gave_up
        self._seats: dict[tuple[str, Path], Seat] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._housekeeper: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        return f"<Seats {list(self._seats.values())}>"

    def take(self, chosen: Chosen) -> Instance:
        """The instance for a choice: the running one, or one that starts now. SessionDead: it failed too often."""
        key = (chosen.spec.id, chosen.root)
        seat = self._seats.get(key)
        if seat is None:
            seat = self._seats[key] = Seat(chosen, self._settings.policy_of(chosen.spec.id), self._start)
        seat.chosen = chosen
        self._look(seat)
        if self._housekeeper is None:
            self._housekeeper = asyncio.ensure_future(self._keep_house())
        return seat.take(_now())

    def instances(self) -> tuple[Instance, ...]:
        """All that run or are about to."""
        return tuple([seat.instance for seat in self._seats.values() if seat.instance is not None])

    def status(self, *, has_memory: bool) -> tuple[ServerStatus, ...]:
        """The state of every one. Asking the system for their memory takes milliseconds."""
        for seat in self._seats.values():
            self._look(seat)
        return tuple(seat.status(_now(), has_memory=has_memory) for seat in self._seats.values())

    def counts(self) -> tuple[ServerCounts, ...]:
        """What has happened to each of them."""
        return tuple(seat.counts() for seat in self._seats.values())

    def memory_mb(self) -> dict[tuple[str, str], float]:
        """What each process of a server uses, by server and root. A few milliseconds; any thread may ask."""
        return {(server, str(root)): seat.memory_mb() for (server, root), seat in list(self._seats.items())}

    async def restart(self, server: str, root: Path | None, why: str) -> int:
        """Stop a server (or all) at every root (or at one and below it), and who shares its process."""
        every = list(self._seats.values())
        named = [seat for seat in every if server in ("", seat.chosen.spec.id)]
        meant = [seat for seat in named if root is None or seat.chosen.root.is_relative_to(root)]
        sessions = [seat.instance.session for seat in meant if seat.instance is not None]
        seats = [seat for seat in every if seat in meant or (seat.instance and seat.instance.session in sessions)]
        for seat in seats:
            seat.restarts.forgive()
        await _stop_all(seat.leave(_now(), why) for seat in seats)
        return len(seats)

    async def remove_below(self, folder: Path) -> None:
        """Stop what runs for a folder, and forget it."""
        keys = [key for key in self._seats if key[1].is_relative_to(folder)]
        await _stop_all(self._seats.pop(key).leave(_now(), "") for key in keys)

    async def stop(self) -> None:
        """Stop all at once."""
        if self._housekeeper is not None:
            self._housekeeper.cancel()
            await asyncio.gather(self._housekeeper, return_exceptions=True)
            self._housekeeper = None
        instances = self.instances()
        self._seats.clear()
        await asyncio.gather(_stop_all(instances), *self._leaving)

    def keep_house(self) -> None:
        """Clear away what has ended; stop what is idle or takes too much memory. Called now and then."""
        now = _now()
        for seat in self._seats.values():
            self._look(seat)
        running = [seat for seat in self._seats.values() if seat.instance is not None]
        total_mb = self._settings.total_memory_mb
        for eviction in plan_evictions(tenants_of(running, now, total_mb), total_mb):
            seat = running[eviction.key]
            log.info("%s is stopped: %s", seat.chosen.spec.id, eviction.reason)
            self._clear(seat.leave(now, eviction.reason))

    async def _keep_house(self) -> None:
        while True:
            await asyncio.sleep(self._settings.housekeeping_s)
            self.keep_house()

    def _look(self, seat: Seat) -> None:
        """Notice what has ended, and clear it away."""
        self._clear(seat.look(_now()))

    def _clear(self, instance: Instance | None) -> None:
        """Stop an instance beside everything else."""
        if instance is None:
            return
        self._gave_up(instance)
        task = asyncio.ensure_future(instance.stop())
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)


async def _stop_all(instances: Iterable[Instance | None]) -> None:
    await asyncio.gather(*(instance.stop() for instance in instances if instance is not None))


def _now() -> float:
    return asyncio.get_running_loop().time()

"""The servers of one workspace, by (server, root): started when first needed, brought up to date before every question.

Decisions are made synchronously over the table of seats; stopping what is not needed any more goes on beside it.
Above: ``operations``. Below: ``seat``, ``routing``, ``watcher``, ``housekeeping``.
"""

import asyncio
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from groundwire.client.session import Session
from groundwire.client.sync import close_surplus
from groundwire.pool.housekeeping import Tenant, plan_evictions
from groundwire.pool.instance import Instance, options_for
from groundwire.pool.routing import Chosen, Route, route
from groundwire.pool.seat import Seat
from groundwire.pool.settings import PoolSettings
from groundwire.pool.status import ServerStatus
from groundwire.pool.watcher import Watcher, open_watcher
from groundwire.registry.catalog import Catalog, load_catalog

log = logging.getLogger(__name__)


class Pool:
    """Use it as an async context manager: leaving it stops every server."""

    def __init__(
        self,
        workspace: Path,
        *,
        catalog: Catalog | None = None,
        only: frozenset[str] = frozenset(),
        environment: Mapping[str, str] | None = None,
        settings: PoolSettings | None = None,
    ) -> None:
        self.workspace = workspace.resolve()
        self.settings = settings or PoolSettings()
        self.catalog = catalog or load_catalog()
        self._only = only
        self._environment: Mapping[str, str] = dict(os.environ) if environment is None else environment
        self._seats: dict[tuple[str, Path], Seat] = {}
        self._watcher: Watcher | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        self._housekeeper: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        return f"<Pool {self.workspace} {list(self._seats.values())}>"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def route(self, path: Path) -> Route:
        """Which servers take care of a file. Raises why there is none: a GroundwireError."""
        refusal = self.settings.refusal(path)
        if refusal is not None:
            raise refusal
        gate = self.settings.program_gate
        return route(path, self.workspace, self.catalog, self._environment, self._only, gate)

    def instance(self, chosen: Chosen) -> Instance:
        """The instance for a choice: the running one, or one that starts now. SessionDead: it failed too often."""
        self._watch()  # before the server can read anything, so that no change falls between
        key = (chosen.spec.id, chosen.root)
        seat = self._seats.get(key)
        if seat is None:
            seat = self._seats[key] = Seat(chosen, self.settings.policy_of(chosen.spec.id), self._start)
        seat.chosen = chosen
        self._clear(seat.look(self._now()))
        if self._housekeeper is None:
            self._housekeeper = asyncio.ensure_future(self._keep_house())
        return seat.take(self._now())

    def instances(self) -> tuple[Instance, ...]:
        """All that run or are about to."""
        return tuple(seat.instance for seat in self._seats.values() if seat.instance is not None)

    def is_outdated(self, session: Session) -> bool:
        """Whether something changed that this session notices only when it is started anew."""
        return any(instance.session is session and instance.is_outdated for instance in self.instances())

    def status(self) -> tuple[ServerStatus, ...]:
        """The state of every server that was needed so far."""
        now = self._now()
        for seat in self._seats.values():
            self._clear(seat.look(now))
        return tuple(seat.status(now) for seat in self._seats.values())

    async def restart(self, server: str = "") -> int:
        """Stop a server (or all) at every root and forgive its failures; the next question starts it anew."""
        seats = [seat for seat in self._seats.values() if not server or seat.chosen.spec.id == server]
        for seat in seats:
            seat.restarts.forgive()
        stopped = [seat.leave(self._now(), "a restart was asked for") for seat in seats]
        await asyncio.gather(*(instance.stop() for instance in stopped if instance is not None))
        return len(seats)

    def refresh(self) -> None:
        """Tell every server what has changed on disk by now."""
        changes = self._watch().drain()
        for instance in self.instances():
            if changes or instance.has_news:
                instance.tell_changes(changes)

    def tidy(self) -> None:
        """Have every server forget what it has not been asked about for long, when an operation is over."""
        for instance in self.instances():
            close_surplus(instance.session)

    @property
    def watcher_note(self) -> str:
        """Why changes on disk may be missed; empty when they are not."""
        return self._watcher.note if self._watcher is not None else ""

    async def stop(self) -> None:
        """Stop all servers at once."""
        if self._housekeeper is not None:
            self._housekeeper.cancel()
            self._housekeeper = None
        instances = self.instances()
        self._seats.clear()
        await asyncio.gather(*(instance.stop() for instance in instances), *self._leaving)
        self._unwatch()

    def keep_house(self) -> None:
        """Stop what is idle or takes too much memory. Called now and then while servers run."""
        now = self._now()
        running = [seat for seat in self._seats.values() if seat.instance is not None]
        needs_memory = bool(self.settings.total_memory_mb) or any(seat.policy.memory_limit_mb for seat in running)
        tenants = [_tenant(number, seat, now, needs_memory=needs_memory) for number, seat in enumerate(running)]
        for eviction in plan_evictions(tenants, self.settings.total_memory_mb):
            seat = running[eviction.key]
            log.info("%s is stopped: %s", seat.chosen.spec.id, eviction.reason)
            self._clear(seat.leave(now, eviction.reason))

    async def _keep_house(self) -> None:
        while True:
            await asyncio.sleep(self.settings.housekeeping_s)
            self.keep_house()

    def _start(self, chosen: Chosen, start_at: float, open_files: dict[str, str]) -> Instance:
        options = options_for(chosen, self._endings(chosen), self.settings)
        address = self.settings.connect.get(chosen.spec.id, "")
        return Instance(chosen, self._environment, options, start_at=start_at, open_files=open_files, address=address)

    def _endings(self, chosen: Chosen) -> dict[str, str]:
        languages = self.catalog.languages
        served = (language for language in chosen.spec.languages if language in languages)
        return {ending: language for language in served for ending in languages[language].extensions}

    def _clear(self, instance: Instance | None) -> None:
        """Stop an instance beside everything else."""
        if instance is None:
            return
        task = asyncio.ensure_future(instance.stop())
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _watch(self) -> Watcher:
        if self._watcher is None:
            self._watcher = open_watcher(self.workspace)
            descriptor = self._watcher.fileno()
            if descriptor is not None:
                asyncio.get_running_loop().add_reader(descriptor, self._watcher.collect)
        return self._watcher

    def _unwatch(self) -> None:
        watcher, self._watcher = self._watcher, None
        if watcher is None:
            return
        descriptor = watcher.fileno()
        if descriptor is not None:
            asyncio.get_running_loop().remove_reader(descriptor)
        watcher.close()


def _tenant(key: int, seat: Seat, now: float, *, needs_memory: bool) -> Tenant:
    return Tenant(
        key=key,
        idle_s=now - seat.used_at,
        idle_teardown_s=seat.policy.idle_teardown_s,
        memory_mb=seat.memory_mb() if needs_memory else 0.0,
        memory_limit_mb=seat.policy.memory_limit_mb,
        is_busy=seat.is_busy,
    )

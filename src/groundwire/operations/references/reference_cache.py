"""The reference cache of a pool, as seen from the event loop: when it may be asked, and whether nothing changed while
it was.

Above: ``cached_references``, ``cache_files``. Below: ``cache.vault``, ``cache_scope``, ``pool``.
"""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.cache.store import Entry, Store
from groundwire.cache.vault import Dependence, Kinds, Vault
from groundwire.client.session import Session
from groundwire.operations.operation import Call
from groundwire.operations.references.cache_scope import is_code, is_wanted, relevance
from groundwire.pool.cache_settings import CacheSettings
from groundwire.pool.pool import Pool
from groundwire.pool.routing import Chosen
from groundwire.pool.scan import SLOWER
from groundwire.pool.watcher import DEFAULT_SKIP
from groundwire.workspace.changes import FileChange

log = logging.getLogger(__name__)

OPENING_WAIT_S = 1.0
"""How long a question waits for the first look at the workspace where its server would have to be started."""
LOOK_WAIT_S = 0.5
"""How long one waits for a look at what has changed: after a checkout of another branch that may be a lot."""
_MOST_DEPENDENCES = 64


class Ticket(NamedTuple):
    """Everything as it was at one moment: for asking the cache, and for giving it what was answered since."""

    base: bytes
    tick: int
    on: Dependence


class _Look(NamedTuple):
    at: float
    ticket: Ticket


class _Answered(NamedTuple):
    ticket: Ticket
    question: bytes
    answer: bytes


class ReferenceCache:
    """``tick`` moves with every change on disk."""

    def __init__(self, pool: Pool, settings: CacheSettings) -> None:
        self._pool = pool
        kinds = Kinds(is_wanted, is_code(pool.catalog))
        store = Store(settings.path, settings.max_bytes)
        self.vault = Vault(store, pool.workspace, pool.environment, DEFAULT_SKIP, kinds)
        self.tick = 0
        self._dependences: dict[int, tuple[Chosen, Dependence]] = {}
        self._last: _Look | None = None
        self._unproven: list[_Answered] = []
        self._proving = asyncio.Lock()
        self._looking: asyncio.Task[bytes | None] | None = None
        self._writing: asyncio.Task[None] | None = None
        pool.seen.append(self._saw)
        pool.refresh()  # what changes from here on is noted, and then everything is looked at
        self.opened = asyncio.ensure_future(self._open())

    async def _open(self) -> None:
        try:
            await asyncio.to_thread(self.vault.open)
        except asyncio.CancelledError:
            self.vault.world.is_stopped = True  # else the end of the process would wait for it
            raise

    def _saw(self, changes: Sequence[FileChange]) -> None:
        if changes:
            self.tick += 1
            self.vault.note([change.path for change in changes])

    async def ticket(self, call: Call, chosen: Chosen, session: Session | None = None) -> Ticket | None:
        """For a server that runs, or for one that would have to be started; None where nothing can be known."""
        if not await self._is_open(session) or not self._is_sure(chosen):
            return None
        on = self._dependence(chosen)
        if session is not None:
            on = on._replace(version=session.state.server_version)
        looked_at = asyncio.get_running_loop().time()
        self._pool.refresh()
        tick = self.tick
        last = self._last
        if last is not None and call.began and last.at >= call.began and last.ticket[1:] == (tick, on):
            return last.ticket  # everything was looked at after this call began
        base = await self._base(on)
        if base is None:
            return None
        ticket = Ticket(base, tick, on)
        self._last = _Look(looked_at, ticket)
        return ticket if self.is_current(ticket) else None

    async def _base(self, on: Dependence) -> bytes | None:
        """The key of everything now. A look that takes long goes on by itself, and the question goes without."""
        earlier = self._looking
        if earlier is not None and not earlier.done():
            await asyncio.wait({earlier}, timeout=LOOK_WAIT_S)
            if not earlier.done():
                return None
        looking = self._looking = asyncio.ensure_future(asyncio.to_thread(self.vault.base_of, on))
        await asyncio.wait({looking}, timeout=LOOK_WAIT_S)
        try:
            return looking.result() if looking.done() else None
        except OSError as error:
            log.info("the reference cache is not used: %s", error)
            return None

    async def _is_open(self, session: Session | None) -> bool:
        if not self.opened.done() and session is None and self.vault.store.path.exists():
            await asyncio.wait({self.opened}, timeout=OPENING_WAIT_S)
        return self.opened.done() and not self.opened.cancelled() and self.opened.exception() is None

    def is_current(self, ticket: Ticket) -> bool:
        """Whether nothing has changed on disk since."""
        self._pool.refresh()
        return self.tick == ticket.tick

    async def find(self, ticket: Ticket, question: bytes) -> Entry | None:
        """What was answered to it."""
        if self._unproven or self._proving.locked():
            await self._prove()
        return self.vault.recent(ticket.base, question) or await asyncio.to_thread(
            self.vault.get, ticket.base, question
        )

    def keep(self, ticket: Ticket, question: bytes, answer: bytes) -> None:
        """For later, if nothing at all has changed since the ticket was given out; beside everything else."""
        self._unproven.append(_Answered(ticket, question, answer))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.ensure_future(self._write())

    async def _write(self) -> None:
        while self._unproven:
            await self.written()

    async def written(self) -> None:
        """All that was kept by now is on disk."""
        await self._prove()
        await asyncio.to_thread(self.vault.flush)

    async def _prove(self) -> None:
        """Look at everything once more: what was not watched may have changed while the server answered, too."""
        async with self._proving:
            answered, self._unproven = self._unproven, []
            by_base: dict[bytes, list[_Answered]] = {}
            for each in answered:
                by_base.setdefault(each.ticket.base, []).append(each)
            for base, kept in by_base.items():
                if await self._base(kept[0].ticket.on) == base:
                    for each in kept:
                        if self.is_current(each.ticket):
                            self.vault.put(base, each.question, each.answer)

    def learn_version(self, chosen: Chosen, session: Session) -> None:
        """Remember what the program of a running server is, unless it has been replaced since it started."""
        programs = _programs(chosen)
        started = time.time() - (session.now() - session.ready_since)
        with contextlib.suppress(OSError):
            found = [Path(program).stat() for program in programs]
            if all(max(each.st_ctime, each.st_mtime) < started for each in found):
                self.vault.learn_version(programs, session.state.server_version)

    def _is_sure(self, chosen: Chosen) -> bool:
        """Whether every change is noticed, and the server is one of ours."""
        note = self._pool.watcher_note
        folders = self._pool.folders
        is_ours = chosen.spec.id not in folders.terms_at(chosen.root).connect
        return is_ours and len(folders) == 1 and (not note or note == SLOWER)

    def _dependence(self, chosen: Chosen) -> Dependence:
        known = self._dependences.get(id(chosen))
        if known is not None and known[0] is chosen:
            return known[1]
        if len(self._dependences) >= _MOST_DEPENDENCES:
            self._dependences.clear()
        interpreters = tuple(each.path for each in chosen.handed if each.what == "python")
        catalog = self._pool.folders.terms_at(chosen.root).catalog
        is_relevant = relevance(chosen.spec, catalog)
        found = Dependence(self._identity(chosen), _programs(chosen), None, is_relevant, interpreters)
        self._dependences[id(chosen)] = (chosen, found)
        return found

    def _identity(self, chosen: Chosen) -> bytes:
        """All that is known of the server before it runs, without places of this machine."""
        workspace, home = str(self._pool.workspace), self._pool.environment.get("HOME", "/")
        root = os.path.relpath(chosen.root, workspace)
        handed = [(each.what, str(each.path)) for each in chosen.handed]
        own = msgspec.structs.replace(chosen.spec, command=chosen.command[1:])
        text = msgspec.json.encode([root, handed, own]).decode()
        return blake2b(text.replace(workspace, "{workspace}").replace(home, "~").encode(), digest_size=16).digest()


def reference_cache(pool: Pool) -> ReferenceCache | None:
    """That of the pool, where it is to have one."""
    settings = pool.settings.cache
    return pool.kept.get(ReferenceCache, lambda: ReferenceCache(pool, settings)) if settings is not None else None


def _programs(chosen: Chosen) -> tuple[str, ...]:
    """What is run: the program, and the files among its arguments."""
    return tuple(os.path.realpath(each) for each in chosen.command if Path(each).is_absolute() and Path(each).is_file())

"""The servers of one workspace, by (server, root): started when first needed, brought up to date before every question.

Above: ``operations``. Below: ``seats``, ``starting``, ``routing``, ``workspace_folders``, ``pinned``, ``watching``,
``prewarm``.
"""

import asyncio
import contextlib
import os
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from groundwire.client.session import Session
from groundwire.client.sync import close_surplus
from groundwire.errors import GroundwireError, SessionDead
from groundwire.pool.instance import Instance
from groundwire.pool.kept import Kept
from groundwire.pool.pinned import Pinned
from groundwire.pool.prewarm import plan_prewarm, sample_files
from groundwire.pool.route_cache import RouteCache
from groundwire.pool.routing import Chosen, Route, route
from groundwire.pool.seats import Seats
from groundwire.pool.settings import PoolSettings
from groundwire.pool.starting import Starter
from groundwire.pool.status import ServerStatus
from groundwire.pool.watching import Watching
from groundwire.pool.workspace_folders import WorkspaceFolders
from groundwire.protocol.names import is_text
from groundwire.registry.catalog import Catalog, load_catalog
from groundwire.workspace.changes import FileChange


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
        self.environment: Mapping[str, str] = dict(os.environ) if environment is None else environment
        own_terms = self.settings.own_terms(self.catalog)
        self.folders = WorkspaceFolders(self.workspace, own_terms, self.settings.terms_of or (lambda _: own_terms))
        self.pinned = Pinned()
        self._routes = RouteCache(self._is_source, self._kind_of)
        self.kept = Kept()
        """What operations remember from one call to the next."""
        self.seen: list[Callable[[Sequence[FileChange]], None]] = []
        """Whoever wants to know of every change on disk, as servers are told of it."""
        self.unasked: list[Callable[[Sequence[FileChange]], None]] = []
        """Whoever wants to know of those that no question has found."""
        self._watching = Watching(self.workspace, self._pass_on)
        self._starter = Starter(
            self.folders,
            self.pinned,
            self.environment,
            self.settings,
            self.instances,
            self._watching,
        )
        self.seats = Seats(self.settings, self._starter.start, self._starter.gave_up)
        self._beside: set[asyncio.Task[None]] = set()
        self._prewarming: asyncio.Task[None] | None = None
        self._not_prewarmed: tuple[ServerStatus, ...] = ()

    def __repr__(self) -> str:
        return f"<Pool {self.workspace} {self.seats}>"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def route(self, path: Path, only: frozenset[str] = frozenset()) -> Route:
        """Which servers take care of a file, of those that ``only`` names. Raises why there is none."""
        self._starter.scoping.routed(path)
        return self._routes.get(path, only, self._find_route)

    def _find_route(self, path: Path, only: frozenset[str]) -> Route:
        folder, terms, gate = self.folders.folder_of(path), self.folders.terms_at(path), self.folders.program_refusal
        refusal = terms.refusal(path)
        if refusal is not None:
            raise refusal
        return route(path, folder, terms.catalog, self.environment, only or self._only, gate, terms.connect)

    def _kind_of(self, file: Path) -> tuple[str, str] | None:
        """Its language, and how that is known; nothing where that, or whether it is to be served, is its own affair."""
        terms = self.folders.terms_at(file)
        language = terms.catalog.language_of(file) if is_text(file.name) else None
        if language is None or terms.refusal(file) is not None:
            return None
        return language, terms.catalog.how_known(file)

    def _is_source(self, file: Path) -> bool:
        catalog = self.folders.terms_at(file).catalog
        language = catalog.language_of(file)
        return language is not None and not catalog.is_data(language)

    def instance(self, chosen: Chosen) -> Instance:
        """The instance for a choice: the running one, or one that starts now. SessionDead: it failed too often."""
        self._watching.begin()  # before the server can read anything, so that no change falls between
        return self.seats.take(chosen)

    def instances(self) -> tuple[Instance, ...]:
        """All that run or are about to."""
        return self.seats.instances()

    def is_outdated(self, session: Session) -> bool:
        """Whether something changed that this session notices only when it is started anew."""
        return any(instance.session is session and instance.is_outdated for instance in self.instances())

    def status(self, *, has_memory: bool = True) -> tuple[ServerStatus, ...]:
        """The state of every server that was needed so far, or was to be started early and could not be.

        Asking the system for their memory takes milliseconds.
        """
        return (*self.seats.status(has_memory=has_memory), *self._not_prewarmed)

    def prewarm(self) -> None:
        """Start what the configuration lists, beside everything else; what cannot be started is in the status.

        For those that stay: a single question would only pay for servers that it does not need. Whoever named the
        servers to be used gets no others.
        """
        if self.settings.prewarm and self._prewarming is None and not self._only:
            self._prewarming = asyncio.ensure_future(self._prewarm())

    async def restart(self, server: str = "", root: Path | None = None, *, why: str = "a restart was asked for") -> int:
        """Stop a server (or all) at every root (or at one and below it), and who shares its process.

        Its failures are forgiven; the next question starts it anew.
        """
        self._routes.forget()
        return await self.seats.restart(server, root, why)

    def add_folder(self, folder: Path) -> None:
        """Take care of another folder, too; see ``WorkspaceFolders.add``."""
        self.folders.add(folder)
        self._routes.forget()
        try:
            self._watching.add(folder)
        except (GroundwireError, OSError):
            self.folders.remove(folder)
            raise

    async def remove_folder(self, folder: Path) -> None:
        """Stop what runs for an added folder, and watch it no longer."""
        self.folders.remove(folder)
        self._routes.forget()
        self.pinned.forget_below(folder)
        self._watching.remove(folder)
        await self.seats.remove_below(folder)

    def has_news_beside(self, files: Collection[str]) -> bool:
        """Whether servers may have more to be told than of these files. Far cheaper than telling them."""
        for instance in self.instances():  # no generator: this is before every answer
            if instance.has_news:
                return True
        return self._watching.has_news_beside(files)

    def expect_edits(self, seconds: float) -> None:
        """For so long somebody asks right after each edit: changes that nobody asked about are told to servers soon."""
        self._watching.edits_expected_until = _now() + seconds

    def refresh(self) -> None:
        """Tell every server what has changed on disk by now."""
        self._tell_changes()

    def _pass_on(self) -> None:
        changes = self._tell_changes()
        for saw in self.unasked:
            saw(changes)

    def _tell_changes(self) -> list[FileChange]:
        instances = self.instances()
        for instance in instances:
            named = instance.session.state.watched.directory_names
            if not named <= self._watching.included:
                self._watching.include(named)
            self._reach_out(instance)
        changes = self._watching.changes()
        self.folders.saw(changes)
        self._routes.saw(changes)
        for saw in self.seen:
            saw(changes)
        changes = [*changes, *self._watching.links().seen_through(changes), *self._watching.changes_elsewhere()]
        for instance in instances:
            if instance.notice_packages():
                self._routes.forget()  # another environment may be there now
            if changes or instance.has_untold:
                instance.tell_changes(changes)
        return changes

    def _reach_out(self, instance: Instance) -> None:
        """Watch what a server reads out of the workspace: it has said what."""
        if (places := instance.new_places()) is not None:
            self._watching.reach_out(*places, instance.began_at)

    def other_names(self, file: Path) -> list[str]:
        """By which the file is reached through links in the workspace, as of the last ``refresh``."""
        return self._watching.links().other_names(str(file))

    def beside(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Have something done that nobody waits for; it ends with the pool, or it would start what was stopped."""
        task = asyncio.ensure_future(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
        return task

    def tidy(self) -> None:
        """Have every server forget what it has not been asked about for long, when an operation is over."""
        for instance in self.instances():
            close_surplus(instance.session, self.pinned.keys)

    @property
    def watcher_note(self) -> str:
        """Why changes on disk may be missed; empty when they are not."""
        return self._watching.note

    async def stop(self) -> None:
        """Stop all servers at once."""
        self.unasked.clear()  # who hears of a change might have it looked at
        beside = [task for task in (self._prewarming, *self._beside) if task is not None]
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        self._prewarming = None
        await self.seats.stop()
        self._watching.end()

    async def _prewarm(self) -> None:
        names = self.settings.prewarm
        samples = await asyncio.to_thread(sample_files, self.workspace, self.catalog, names)
        plans = [plan_prewarm(name, samples.get(name), self.workspace, self.catalog, self.route) for name in names]
        self._not_prewarmed = tuple(plan.failure for plan in plans if plan.failure is not None)
        for chosen in (chosen for plan in plans for chosen in plan.chosen):
            with contextlib.suppress(SessionDead):  # it failed too often already, which its own status tells
                self.instance(chosen)


def _now() -> float:
    return asyncio.get_running_loop().time()

"""The servers of one workspace, by (server, root): started when first needed, brought up to date before every question.

Above: ``operations``. Below: ``instance``, ``routing``, ``watcher``.
"""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from groundwire.client.sync import close_surplus
from groundwire.pool.instance import Instance
from groundwire.pool.routing import Chosen, Route, route
from groundwire.pool.watcher import Watcher, open_watcher
from groundwire.registry.catalog import Catalog, load_catalog


class Pool:
    """Use it as an async context manager: leaving it stops every server."""

    def __init__(
        self,
        workspace: Path,
        *,
        catalog: Catalog | None = None,
        only: frozenset[str] = frozenset(),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.workspace = workspace.resolve()
        self._catalog = catalog or load_catalog()
        self._only = only
        self._environment: Mapping[str, str] = dict(os.environ) if environment is None else environment
        self._instances: dict[tuple[str, Path], Instance] = {}
        self._watcher: Watcher | None = None
        self._leaving: set[asyncio.Task[None]] = set()

    def __repr__(self) -> str:
        return f"<Pool {self.workspace} {list(self._instances.values())}>"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def route(self, path: Path) -> Route:
        """Which servers take care of a file. Raises NoServerForExtension or ServerUnavailable."""
        return route(path, self.workspace, self._catalog, self._environment, self._only)

    def instance(self, chosen: Chosen) -> Instance:
        """The instance for a choice: the running one, or one that starts now."""
        self._watch()  # before the server can read anything, so that no change falls between
        key = (chosen.spec.id, chosen.root)
        found = self._instances.get(key)
        if found is None or not found.is_usable:
            if found is not None:
                self._leave(found)
            found = self._instances[key] = Instance(chosen, self._environment, self._endings(chosen))
        return found

    def _endings(self, chosen: Chosen) -> dict[str, str]:
        languages = self._catalog.languages
        served = (language for language in chosen.spec.languages if language in languages)
        return {ending: language for language in served for ending in languages[language].extensions}

    def instances(self) -> tuple[Instance, ...]:
        """All that were started."""
        return tuple(self._instances.values())

    def refresh(self) -> None:
        """Tell every server what has changed on disk by now."""
        changes = self._watch().drain()
        if not changes and not any(instance.has_news for instance in self._instances.values()):
            return
        for instance in self._instances.values():
            instance.tell_changes(changes)

    def tidy(self) -> None:
        """Have every server forget what it has not been asked about for long, when an operation is over."""
        for instance in self._instances.values():
            close_surplus(instance.session)

    @property
    def watcher_note(self) -> str:
        """Why changes on disk may be missed; empty when they are not."""
        return self._watcher.note if self._watcher is not None else ""

    async def stop(self) -> None:
        """Stop all servers at once."""
        instances, self._instances = list(self._instances.values()), {}
        await asyncio.gather(*(instance.stop() for instance in instances), *self._leaving)
        self._unwatch()

    def _leave(self, instance: Instance) -> None:
        task = asyncio.ensure_future(instance.stop())
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

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

"""One server at one root: started once, shared by all who ask for it, and told of every change on disk since it began
to start.

Above: ``pool``. Below: ``client``, ``registry``, ``transport``.
"""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from groundwire.client.options import SessionOptions
from groundwire.client.session import IS_WINDOWS, Session
from groundwire.client.sync import announce, sync_file
from groundwire.errors import FileNotFound, FileTooLarge, NotAFile, PermissionDenied, SessionDead
from groundwire.pool.routing import Chosen
from groundwire.pool.settings import PoolSettings
from groundwire.protocol.uris import uri_to_path
from groundwire.transport.base import Transport
from groundwire.transport.process import ProcessSpec
from groundwire.transport.socket import open_tcp
from groundwire.transport.stdio import StdioTransport, open_stdio
from groundwire.workspace.changes import FileChange

_MOST_OPENED = 100
"""A server that must be shown changed files one by one is started anew when there are more than this."""


class Instance:
    """A session and its start. Changes that come while it starts are kept: it may have read the files before them."""

    def __init__(
        self,
        chosen: Chosen,
        environment: Mapping[str, str],
        options: SessionOptions,
        *,
        start_at: float = 0.0,
        open_files: Mapping[str, str] | None = None,
        address: str = "",
    ) -> None:
        self.chosen = chosen
        self._environment = environment
        self._address = address
        self._is_stopped = False
        self._root_prefix = f"{chosen.root.as_posix()}/"
        self._backlog: list[FileChange] = []
        self.is_outdated = False
        """Something changed that it will only notice when it is started again."""
        self.session = Session(options, self._connect)
        self._starting = asyncio.ensure_future(self._start(start_at, open_files or {}))

    def __repr__(self) -> str:
        return f"<Instance {self.chosen.spec.id} at {self.chosen.root} {self.session.life}>"

    @property
    def is_usable(self) -> bool:
        """Whether it runs or is about to."""
        return self.session.life in ("starting", "ready") and not self.is_outdated

    @property
    def has_failed(self) -> bool:
        """Whether it could not be started, or ended without having been told to."""
        return self.session.life == "dead" and not self._is_stopped

    @property
    def failure(self) -> str:
        """Why it failed, in words."""
        if self._starting.done() and not self._starting.cancelled() and self._starting.exception() is not None:
            return str(self._starting.exception())
        return self.session.close_reason

    @property
    def ran_s(self) -> float:
        """How long it ran before it failed."""
        return max(self.session.died_at - self.session.ready_since, 0.0) if self.session.ready_since else 0.0

    def open_files(self) -> dict[str, str]:
        """The files it had open, with their language, most recently used last."""
        return {
            uri_to_path(document.uri, windows=IS_WINDOWS): document.language
            for document in self.session.state.documents
        }

    @property
    def has_news(self) -> bool:
        """Whether it has not been told of all changes yet."""
        return bool(self._backlog or self.session.state.unwatched)

    async def ready(self, deadline: float) -> Session:
        """The started session. Raises ServerUnavailable, SessionDead, or TimeoutError when it takes too long."""
        if not self._starting.done():
            await asyncio.wait([self._starting], timeout=max(deadline - self.session.now(), 0))
        if not self._starting.done():
            raise TimeoutError
        if self._starting.cancelled():  # by ``stop``: that is no reason to cancel whoever waits
            raise SessionDead(f"{self.chosen.spec.id} was stopped while it started")
        self._starting.result()
        self.session.raise_if_dead()
        return self.session

    def tell_changes(self, changes: Sequence[FileChange]) -> None:
        """Tell of changes on disk: now, or once it runs."""
        own = [change for change in changes if self._is_below_root(change.path)]
        if self._needs_restart(own):
            self.is_outdated = True
        self._backlog.extend(own)
        if self.session.life != "ready":
            return
        backlog, self._backlog = self._backlog, []
        try:
            announce(self.session, backlog)
        except SessionDead:
            return  # whoever asks it next is told so

    def _is_below_root(self, path: str) -> bool:
        # The plain comparison nearly always settles it, and a path object costs ten times as much.
        return path.startswith(self._root_prefix) or Path(path).is_relative_to(self.chosen.root)

    def _needs_restart(self, changes: Sequence[FileChange]) -> bool:
        spec = self.chosen.spec
        if spec.settle.opens_changed and len(changes) > _MOST_OPENED:
            return True
        return any(change.path.rpartition("/")[2] in spec.restart_on for change in changes)

    async def _start(self, start_at: float, open_files: Mapping[str, str]) -> None:
        """Start at the given time, and show it the files that the one before it had open."""
        await asyncio.sleep(max(start_at - self.session.now(), 0.0))
        await self.session.start()
        for path, language in open_files.items():
            with contextlib.suppress(FileNotFound, NotAFile, FileTooLarge, PermissionDenied):
                sync_file(self.session, Path(path), language)

    async def stop(self) -> None:
        """End it, started or not."""
        self._is_stopped = True
        self._starting.cancel()
        await asyncio.gather(self._starting, return_exceptions=True)
        await self.session.stop()

    async def _connect(self) -> Transport:
        chosen = self.chosen
        if self._address:
            host, _, port = self._address.rpartition(":")
            return await open_tcp(host, int(port), timeout=self.session.options.start_timeout)
        environment = {**self._environment, **chosen.spec.environment}
        return await open_stdio(ProcessSpec(command=chosen.command, cwd=str(chosen.root), env=environment))

    @property
    def pid(self) -> int | None:
        """The process, once there is one."""
        transport = self.session.transport
        return transport.process.pid if isinstance(transport, StdioTransport) else None


def options_for(chosen: Chosen, languages: Mapping[str, str], settings: PoolSettings) -> SessionOptions:
    """What the registry and the configuration know of a server, as its session needs it."""
    spec = chosen.spec
    return SessionOptions(
        server=spec.id,
        root=chosen.root,
        initialization_options=spec.initialization_options,
        settings=spec.settings,
        experimental=spec.client_experimental,
        unknown_settings=spec.unknown_settings,
        tells_folders=spec.workspace_folders,
        answers=spec.answers,
        message_choices=spec.message_choices,
        watches=spec.watches,
        languages=languages,
        settle=spec.settle,
        readiness=spec.readiness,
        limits=msgspec.structs.replace(settings.limits, retried_errors=frozenset(spec.retried_errors)),
        patience=settings.patience,
        start_timeout=settings.start_timeout,
        request_timeout=settings.request_timeouts.get(spec.id, settings.request_timeout),
        max_file_size=settings.max_file_size,
    )

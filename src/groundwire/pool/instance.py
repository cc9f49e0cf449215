"""One server at one root: started once, shared by all who ask for it, and told of every change on disk since it began
to start.

Above: ``pool``. Below: ``client``, ``registry``, ``transport``.
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from groundwire.client.options import SessionOptions
from groundwire.client.session import Session
from groundwire.client.sync import announce
from groundwire.errors import SessionDead
from groundwire.pool.routing import Chosen
from groundwire.transport.base import Transport
from groundwire.transport.process import ProcessSpec
from groundwire.transport.stdio import StdioTransport, open_stdio
from groundwire.workspace.changes import FileChange

_MOST_OPENED = 100
"""A server that must be shown changed files one by one is started anew when there are more than this."""


class Instance:
    """A session and its start. Changes that come while it starts are kept: it may have read the files before them."""

    def __init__(self, chosen: Chosen, environment: Mapping[str, str], languages: Mapping[str, str]) -> None:
        self.chosen = chosen
        self._environment = environment
        self._root_prefix = f"{chosen.root.as_posix()}/"
        self._backlog: list[FileChange] = []
        self.is_outdated = False
        """Something changed that it will only notice when it is started again."""
        self.session = Session(options_for(chosen, languages), self._connect)
        self._starting = asyncio.ensure_future(self.session.start())

    def __repr__(self) -> str:
        return f"<Instance {self.chosen.spec.id} at {self.chosen.root} {self.session.life}>"

    @property
    def is_usable(self) -> bool:
        """Whether it runs or is about to."""
        return self.session.life in ("starting", "ready") and not self.is_outdated

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

    async def stop(self) -> None:
        """End it, started or not."""
        self._starting.cancel()
        await asyncio.gather(self._starting, return_exceptions=True)
        await self.session.stop()

    async def _connect(self) -> Transport:
        chosen = self.chosen
        environment = {**self._environment, **chosen.spec.environment}
        return await open_stdio(ProcessSpec(command=chosen.command, cwd=str(chosen.root), env=environment))

    @property
    def pid(self) -> int | None:
        """The process, once there is one."""
        transport = self.session.transport
        return transport.process.pid if isinstance(transport, StdioTransport) else None


def options_for(chosen: Chosen, languages: Mapping[str, str]) -> SessionOptions:
    """What the registry knows of a server, as its session needs it."""
    spec = chosen.spec
    return SessionOptions(
        server=spec.id,
        root=chosen.root,
        initialization_options=spec.initialization_options,
        settings=spec.settings,
        experimental=spec.client_experimental,
        languages=languages,
        settle=spec.settle,
        readiness=spec.readiness,
    )

"""One server at one root: started once, shared by all who ask for it, and told of every change on disk since it began
to start.

Above: ``seat`` and ``pool``. Below: ``joining`` (how it comes to its session), ``installed``, ``overlooked``,
``sidecar``, ``client``.
"""

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from groundwire.client.naming import is_naming_places, places_named
from groundwire.client.reloading import look_anew
from groundwire.client.session import IS_WINDOWS, Session
from groundwire.client.sync import announce, path_of, sync_file
from groundwire.errors import FileNotFound, FileTooLarge, GroundwireError, NotAFile, PermissionDenied, SessionDead
from groundwire.pool.folders import FolderSession
from groundwire.pool.installed import Installed
from groundwire.pool.joining import Access
from groundwire.pool.links import Links
from groundwire.pool.overlooked import is_overlooked
from groundwire.pool.routing import Chosen
from groundwire.pool.sidecar import Sidecar
from groundwire.pool.stepping_out import SteppingOut
from groundwire.protocol.globs import Glob
from groundwire.transport.stdio import StdioTransport
from groundwire.workspace.changes import FileChange, Vanished

_EVERY_CHANGE = 7
_MOST_OPENED = 100
"""A server that must be shown changed files one by one is started anew when there are more than this."""


class Instance:
    """A session and its start. Changes that come while it starts are kept: it may have read the files before them.

    It begins at the loop time ``start_at``, with the companion first, and opens the files that its predecessor had.
    """

    def __init__(
        self,
        chosen: Chosen,
        access: Access,
        *,
        sidecar: Sidecar | str | None = None,
        installed: Installed | None = None,
        start_at: float = 0.0,
        open_files: Mapping[str, str] | None = None,
    ) -> None:
        self.chosen = chosen
        self.sidecar = sidecar
        """As text: why it cannot be had."""
        self._access = access
        self._is_stopped = False
        self.failed_to_join = False
        """The server runs, but could not be shown to take care of this root too."""
        self._root_prefix = f"{chosen.root.as_posix()}/"
        self._backlog: list[FileChange] = []
        self.began_at = time.time()
        """When it may have begun to read files, by the clock on the wall."""
        self._vanished = Vanished()
        self._installed = installed
        self._named = SteppingOut(chosen.root, self.session.options.languages)
        self._known_places = (frozenset[str](), frozenset[str]())
        self._is_reload_due = False
        self._starting = asyncio.ensure_future(self._start(start_at, open_files or {}))
        self._starting.add_done_callback(_retrieve)

    def __repr__(self) -> str:
        return f"<Instance {self.chosen.spec.id} at {self.chosen.root} {self.session.life}>"

    @property
    def session(self) -> FolderSession:
        """The server that it asks; several instances may share one."""
        return self._access.session

    @property
    def process_of(self) -> str:
        """The root whose process it shares; empty: it has its own."""
        return self._access.process_of

    @property
    def is_starting(self) -> bool:
        """Whether it may not be asked yet."""
        return not self._starting.done()

    @property
    def may_be_asked(self) -> bool:
        """Whether ``ready`` would wait for nothing."""
        return not (self.is_starting or self.session.interlude.is_on or is_naming_places(self.session))

    @property
    def has_started(self) -> bool:
        """Whether its start has succeeded, whatever came after."""
        return self._starting.done() and not self._starting.cancelled() and self._starting.exception() is None

    @property
    def is_usable(self) -> bool:
        """Whether it runs or is about to."""
        return self.session.life in ("starting", "ready") and not self.is_outdated

    @property
    def is_outdated(self) -> bool:
        """Something changed that it will only notice when it is started again, or it cannot be had in this way."""
        return self.session.is_outdated or self.failed_to_join

    @property
    def has_failed(self) -> bool:
        """Whether it could not be started, or ended without having been told to."""
        return self.session.life == "dead" and not (self._is_stopped or self.session.was_stopped)

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
        found = ((path_of(document.uri), document.language) for document in self.session.state.documents)
        return {path: language for path, language in found if self._is_below_root(path)}

    @property
    def has_news(self) -> bool:
        """Whether there is something that it is to be told of, or reads and has not noticed."""
        return self.has_untold or (self._installed is not None and self._installed.has_changed())

    @property
    def has_untold(self) -> bool:
        """Whether there are changes that it is to be told of: those that it never asked to hear of are none."""
        if self._backlog or self._is_reload_due:
            return True
        state = self._access.session.state
        return bool(state.unwatched) and state.watched.is_any_wanted(state.unwatched.values())

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
        await self.session.interlude.over(deadline)
        await places_named(self.session, deadline)
        return self.session

    def notice_packages(self) -> bool:
        """Whether other packages are installed now than it has read, so that it has to look at everything anew."""
        if self._installed is None or not self._installed.has_changed():
            return False
        self._installed.look()
        self._must_look_anew()
        return True

    def tell_changes(self, changes: Sequence[FileChange]) -> None:
        """Tell of changes on disk: now, or once it runs."""
        own = [change for change in changes if self._is_below_root(change.path) or self._is_asked_for(change)]
        if self._needs_restart(own):
            self.session.is_outdated = True
        links = self._installed.links if self._installed is not None else Links(())
        rule, below = self.chosen.spec.settle, self._is_below_root
        if any(is_overlooked(change, rule, links, is_elsewhere=not below(change.path)) for change in own):
            self._must_look_anew()
        self._backlog += own
        if self._installed is not None:
            self._backlog += links.seen_through(own) if rule.tells_links else ()
            if self._installed.needs_look(own) and self._installed.look():
                self._must_look_anew()
        if self.is_starting or self.session.life != "ready":
            return
        backlog, self._backlog = self._backlog, []
        try:
            announce(self.session, backlog)
            if self._is_reload_due and not look_anew(self.session):
                self.session.is_outdated = True
            self._is_reload_due = False
        except SessionDead:
            return  # whoever asks it next is told so

    def _must_look_anew(self) -> None:
        if self.chosen.spec.settle.reloads_by:
            self._is_reload_due = True
        else:
            self.session.is_outdated = True

    def _is_asked_for(self, change: FileChange) -> bool:
        """Out of its root, but read by it: what it depends on may lie beside it, or elsewhere."""
        return self.session.state.watched.is_any_wanted((change,))

    def new_places(self) -> tuple[frozenset[str], frozenset[str]] | None:
        """Directories and files that it reads, wherever they are; None where they are those of the last time."""
        watched = self.session.state.watched
        sources, files = self._places_it_does_not_name()
        if (sources, files) != self._known_places:
            own = f"groundwire/sources of {self.chosen.root}"
            watched.unregister(own)
            patterns = [(Glob("**/*", source, windows=IS_WINDOWS), _EVERY_CHANGE) for source in sorted(sources)]
            patterns += [(Glob(file, windows=IS_WINDOWS), _EVERY_CHANGE) for file in sorted(files)]
            watched.register(own, patterns)
            self._known_places = (sources, files)
        if not watched.has_new_places:
            return None
        watched.has_new_places = False
        return watched.directories, watched.files

    def _places_it_does_not_name(self) -> tuple[frozenset[str], frozenset[str]]:
        """Directories and files, as far as we know of them by ourselves."""
        sources = self._installed.sources if self._installed is not None else frozenset[str]()
        if not self.chosen.spec.settle.names_places_late:
            return sources, frozenset()
        self._named.look(self.session.state.documents)
        return sources | self._named.directories, self._named.files

    def _is_below_root(self, path: str) -> bool:
        # The plain comparison nearly always settles it, and a path object costs ten times as much.
        return path.startswith(self._root_prefix) or Path(path).is_relative_to(self.chosen.root)

    def _needs_restart(self, changes: Sequence[FileChange]) -> bool:
        spec = self.chosen.spec
        if spec.settle.opens_changed and len(changes) > _MOST_OPENED:
            return True
        if spec.settle.misses_returned and self._vanished.have_returned(changes, self.session.now()):
            return True
        return any(change.path.rpartition("/")[2] in spec.restart_on for change in changes)

    async def _start(self, start_at: float, open_files: Mapping[str, str]) -> None:
        """Start at the given time, and show it the files that the one before it had open."""
        await asyncio.sleep(max(start_at - self.session.now(), 0.0))
        # First, so that the server finds what its companion writes.
        if isinstance(self.sidecar, Sidecar):
            await self.sidecar.start()
        try:
            await self._access.begin()
        except GroundwireError:
            self.failed_to_join = bool(self.process_of) and self.session.life == "ready"
            await _end(self.sidecar)
            raise
        for path, language in open_files.items():
            if not self.session.takes(path):
                continue
            with contextlib.suppress(FileNotFound, NotAFile, FileTooLarge, PermissionDenied):
                sync_file(self.session, Path(path), language)

    async def stop(self) -> None:
        """End it, started or not."""
        self._is_stopped = True
        self._starting.cancel()
        await asyncio.gather(self._starting, return_exceptions=True)
        await asyncio.gather(self._access.end(), _end(self.sidecar))

    @property
    def pid(self) -> int | None:
        """The process, once there is one."""
        transport = self.session.transport
        return transport.process.pid if isinstance(transport, StdioTransport) else None


async def _end(sidecar: Sidecar | str | None) -> None:
    if isinstance(sidecar, Sidecar):
        await sidecar.stop()


def _retrieve(start: "asyncio.Task[None]") -> None:
    """Whoever waits is told of a failure, and so is the status; nobody has to."""
    if not start.cancelled():
        start.exception()

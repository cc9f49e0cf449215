"""How an instance comes to its session: a process of its own, or a folder of a process that runs already.

A root joins a running server only where it can be seen that the server has loaded it; until then nothing is asked, and
when the sign does not come both roots get a process of their own. Above: ``instance`` and ``starting``. Below:
``folders``, ``client``.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

from groundwire.errors import SessionDead
from groundwire.pool.folders import FolderSession
from groundwire.pool.routing import Chosen
from groundwire.registry.spec import ServerSpec
from groundwire.workspace.readiness import GateKind

_GATES: tuple[GateKind, ...] = ("diagnostics", "references")


class Access(Protocol):
    """A session, and what has to be done before it may be asked and when it is no longer needed."""

    @property
    def session(self) -> FolderSession:
        """Whom to ask."""
        ...

    @property
    def process_of(self) -> str:
        """The root whose process it is; empty: its own."""
        ...

    async def begin(self) -> None:
        """Make it ready to be asked. Raises a GroundwireError."""
        ...

    async def end(self) -> None:
        """Be done with it, begun or not."""
        ...


class OwnProcess:
    """A server that was started, or connected to, for one root."""

    process_of = ""

    def __init__(self, session: FolderSession) -> None:
        self.session = session

    async def begin(self) -> None:
        """Start it."""
        await self.session.start()

    async def end(self) -> None:
        """Stop it; whoever joined it has to do without."""
        self.session.was_stopped = True
        await self.session.stop()


class JoinedFolder:
    """A root that joins the session of another; ``host_started`` waits for that one's start, until a loop time."""

    def __init__(
        self, session: FolderSession, chosen: Chosen, host_started: Callable[[float], Awaitable[object]]
    ) -> None:
        self.session = session
        self.process_of = str(session.options.root)
        self._root = chosen.root
        self._settings = chosen.spec.settings
        self._host_started = host_started

    async def begin(self) -> None:
        """Join once the host has loaded its own root, so that the next such sign is about this one."""
        session = self.session
        deadline = session.now() + session.options.start_timeout
        try:
            await self._host_started(deadline)
        except TimeoutError:
            raise SessionDead(f"{session.options.server} did not start in time") from None
        if not session.state.capabilities.workspace_folders:
            raise SessionDead(f"{session.options.server} does not take a second root, so it is started once more")
        async with session.joining:
            await self._until_loaded(deadline)
            session.add_folder(self._root, self._settings)
            try:
                await self._until_loaded(deadline)
            except SessionDead:
                session.is_outdated = True  # what it has made of the folder cannot be told
                raise

    async def end(self) -> None:
        """Leave; the host goes on."""
        self.session.remove_folder(self._root)

    async def _until_loaded(self, deadline: float) -> None:
        session = self.session
        while True:
            gates = [session.readiness.own_gate(kind, session.now()) for kind in _GATES]
            waiting = [gate for gate in gates if not gate.is_open]
            unproven = next((gate.reason for gate in gates if gate.reason and gate.is_open), "")
            if unproven:
                raise SessionDead(f"{session.options.server} cannot share its process: {unproven}")
            if not waiting:
                return
            if session.now() >= deadline:
                raise SessionDead(f"{session.options.server} did not load {self._root}: {waiting[0].reason}")
            await session.signal.wait(min([deadline, *(gate.until for gate in waiting if gate.until is not None)]))
            session.raise_if_dead()


def can_share(spec: ServerSpec) -> bool:
    """Whether it can be seen, by what is known of the server, that it has loaded a folder that joined.

    What counts once a session, or belongs to its first root, cannot tell that of a second.
    """
    readiness, settle = spec.readiness, spec.settle
    is_countable = readiness.references_need == "nothing" and not readiness.rescans_on_new
    starts_by_itself = not readiness.progress_titles or readiness.progress_starts == "at-start"
    return (
        spec.shares_roots
        and spec.workspace_folders
        and is_countable
        and starts_by_itself
        and settle.save_check is None
        and not settle.tells_directories
    )


def may_join(own: Chosen, host: Chosen) -> bool:
    """Whether the process of ``host`` is just what ``own`` would be started as, elsewhere."""
    return (
        can_share(own.spec)
        and own.spec.id == host.spec.id
        and own.command == host.command
        and own.spec.environment == host.spec.environment
        and own.spec.initialization_options == host.spec.initialization_options
    )


def is_nested(one: Path, other: Path) -> bool:
    """Whether one of two roots lies in the other: then whose a file is would not be clear."""
    return one.is_relative_to(other) or other.is_relative_to(one)

"""Instances whose servers are scripted and live in our own process, so that their lives pass on virtual time."""

from pathlib import Path

from groundwire.client.options import SessionOptions
from groundwire.pool.folders import FolderSession
from groundwire.pool.instance import Instance
from groundwire.pool.policy import SeatPolicy
from groundwire.pool.routing import Chosen
from groundwire.pool.seat import Seat
from groundwire.registry.spec import ServerSpec
from groundwire.transport.base import Transport
from groundwire.transport.memory import memory_pair
from tests.fakes.server import FakeServer, toy_options
from tests.fakes.toy_servers import WELL_BEHAVED, toy_spec


class FakeProcess:
    """An access to a scripted server; ``fails`` makes it crash in the handshake."""

    process_of = ""

    def __init__(self, options: SessionOptions, *, fails: bool = False) -> None:
        ours, theirs = memory_pair()

        def crash(_: object) -> object:
            return self.server.crash("it has no heap")

        handlers: dict[str, object] = {"initialize": crash} if fails else {}
        self.server = FakeServer(theirs, handlers, {})

        async def connect() -> Transport:
            return ours

        self.session = FolderSession(options, connect)

    async def begin(self) -> None:
        """Start it."""
        await self.session.start()

    async def end(self) -> None:
        """Stop it."""
        self.session.was_stopped = True
        await self.session.stop()
        await self.server.connection.close()


class FakeStarts:
    """What a seat starts: every start is kept, with when it was to begin; ``failing`` makes the next ones fail."""

    def __init__(self) -> None:
        self.processes: list[FakeProcess] = []
        self.start_times: list[float] = []
        self.failing = False

    def start(self, chosen: Chosen, start_at: float, open_files: dict[str, str]) -> Instance:
        """As ``Starter.start``."""
        process = FakeProcess(toy_options(chosen.root), fails=self.failing)
        self.processes.append(process)
        self.start_times.append(start_at)
        return Instance(chosen, process, start_at=start_at, open_files=open_files)


def chosen_at(root: Path, spec: ServerSpec | None = None) -> Chosen:
    """A server at a root, as routing would choose it."""
    own = spec or toy_spec(WELL_BEHAVED)
    return Chosen(own, own.command, root, "for the test")


def seat_at(root: Path, starts: FakeStarts, spec: ServerSpec | None = None, *, max_restarts: int = 2) -> Seat:
    """An empty seat."""
    return Seat(chosen_at(root, spec), SeatPolicy(max_restarts=max_restarts), starts.start)

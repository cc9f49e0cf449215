"""The place of one server at one root: who sits there now, and whether another may follow when that one fails.

An ``Instance`` lives once; the seat outlives it, counts failures, remembers what was open, and knows the state to show.
Above: ``seats``. Below: ``instance``, ``restarts``.
"""

from collections.abc import Callable

from groundwire.client.session import Session
from groundwire.errors import SessionDead
from groundwire.pool.instance import Instance
from groundwire.pool.policy import SeatPolicy
from groundwire.pool.restarts import Restarts
from groundwire.pool.routing import Chosen
from groundwire.pool.sidecar import Sidecar
from groundwire.pool.status import ServerCounts, ServerStatus, State
from groundwire.transport.process import ChildProcess
from groundwire.transport.stdio import StdioTransport

_MEGABYTE = 1024 * 1024


class Seat:
    """``start`` makes an instance that begins at the given loop time and opens the files given."""

    def __init__(
        self, chosen: Chosen, policy: SeatPolicy, start: Callable[[Chosen, float, dict[str, str]], Instance]
    ) -> None:
        self.chosen = chosen
        self.policy = policy
        self.instance: Instance | None = None
        self.restarts = Restarts(policy.max_restarts)
        self.used_at = 0.0
        self._start = start
        self._since = 0.0
        self._note = ""
        self._open_files: dict[str, str] = {}
        self._starts = self._crashes = self._restarts = self._timeouts = 0
        self._has_crashed = False

    def __repr__(self) -> str:
        return f"<Seat {self.chosen.spec.id} at {self.chosen.root} {self.instance}>"

    def take(self, now: float) -> Instance:
        """The instance to ask: the one that runs, or another. Raises SessionDead when it failed too often."""
        self.used_at = now
        self.look(now)
        if self.instance is None:
            if self.restarts.is_broken:
                raise SessionDead(
                    f"{self.chosen.spec.id} failed {self.restarts.count} times in a row: {self.restarts.reason}",
                    hint="Mend the cause, then restart it; until then search the text instead (for instance with rg).",
                )
            self.instance = self._start(self.chosen, self.restarts.next_start, self._open_files)
            self._since, self._note = now, ""
            self._starts += 1
            self._restarts += self._has_crashed
            self._has_crashed = False
        return self.instance

    def look(self, now: float) -> Instance | None:
        """Notice a failure. Returns the instance that has to be cleared away, if there is one."""
        instance = self.instance
        if instance is None or (instance.is_usable and not instance.has_failed):
            return None
        if instance.has_failed:
            self.restarts.failed(now, instance.failure, instance.ran_s)
            self._crashes += 1
            self._has_crashed = True
        if instance.has_started:  # else it never came to open what its predecessor had
            self._open_files = instance.open_files()
        self._timeouts += _timeouts(instance)
        self.instance, self._since = None, now
        self._note = _why_outdated(instance)
        return instance

    def leave(self, now: float, note: str) -> Instance | None:
        """Stop using the instance, for a reason that is no failure; the next question starts another."""
        instance, self.instance = self.instance, None
        if instance is not None:
            self._since, self._note, self._open_files = now, note, {}
            self._timeouts += _timeouts(instance)
        return instance

    @property
    def is_busy(self) -> bool:
        """Whether somebody waits for an answer right now, or for the start."""
        return self.instance is not None and (self.instance.is_starting or self.instance.session.has_pending)

    def state(self) -> State:
        """The state to show."""
        if self.instance is None:
            return "broken" if self.restarts.is_broken else "idle"
        return "starting" if self.instance.is_starting else "active"

    def counts(self) -> ServerCounts:
        """What has happened here so far."""
        return ServerCounts(
            server=self.chosen.spec.id,
            root=str(self.chosen.root),
            starts=self._starts,
            crashes=self._crashes,
            restarts=self._restarts,
            timeouts=self._timeouts + (_timeouts(self.instance) if self.instance is not None else 0),
        )

    def status(self, now: float, *, has_memory: bool = True) -> ServerStatus:
        """Everything to show; asks the system for the memory, where that is wanted, which takes milliseconds."""
        instance, state = self.instance, self.state()
        session = instance.session if instance is not None else None
        process = _process(session)
        failure = self.restarts.reason if self.restarts.count and state != "active" else ""
        sidecar, trouble, sidecar_tail = _companion(instance)
        return ServerStatus(
            server=self.chosen.spec.id,
            root=str(self.chosen.root),
            state=state,
            since_s=max(now - self._since, 0.0),
            reason="; ".join(each for each in (failure or self._note, trouble) if each),
            version=session.state.server_version if session is not None else "",
            pid=process.pid if process else None,
            memory_mb=self.memory_mb() if has_memory and process and instance and not instance.process_of else None,
            restarts=self.restarts.count,
            indexing=session.state.readiness.describe(now) if session is not None and state == "active" else "",
            open_documents=len(instance.open_files()) if instance is not None else 0,
            stderr_tail="\n".join(each for each in (process.stderr_tail(5) if process else "", sidecar_tail) if each),
            sidecar=sidecar,
            process_of=instance.process_of if instance is not None else "",
        )

    def memory_mb(self) -> float:
        """What its own processes use now; nothing when it does not run, runs elsewhere or shares another's."""
        instance = self.instance
        process = _process(instance.session) if instance is not None and not instance.process_of else None
        return process.memory_bytes() / _MEGABYTE if process else 0.0


def _timeouts(instance: Instance) -> int:
    """Of its own process: what several share is counted once."""
    return 0 if instance.process_of else instance.session.timeouts


def _why_outdated(instance: Instance) -> str:
    if instance.failed_to_join:
        return instance.failure
    return "something changed that it notices only when it is started anew" if instance.is_outdated else ""


def _process(session: Session | None) -> ChildProcess | None:
    transport = session.transport if session is not None else None
    return transport.process if isinstance(transport, StdioTransport) else None


def _companion(instance: Instance | None) -> tuple[str, str, str]:
    """The state of the companion, what is wrong with it, and its last lines."""
    sidecar = instance.sidecar if instance is not None else None
    if not isinstance(sidecar, Sidecar):
        return sidecar or "", sidecar or "", ""
    tail = sidecar.stderr_tail()
    return sidecar.line, sidecar.trouble, f"{sidecar.name}:\n{tail}" if tail else ""

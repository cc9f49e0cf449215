"""Sessions of edits that are not on disk, kept for one client each.

    created → mutated → evaluating → evaluated → committed | discarded → destroyed
                ↘ dirty: the disk changed under its texts

Above: the operations on sessions. Below: ``virtual_texts``.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from groundwire.errors import InvalidArgument, RequestTimeout
from groundwire.operations.files.paths import shown_path
from groundwire.operations.operation import Call
from groundwire.operations.results.speculation import SessionState, SimulationSession
from groundwire.operations.speculation.given_edits import virtual_texts
from groundwire.operations.speculation.virtual_texts import VirtualTexts

MOST_SESSIONS = 8
EXPIRES_AFTER_S = 30 * 60.0

_ENDED = frozenset[SessionState]({"committed", "discarded", "dirty"})
_NEXT = {
    "committed": "it is committed",
    "discarded": "it is discarded",
    "dirty": "files that it edits were changed on disk",
}


class Simulation:
    """One session. One thing is done with it at a time."""

    def __init__(self, texts: VirtualTexts, now: float) -> None:
        self.id = secrets.token_hex(16)
        self.texts = texts
        self.state: SessionState = "created"
        self.version = 0
        self.used_at = now
        self.lock = asyncio.Lock()

    def require(self, *allowed: SessionState) -> None:
        """Raise InvalidArgument unless it is in one of these states."""
        if self.state not in allowed:
            raise InvalidArgument(
                f"the session has ended: {_NEXT.get(self.state, self.state)}",
                hint="Begin another one with create_simulation_session.",
            )

    def mutate(self, texts: VirtualTexts) -> None:
        """Other texts."""
        self.texts, self.state = texts, "mutated"
        self.version += 1

    def end(self, state: SessionState) -> None:
        """Its texts are not needed any more."""
        self.state = state
        self.texts = self.texts.emptied()


class Simulations:
    """Of one client, by their ids; those that nobody used for long are gone."""

    def __init__(self) -> None:
        self._sessions: dict[str, Simulation] = {}

    def create(self, call: Call, now: float) -> Simulation:
        """A new one. Raises InvalidArgument when there are too many."""
        self._expire(now)
        if len(self._sessions) >= MOST_SESSIONS:
            raise InvalidArgument(
                f"there are {MOST_SESSIONS} sessions already", hint="End one of them with destroy_session."
            )
        session = Simulation(virtual_texts(call), now)
        self._sessions[session.id] = session
        return session

    def find(self, call: Call, session_id: str, now: float) -> Simulation:
        """The one of this id; without any, the one used last, or a new one. Raises InvalidArgument."""
        self._expire(now)
        open_ones = [each for each in self._sessions.values() if each.state not in _ENDED]
        if not session_id and not open_ones:
            return self.create(call, now)
        session = self._sessions.get(session_id) or (
            None if session_id else max(open_ones, key=lambda each: each.used_at)
        )
        if session is None:
            raise InvalidArgument(
                f"there is no session {session_id[:40]!r}",
                hint="It may have expired: begin another one with create_simulation_session.",
            )
        session.used_at = now
        return session

    def destroy(self, session_id: str) -> bool:
        """Whether there was one."""
        return self._sessions.pop(session_id, None) is not None

    def _expire(self, now: float) -> None:
        for session in list(self._sessions.values()):
            if now - session.used_at > EXPIRES_AFTER_S and not session.lock.locked():
                del self._sessions[session.id]


@asynccontextmanager
async def session_of(call: Call, session_id: str) -> AsyncGenerator[Simulation]:
    """The session, to oneself. Raises InvalidArgument or RequestTimeout."""
    session = call.kept.get(Simulations).find(call, session_id, asyncio.get_running_loop().time())
    try:
        async with asyncio.timeout_at(call.deadline):
            await session.lock.acquire()
    except TimeoutError:
        raise RequestTimeout("the session is busy") from None
    try:
        yield session
    finally:
        session.lock.release()


def described(call: Call, session: Simulation, *, edit_applied: bool = False) -> SimulationSession:
    """The session as it is."""
    return SimulationSession(
        session_id=session.id,
        status=session.state,
        edit_applied=edit_applied,
        version_after=session.version,
        files=tuple(shown_path(each.file, call.pool.workspace) for each in session.texts.changed),
    )

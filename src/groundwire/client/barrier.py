"""A request that every server refuses, in its turn: by then it has read all that it was told before.

Above: ``sync``, ``diagnose``, the operations that ask for edits. Below: ``session``.
"""

import contextlib

from groundwire.client.session import Session
from groundwire.errors import RequestTimeout, ServerError

BARRIER = "groundwire/barrier"


async def pass_barrier(session: Session, deadline: float) -> None:
    """Wait until the server has said all that it wanted to say before this."""
    with contextlib.suppress(ServerError, RequestTimeout):
        await session.request(BARRIER, timeout=max(deadline - session.now(), 0.001))


def note_when_read(session: Session, method: str, params: object) -> None:
    """The server has to look for new files: have it known from when on what it says of that counts.

    The notification that made it look is sent again where it may have looked before that.
    """
    readiness, rescans = session.state.readiness, session.state.readiness.rescans

    def read() -> None:
        if readiness.read(rescans, session.now()):
            session.notify(method, params)
        session.signal.ring()

    session.connection.probe(BARRIER, read)

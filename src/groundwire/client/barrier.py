"""A request that every server refuses, in its turn: by then it has read all that it was told before.

Above: ``sync``, ``diagnose``, the operations that ask for edits. Below: ``session``.
"""

import asyncio
import contextlib

from groundwire.client.session import RECONFIGURE, Session
from groundwire.errors import RequestTimeout, ServerError

BARRIER = "groundwire/barrier"


async def pass_barrier(session: Session, deadline: float) -> None:
    """Wait until the server has said all that it wanted to say before this."""
    with contextlib.suppress(ServerError, RequestTimeout):
        await session.request(BARRIER, timeout=max(deadline - session.now(), 0.001))


def note_when_read(session: Session, method: str, params: object) -> None:
    """The server has to look for new files: have it known from when on what it says of that counts.

    The notification that made it look is sent again where it may have looked before that. What is gone makes it look
    only once, though, and what its configuration leaves out not at all: if it stays silent it is told of that.
    """
    readiness, rescans = session.state.readiness, session.state.readiness.rescans

    def read() -> None:
        if readiness.read(rescans, session.now()):
            session.notify(method, params)
        asyncio.get_running_loop().call_later(session.options.readiness.rescan_nudge_ms / 1000, nudge)
        session.signal.ring()

    def nudge() -> None:
        if readiness.is_rescan_expected and readiness.rescans == rescans and session.life == "ready":
            session.notify(RECONFIGURE, {"settings": session.options.settings})

    session.connection.probe(BARRIER, read)

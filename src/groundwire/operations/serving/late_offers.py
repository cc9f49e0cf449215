"""What a server offers only a moment after it has started: it is given that moment before it is said to lack something.

Above: the operations that ask for edits, which many servers register late. Below: ``question``, ``client``.
"""

import contextlib

from groundwire.client.ask import require
from groundwire.client.session import IS_WINDOWS, Session
from groundwire.errors import RequestTimeout, ServerError
from groundwire.operations.question import Asking
from groundwire.protocol.uris import uri_to_path

_BARRIER = "groundwire/barrier"
"""Refused by every server, in its turn: what it said before has arrived then."""
_MOMENT_S = 1.0


async def require_offer(asking: Asking, method: str) -> None:
    """Raise CapabilityMissing unless the server offers ``method`` for this document, or does so in a moment."""
    session, document = asking.session, asking.document
    path = uri_to_path(document.uri, windows=IS_WINDOWS)

    def is_offered() -> bool:
        return session.state.capabilities.supports(method, path=path, language=document.language)

    if not is_offered() and session.now() < session.ready_since + session.options.registration_wait:
        await pass_barrier(session, asking.deadline)
        until = min(session.now() + _MOMENT_S, asking.deadline)
        while not is_offered() and session.now() < until:
            await session.signal.wait(until)
            session.raise_if_dead()
    require(session, method, document)


async def pass_barrier(session: Session, deadline: float) -> None:
    """Wait until the server has said all that it wanted to say before this."""
    with contextlib.suppress(ServerError, RequestTimeout):
        await session.request(_BARRIER, timeout=max(deadline - session.now(), 0.001))

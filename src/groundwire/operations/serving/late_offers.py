"""What a server offers only a moment after it has started: it is given that moment before it is said to lack something.

Above: the operations that ask for edits, which many servers register late. Below: ``question``, ``client``.
"""

from groundwire.client.ask import require
from groundwire.client.barrier import pass_barrier
from groundwire.client.session import IS_WINDOWS
from groundwire.operations.question import Asking
from groundwire.protocol.uris import uri_to_path

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

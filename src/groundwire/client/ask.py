"""Asking a server a question: only once it can answer completely, or with the reason why the answer may not be
complete.

Above: ``operations``. Below: ``session``, ``diagnose``, ``workspace.readiness``.
"""

import msgspec
from msgspec import Raw

from groundwire.client.diagnose import diagnose
from groundwire.client.session import Session
from groundwire.errors import CapabilityMissing
from groundwire.workspace.documents import Document


class Reply(msgspec.Struct, frozen=True):
    """The raw result. ``incomplete`` says why there may be more than this; empty when it is complete."""

    result: Raw
    incomplete: str


async def ask_across_files(session: Session, method: str, params: object, document: Document, deadline: float) -> Reply:
    """Ask what spans files, such as references: it waits until the workspace is loaded, within the time."""
    require(session, method, document)
    incomplete = await _wait_until_loaded(session, document, deadline)
    clock = session.state.documents.clock
    result = await session.request(method, params, timeout=max(deadline - session.now(), 0.001))
    if not incomplete and session.state.documents.clock != clock:
        incomplete = "files changed while the answer was computed"
    return Reply(result, incomplete)


def require(session: Session, method: str, document: Document) -> None:
    """Raise CapabilityMissing unless the server offers ``method`` for this document."""
    if not session.state.capabilities.supports(method, path=document.uri, language=document.language):
        raise CapabilityMissing(f"{session.options.server} does not offer {method}")


async def _wait_until_loaded(session: Session, document: Document, deadline: float) -> str:
    while True:
        gate = session.state.readiness.gate("references", session.now())
        if gate.is_open or session.now() >= deadline:
            return gate.reason
        if session.options.readiness.references_need == "first-diagnostics":
            found = await diagnose(session, document, deadline, save_checks=False)
            if found.proof != "confirmed":
                return f"{gate.reason}: {found.reason}"
            continue
        await session.signal.wait(min(gate.until or deadline, deadline))
        session.raise_if_dead()

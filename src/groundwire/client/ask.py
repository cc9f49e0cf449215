"""Asking a server a question: only once it can answer completely, or with the reason why the answer may not be
complete.

Above: ``operations``. Below: ``session``, ``diagnose``, ``workspace.readiness``.
"""

import msgspec
from msgspec import Raw

from groundwire.client.diagnose import diagnose
from groundwire.client.session import IS_WINDOWS, Session
from groundwire.errors import CapabilityMissing
from groundwire.protocol.uris import uri_to_path
from groundwire.workspace.documents import Document

_SHARE_FOR_LOADING = 0.75
"""Of the time: the rest is for the question, so that a server that never tells that it has loaded is asked at all."""


class Reply(msgspec.Struct, frozen=True):
    """The raw result. ``incomplete`` says why there may be more than this; empty when it is complete."""

    result: Raw
    incomplete: str


async def ask_across_files(session: Session, method: str, params: object, document: Document, deadline: float) -> Reply:
    """Ask what spans files, such as references: it waits until the workspace is loaded, within the time."""
    require(session, method, document)
    clock = session.state.documents.clock
    began = session.now()
    incomplete = await _wait_until_loaded(session, document, began + (deadline - began) * _SHARE_FOR_LOADING)
    result = await session.request(method, params, timeout=max(deadline - session.now(), 0.001))
    if not incomplete and session.state.documents.clock != clock:
        incomplete = "files changed while the answer was computed"
    return Reply(result, incomplete)


def require(session: Session, method: str, document: Document) -> None:
    """Raise CapabilityMissing unless the server offers ``method`` for this document."""
    path = uri_to_path(document.uri, windows=IS_WINDOWS)
    if not session.state.capabilities.supports(method, path=path, language=document.language):
        raise CapabilityMissing(f"{session.options.server} does not offer {method}")


async def _wait_until_loaded(session: Session, document: Document, deadline: float) -> str:
    needs_findings = session.options.readiness.references_need == "first-diagnostics"
    while True:
        gate = session.state.readiness.gate("references", session.now())
        if gate.is_open or session.now() >= deadline:
            return gate.reason
        if needs_findings:
            needs_findings = False
            found = await diagnose(session, document, deadline, save_checks=False)
            if found.proof != "confirmed":
                return f"{gate.reason}: {found.reason}"
            continue
        await session.signal.wait(min(gate.until or deadline, deadline))
        session.raise_if_dead()

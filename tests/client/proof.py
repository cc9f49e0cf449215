"""What the tests of proven findings share: a file open at a fake, a check of it, and what came of it in short."""

from pathlib import Path

from groundwire.client.diagnose import Findings, diagnose
from groundwire.client.session import Session
from groundwire.client.sync import sync_file
from groundwire.workspace.documents import Document
from tests.fakes.server import FakeServer


def opened(session: Session, text: str = "one\n", name: str = "a.toy") -> Document:
    """Write a file below the root and tell the server, which opens or changes it there."""
    path = session.options.root / name
    path.write_text(text)
    return sync_file(session, path, "toy")


async def check(session: Session, document: Document, seconds: float = 5.0, *, save_checks: bool = True) -> Findings:
    """Prove the findings within that time."""
    return await diagnose(session, document, session.now() + seconds, save_checks=save_checks)


def outcome(found: Findings) -> tuple[str, str, list[str]]:
    """How far it is proven, by what, and the messages."""
    return found.proof, found.evidence, [diagnostic.message_text for diagnostic in found.diagnostics]


def uri_below(root: Path, name: str = "a.toy") -> str:
    """The URI of a file."""
    return (root / name).as_uri()


def version_at(server: FakeServer, document: Document) -> int:
    """The version that the server believes to be the current one."""
    return server.documents[document.uri].version

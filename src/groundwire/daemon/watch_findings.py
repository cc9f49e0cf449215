"""What servers last said is wrong, file by file, as watchers see it: only what is about content that the disk holds, or
held when it was said.

A server may be shown content that is not on disk; what it says then is nobody's finding. So what it says about an open
document counts when it is about the document as it was told last; it stays, marked as old, until something newer does.
Above: ``watch_known``. Below: ``workspace.diagnostics``, ``operations.findings``.
"""

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.client.session import Session
from groundwire.daemon.watch_messages import FileNews, ShownFinding
from groundwire.operations.diagnostics.findings import finding_of
from groundwire.operations.files.paths import shown_path
from groundwire.protocol.lsp_diagnostics import Diagnostic
from groundwire.protocol.positions import Lines, PositionEncoding
from groundwire.workspace.diagnostics import FileRecord, merge
from groundwire.workspace.documents import Document

MOST_FILES = 200
MOST_PER_FILE = 50
_LONGEST_LINE = 300
_LONGEST_CODE = 200
_LONGEST_MESSAGE = 2000


class Said(NamedTuple):
    """What one server said about one file, converted."""

    findings: tuple[ShownFinding, ...]
    is_current: bool


class Evidence(NamedTuple):
    """Where something is to be converted. ``lines`` is None where the text has to be read first."""

    session: Session
    path: str
    diagnostics: tuple[Diagnostic, ...]
    lines: Lines | None
    is_current: bool
    received: float = 0.0

    @property
    def key(self) -> tuple[int, str]:
        """Of one server and file."""
        return id(self.session), self.path


Mark = tuple[object, ...]
"""By which it is seen that nothing new was said: what was said itself, which is never changed."""


def mark_of(record: FileRecord, document: Document | None) -> Mark:
    """Cheap: it is taken of every file at every look."""
    told = (document.version, document.told_at) if document is not None else None
    return record.pushed, tuple(record.pulled.values()), told


def evidence_of(session: Session, path: str, record: FileRecord, document: Document | None) -> Evidence | None:
    """What of a record counts; None where nothing does."""
    if document is None:
        pushed = record.pushed
        listed = pushed.diagnostics if pushed is not None else ()
        received = pushed.received if pushed is not None else 0.0
        return Evidence(session, path, listed, None if listed else Lines(""), is_current=True, received=received)
    current = list(_current_channels(record, document))
    if not current:
        return None
    return Evidence(session, path, merge(current), document.lines, is_current=True)


def _current_channels(record: FileRecord, document: Document) -> Iterator[tuple[Diagnostic, ...]]:
    for pulled in record.pulled.values():
        if pulled.asked.clock >= document.told_at:
            yield pulled.diagnostics
    pushed = record.pushed
    if pushed is None:
        return
    if pushed.version == document.version if pushed.version is not None else pushed.clock >= document.told_at:
        yield pushed.diagnostics


def said_by(evidence: Evidence, lines: Lines) -> Said:
    """Converted over the text that it is about."""
    session = evidence.session
    encoding = session.state.capabilities.position_encoding
    shown = tuple(_shown(each, lines, encoding, session.options.server) for each in evidence.diagnostics)
    return Said(shown, evidence.is_current)


def _shown(diagnostic: Diagnostic, lines: Lines, encoding: PositionEncoding, server: str) -> ShownFinding:
    found = finding_of(diagnostic, lines, encoding)
    text = lines.line(found.line - 1) if found.line <= lines.line_count else ""
    return ShownFinding(
        line=found.line,
        column=found.column,
        severity=found.severity,
        message=found.message[:_LONGEST_MESSAGE],
        code=found.code[:_LONGEST_CODE],
        source=found.source[:_LONGEST_CODE],
        server=server,
        text=text[:_LONGEST_LINE].rstrip(),
    )


def read_lines(evidence: Evidence, loop_now: float, max_size: int) -> tuple[Lines, bool]:
    """The text on disk, and whether it was there when the server spoke. In a thread: the disk may be slow."""
    try:
        found = os.stat(evidence.path)
        if found.st_size > max_size:
            return Lines(""), False
        text = Path(evidence.path).read_text("utf-8", errors="replace")
    except (OSError, ValueError):
        return Lines(""), False
    said_at = time.time() - (loop_now - evidence.received)
    return Lines(text), found.st_mtime <= said_at


def file_news(path: str, workspace: Path, said: Iterable[Said]) -> FileNews:
    """One file, from all servers."""
    parts = [each for each in said if each.findings]
    unique = {msgspec.structs.astuple(each): each for part in parts for each in part.findings}
    ordered = sorted(unique.values(), key=lambda each: (each.line, each.column))
    return FileNews(
        file=shown_path(Path(path), workspace),
        findings=tuple(ordered[:MOST_PER_FILE]),
        is_current=all(part.is_current for part in parts),
        more=max(len(ordered) - MOST_PER_FILE, 0),
    )

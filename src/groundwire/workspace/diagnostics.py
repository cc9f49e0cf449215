"""What a server has said about each file, by which channel, and about which state of the world.

A file's findings come by push (with or without a version), by pull (per identifier) or from a synchronous command. The
store keeps each channel apart with the clock of ``Documents`` at which it was asked or received; which of them prove
anything is decided in ``settle``. Above: ``settle`` and ``client``. Below: ``protocol``.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from groundwire.protocol.lsp_diagnostics import (
    Diagnostic,
    DocumentDiagnosticReport,
    FullDocumentDiagnosticReport,
)
from groundwire.protocol.uris import uri_key

COMMAND = "\0command"
"""The identifier under which a synchronous command's findings are kept."""


class Publication(msgspec.Struct, frozen=True, kw_only=True):
    """The last push for a file."""

    diagnostics: tuple[Diagnostic, ...]
    version: int | None
    clock: int
    received: float


class Asked(msgspec.Struct, frozen=True, order=True):
    """The moment a pull or command was sent: whatever happened after it may not be in the answer."""

    clock: int
    refreshes: int


class Pulled(msgspec.Struct, frozen=True, kw_only=True):
    """The last answer to a pull or command with one identifier."""

    diagnostics: tuple[Diagnostic, ...]
    result_id: str | None
    asked: Asked


class FileRecord(msgspec.Struct):
    """Everything said about one file."""

    pushed: Publication | None = None
    pulled: dict[str | None, Pulled] = {}

    def last_words(self) -> Iterator[Diagnostic]:
        """What was asked for, unless something newer was pushed."""
        pulled = [each for each in self.pulled.values() if self.pushed is None or each.asked.clock >= self.pushed.clock]
        if pulled or self.pushed is None:
            return (diagnostic for each in pulled for diagnostic in each.diagnostics)
        return iter(self.pushed.diagnostics)


class DiagnosticStore:
    """Records by file. ``refreshes`` counts the times the server said that earlier pulls are out of date."""

    def __init__(self) -> None:
        self._files: dict[str, FileRecord] = {}
        self.refreshes = 0
        self.ever_reported = False
        self.heard = 0
        """Counts whatever changes a record."""
        self._meant: tuple[Callable[[str], bool], int, tuple[str, ...]] | None = None

    def record(self, uri: str) -> FileRecord:
        """The file's record, made when first needed."""
        key = uri_key(uri)
        found = self._files.get(key)
        if found is None:
            found = self._files[key] = FileRecord()
        return found

    def saying(self, is_meant: Callable[[str], bool]) -> tuple[str, ...]:
        """The keys of files with a finding whose message is meant."""
        if self._meant is None or self._meant[:2] != (is_meant, self.heard):
            found = (
                key for key, each in self._files.items() if any(is_meant(d.message_text) for d in each.last_words())
            )
            self._meant = is_meant, self.heard, tuple(found)
        return self._meant[2]

    def files(self) -> tuple[str, ...]:
        """The keys of all files anything was said about."""
        return tuple(self._files)

    def push(self, uri: str, diagnostics: Iterable[Diagnostic], version: int | None, clock: int, now: float) -> None:
        """A publish arrived."""
        listed = tuple(diagnostics)
        self.ever_reported = self.ever_reported or bool(listed)
        record = self.record(uri)
        before = record.pushed.version if record.pushed is not None else None
        if version is not None and before is not None and version < before:
            return  # overtaken by a newer one
        self.heard += 1
        record.pushed = Publication(diagnostics=listed, version=version, clock=clock, received=now)

    def asking(self, clock: int) -> Asked:
        """To be called when a pull or command is sent, and given back with its answer."""
        return Asked(clock, self.refreshes)

    def pull(self, uri: str, identifier: str | None, report: DocumentDiagnosticReport, asked: Asked) -> bool:
        """A pull was answered. False when the answer is "unchanged" against something that is not known any more."""
        record = self.record(uri)
        if isinstance(report, FullDocumentDiagnosticReport):
            self._pulled(record, identifier, report.items, report.result_id, asked)
        else:
            before = record.pulled.get(identifier)
            if before is None or before.result_id != report.result_id:
                record.pulled.pop(identifier, None)
                return False
            self._pulled(record, identifier, before.diagnostics, report.result_id, asked)
        if report.related_documents:
            for related, related_report in report.related_documents.items():
                self.pull(related, identifier, related_report, asked)
        return True

    def command(self, uri: str, diagnostics: Sequence[Diagnostic], asked: Asked) -> None:
        """A synchronous command was answered."""
        self._pulled(self.record(uri), COMMAND, diagnostics, None, asked)

    def result_id(self, uri: str, identifier: str | None) -> str | None:
        """The id to send as ``previousResultId``."""
        before = self.record(uri).pulled.get(identifier)
        return before.result_id if before else None

    def forget(self, uri: str) -> None:
        """The file was closed or deleted: what was said about it proves nothing any more."""
        self.heard += 1
        self._files.pop(uri_key(uri), None)

    def refresh(self) -> None:
        """The server asks to pull again."""
        self.refreshes += 1

    def _pulled(
        self,
        record: FileRecord,
        identifier: str | None,
        diagnostics: Sequence[Diagnostic],
        result_id: str | None,
        asked: Asked,
    ) -> None:
        self.ever_reported = self.ever_reported or bool(diagnostics)
        self.heard += 1
        before = record.pulled.get(identifier)
        if before is None or before.asked <= asked:  # answers may overtake one another
            record.pulled[identifier] = Pulled(diagnostics=tuple(diagnostics), result_id=result_id, asked=asked)


def merge(channels: Iterable[Iterable[Diagnostic]]) -> tuple[Diagnostic, ...]:
    """All findings of several channels, each once, sorted by place."""
    seen: dict[tuple[object, ...], Diagnostic] = {}
    for channel in channels:
        for diagnostic in channel:
            seen.setdefault(_identity(diagnostic), diagnostic)
    return tuple(sorted(seen.values(), key=lambda diagnostic: (diagnostic.range, diagnostic.severity or 1)))


def _identity(diagnostic: Diagnostic) -> tuple[object, ...]:
    return (diagnostic.range, diagnostic.message_text, diagnostic.code_text, diagnostic.source, diagnostic.severity)

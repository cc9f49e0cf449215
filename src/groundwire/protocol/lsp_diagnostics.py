"""The diagnostic shapes: pushed, pulled per document, pulled for the workspace.

Above: ``workspace.diagnostics``, ``client``. Below: ``lsp``.
"""

import msgspec
from msgspec import Raw

from groundwire import errors
from groundwire.protocol.jsonrpc import UNREADABLE
from groundwire.protocol.lsp import Location, MarkupContent, Range, Shape, decode

_PULL = "textDocument/diagnostic"


class CodeDescription(Shape, frozen=True):
    href: str


class DiagnosticRelatedInformation(Shape, frozen=True):
    location: Location
    message: str


class Diagnostic(Shape, frozen=True):
    """``code`` is an int or a string by the specification, and anything in practice; read ``code_text``."""

    range: Range
    message: str | MarkupContent
    severity: int | None = None
    code: Raw = Raw()
    code_description: CodeDescription | None = None
    source: str | None = None
    tags: tuple[int, ...] | None = None
    related_information: tuple[DiagnosticRelatedInformation, ...] | None = None
    data: Raw = Raw()

    @property
    def message_text(self) -> str:
        """The message as text, whichever of the two forms it came in."""
        return self.message if isinstance(self.message, str) else self.message.value

    @property
    def code_text(self) -> str:
        """The code as text, empty when there is none; of ``{"value": …, "target": …}`` the value."""
        return _text_of(msgspec.json.decode(self.code)) if bytes(self.code) else ""

    def __hash__(self) -> int:
        # ``Raw`` cannot be hashed; equal diagnostics have equal bytes, hence equal texts.
        return hash((self.range, self.message, self.severity, bytes(self.code), self.source))


class PublishDiagnosticsParams(Shape, frozen=True):
    uri: str
    diagnostics: list[Diagnostic]
    version: int | None = None


class FullDocumentDiagnosticReport(Shape, frozen=True, tag_field="kind", tag="full"):
    items: list[Diagnostic]
    result_id: str | None = None
    related_documents: "dict[str, FullDocumentDiagnosticReport | UnchangedDocumentDiagnosticReport] | None" = None


class UnchangedDocumentDiagnosticReport(Shape, frozen=True, tag_field="kind", tag="unchanged"):
    result_id: str
    related_documents: "dict[str, FullDocumentDiagnosticReport | UnchangedDocumentDiagnosticReport] | None" = None


DocumentDiagnosticReport = FullDocumentDiagnosticReport | UnchangedDocumentDiagnosticReport


class WorkspaceFullDocumentDiagnosticReport(Shape, frozen=True, tag_field="kind", tag="full"):
    uri: str
    items: list[Diagnostic]
    version: int | None = None
    result_id: str | None = None


class WorkspaceUnchangedDocumentDiagnosticReport(Shape, frozen=True, tag_field="kind", tag="unchanged"):
    uri: str
    result_id: str
    version: int | None = None


WorkspaceDocumentDiagnosticReport = WorkspaceFullDocumentDiagnosticReport | WorkspaceUnchangedDocumentDiagnosticReport


class WorkspaceDiagnosticReport(Shape, frozen=True):
    """Also the shape of each partial result."""

    items: list[WorkspaceDocumentDiagnosticReport]


_REPORT = msgspec.json.Decoder[DocumentDiagnosticReport](DocumentDiagnosticReport)


def decode_document_report(raw: bytes) -> DocumentDiagnosticReport:
    """The answer to ``textDocument/diagnostic``. Full or unchanged; anything else is ``Wire``, never a clean file."""
    try:
        return _REPORT.decode(raw)
    except UNREADABLE:
        return _odd_report(raw)


def _odd_report(raw: bytes) -> DocumentDiagnosticReport:
    report = decode(raw, _AnyReport, _PULL)
    if not report.related_documents:
        return _as_report(report)
    return _as_report(report, {uri: _as_report(each) for uri, each in report.related_documents.items()})


class _AnyReport(Shape, frozen=True):
    """Some servers leave the kind empty: what a report carries tells which it is."""

    kind: str
    items: list[Diagnostic] | None = None
    result_id: str | None = None
    related_documents: "dict[str, _AnyReport] | None" = None


def _as_report(
    report: _AnyReport, related: dict[str, DocumentDiagnosticReport] | None = None
) -> DocumentDiagnosticReport:
    if report.kind == "unchanged" and report.result_id is not None:
        return UnchangedDocumentDiagnosticReport(report.result_id, related)
    if report.items is None or report.kind not in ("full", ""):
        raise errors.Wire(f"{_PULL}: a report of kind {report.kind!r} that says nothing of the file")
    return FullDocumentDiagnosticReport(report.items, report.result_id, related)


def _text_of(code: object) -> str:
    if code is None:
        return ""
    if isinstance(code, str):
        return code
    if isinstance(code, float) and code.is_integer():
        return str(int(code))
    if isinstance(code, dict) and "value" in code:
        return _text_of(msgspec.convert(code, dict[str, object])["value"])
    return msgspec.json.encode(code).decode()

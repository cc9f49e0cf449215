"""One server's findings in people's terms: 1-based characters, words for severities, a status.

Above: ``diagnose``. Below: ``client.diagnose``, ``protocol``.
"""

from collections.abc import Mapping

import msgspec

from groundwire.client.diagnose import Findings
from groundwire.operations.answer import Finding, Severity, Status
from groundwire.protocol.lsp_diagnostics import Diagnostic
from groundwire.protocol.positions import Lines, PositionEncoding

_SEVERITIES: Mapping[int, Severity] = {1: "error", 2: "warning", 3: "information", 4: "hint"}


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What one server contributes to one file."""

    server: str
    status: Status
    reason: str = ""
    evidence: str = ""
    findings: tuple[Finding, ...] = ()


def part_of(found: Findings, encoding: PositionEncoding) -> Part:
    """The server's findings, its positions converted over the very text they are about."""
    lines = found.document.lines
    return Part(
        server=found.server,
        status=Status(found.proof),
        reason=f"{found.server}: {found.reason}" if found.reason else "",
        evidence=found.evidence,
        findings=tuple(finding_of(diagnostic, lines, encoding) for diagnostic in found.diagnostics),
    )


def merged(parts: list[Part]) -> tuple[Finding, ...]:
    """The findings of all servers, each once, by place."""
    unique: dict[tuple[object, ...], Finding] = {}
    for part in parts:
        for finding in part.findings:
            unique.setdefault((finding.line, finding.column, finding.message, finding.code, finding.source), finding)
    return tuple(sorted(unique.values(), key=lambda finding: (finding.line, finding.column, finding.severity)))


def finding_of(diagnostic: Diagnostic, lines: Lines, encoding: PositionEncoding) -> Finding:
    """One of them."""
    line, column = lines.to_human(diagnostic.range.start, encoding)
    end_line, end_column = lines.to_human(diagnostic.range.end, encoding)
    return Finding(
        severity=_SEVERITIES.get(diagnostic.severity or 1, "error"),
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        message=diagnostic.message_text,
        code=diagnostic.code_text,
        source=diagnostic.source or "",
    )

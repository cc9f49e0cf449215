"""The one JSON shape of every answer. Nothing is cut here: what text leaves out for brevity is found here.

Above: ``surfaces``. Below: ``operations.answer``.
"""

import json
from typing import cast

import msgspec

from groundwire.operations.answer import Answer, FileFindings, Finding, T
from groundwire.operations.operation import R
from groundwire.protocol.names import shown_within


def render_findings_json(answer: Answer[tuple[FileFindings, ...]]) -> dict[str, object]:
    """Findings, file by file."""
    return _envelope(answer, {"files": [_file(findings) for findings in answer.value]})


def render_json(answer: Answer[R]) -> dict[str, object]:
    """The answer of an operation: its result's fields as they are."""
    return _envelope(answer, cast("dict[str, object]", msgspec.to_builtins(answer.value)))


def _envelope(answer: Answer[T], result: dict[str, object]) -> dict[str, object]:
    envelope: dict[str, object] = {
        "status": answer.status.value,
        "reason": answer.reason,
        "servers": list(answer.servers),
        "elapsed_ms": round(answer.elapsed_ms, 1),
        "result": result,
    }
    told = {**envelope, "note": answer.note} if answer.note else envelope
    return cast("dict[str, object]", sendable(told))


def sendable(value: object) -> object:
    """What JSON can hold, be there names in it that are no text."""
    try:
        msgspec.json.encode(value)  # far quicker than a look at each text, and nearly always all there is to do
    except (UnicodeEncodeError, OverflowError):  # of numbers, some that other encoders know
        return shown_within(value)
    return value


def dumped(value: object, indent: int | None = None) -> str:
    """The text of what is about to be written, be there names in it that are no text."""
    return json.dumps(sendable(value), ensure_ascii=False, indent=indent)


def _file(findings: FileFindings) -> dict[str, object]:
    return {
        "file": findings.file,
        "status": findings.status.value,
        "reason": findings.reason,
        "diagnostics": [_diagnostic(finding) for finding in findings.diagnostics],
    }


def _diagnostic(finding: Finding) -> dict[str, object]:
    shown: dict[str, object] = {
        "severity": finding.severity,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "code": finding.code,
        "source": finding.source,
        "message": finding.message,
    }
    return {**shown, "origin": finding.origin} if finding.origin else shown

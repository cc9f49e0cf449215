"""The one JSON shape of every answer. Nothing is cut here: what text leaves out for brevity is found here.

Above: ``surfaces``. Below: ``operations.answer``.
"""

from groundwire.operations.answer import Answer, FileFindings, Finding, Place, T


def render_findings_json(answer: Answer[tuple[FileFindings, ...]]) -> dict[str, object]:
    """Findings, file by file."""
    return _envelope(answer, {"files": [_file(findings) for findings in answer.value]})


def render_places_json(answer: Answer[tuple[Place, ...]], *, offset: int = 0) -> dict[str, object]:
    """Locations, from ``offset`` on; ``total`` counts all of them."""
    locations = [_location(place) for place in answer.value[offset:]]
    return _envelope(answer, {"locations": locations, "total": len(answer.value), "offset": offset})


def _envelope(answer: Answer[T], result: dict[str, object]) -> dict[str, object]:
    return {
        "status": answer.status.value,
        "reason": answer.reason,
        "servers": list(answer.servers),
        "elapsed_ms": round(answer.elapsed_ms, 1),
        "result": result,
    }


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


def _location(place: Place) -> dict[str, object]:
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "text": place.text,
    }

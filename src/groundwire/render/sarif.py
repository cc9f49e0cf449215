"""Findings as SARIF 2.1.0, the format of code scanning services.

Pure. Above: ``surfaces``. Below: ``operations.answer``.
"""

from urllib.parse import quote

from groundwire.operations.answer import Answer, FileFindings, Finding, Status
from groundwire.render.limits import Limits

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_STATES = {"introduced": "new", "existing": "unchanged"}
_DEFAULT = Limits()


def render_sarif(
    answer: Answer[tuple[FileFindings, ...]], *, version: str, exit_code: int, limits: Limits = _DEFAULT
) -> dict[str, object]:
    """One run. What is not known stands in its notifications, and then the run was no success."""
    found = [
        (file, each)
        for file in answer.value
        if file.status is not Status.UNKNOWN
        for each in file.diagnostics
        if limits.shows(each.severity)
    ]
    rules = list(dict.fromkeys(_rule(each) for _, each in found))
    places = {rule: number for number, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "groundwire", "version": version, "rules": [{"id": rule} for rule in rules]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(answer, exit_code)],
        "results": [_result(file, each, places) for file, each in found],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _invocation(answer: Answer[tuple[FileFindings, ...]], exit_code: int) -> dict[str, object]:
    unknown = [file for file in answer.value if file.status is not Status.CONFIRMED]
    notifications = [_notification(file.reason or file.status.value, file.file) for file in unknown]
    if answer.status is not Status.CONFIRMED and answer.reason not in {file.reason for file in unknown}:
        notifications.append(_notification(answer.reason or answer.status.value))
    return {
        "executionSuccessful": answer.status is Status.CONFIRMED,
        "exitCode": exit_code,
        "toolExecutionNotifications": notifications,
    }


def _notification(reason: str, file: str = "") -> dict[str, object]:
    told: dict[str, object] = {"level": "warning", "message": {"text": f"not known: {reason}"}}
    if file:
        told["locations"] = [{"physicalLocation": {"artifactLocation": _artifact(file)}}]
    return told


def _result(file: FileFindings, finding: Finding, places: dict[str, int]) -> dict[str, object]:
    rule = _rule(finding)
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    }
    result: dict[str, object] = {
        "ruleId": rule,
        "ruleIndex": places[rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message or rule},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(file.file), "region": region}}],
    }
    state = _STATES.get(finding.origin)
    return {**result, "baselineState": state} if state else result


def _rule(finding: Finding) -> str:
    return "/".join(filter(None, [finding.source, finding.code])) or "finding"


def _artifact(file: str) -> dict[str, str]:
    """Relative to the workspace; outside it the address of a file."""
    if file.startswith("/"):
        return {"uri": f"file://{_quoted(file)}"}
    if file[1:3] == ":/":  # a drive
        return {"uri": f"file:///{quote(file, safe='/:')}"}
    return {"uri": _quoted(file), "uriBaseId": "%SRCROOT%"}


def _quoted(file: str) -> str:
    """By its bytes, which may be no text."""
    return quote(file, errors="surrogateescape")

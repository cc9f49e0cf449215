"""Findings as workflow commands of GitHub Actions, which shows them beside the lines of a pull request.

Pure. Above: ``surfaces``. Below: ``operations.answer``.
"""

from collections.abc import Iterable

from groundwire.operations.answer import Answer, FileFindings, Finding, Status
from groundwire.render.limits import Limits

_LEVELS = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}
_ORDER = {"error": 0, "warning": 1, "information": 2, "hint": 3}
_DEFAULT = Limits()


def render_github(answer: Answer[tuple[FileFindings, ...]], *, limits: Limits = _DEFAULT) -> str:
    """One line for each finding, the worst first, for only some are shown; then what is not known."""
    found = [(file, each) for file in answer.value for each in _shown(file, limits)]
    found.sort(key=lambda pair: _ORDER[pair[1].severity])
    lines = [_command(_LEVELS[each.severity], _properties(file, each), each.message) for file, each in found]
    return "\n".join([*lines, *_not_known(answer)])


def _shown(file: FileFindings, limits: Limits) -> Iterable[Finding]:
    if file.status is Status.UNKNOWN:
        return ()
    return (each for each in file.diagnostics if limits.shows(each.severity))


def _properties(file: FileFindings, finding: Finding) -> dict[str, str]:
    properties = {"file": file.file, "line": str(finding.line), "endLine": str(finding.end_line)}
    properties["col"] = str(finding.column)
    if finding.end_line == finding.line:  # over several lines it is not understood
        properties["endColumn"] = str(finding.end_column)
    title = " ".join(filter(None, [finding.source, finding.code]))
    return {**properties, "title": title} if title else properties


def _not_known(answer: Answer[tuple[FileFindings, ...]]) -> list[str]:
    unknown = [file for file in answer.value if file.status is not Status.CONFIRMED]
    lines = [_command("warning", {"file": file.file, "title": "not known"}, file.reason) for file in unknown]
    if answer.status is not Status.CONFIRMED and answer.reason not in {file.reason for file in unknown}:
        lines.append(_command("warning", {"title": "not known"}, answer.reason or answer.status.value))
    return lines


def _command(level: str, properties: dict[str, str], message: str) -> str:
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {told}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

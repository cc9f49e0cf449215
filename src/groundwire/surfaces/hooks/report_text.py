"""A report as a host's model reads it: in the form of groundwire's own edit tools, and nothing where nothing is wrong.

Above: ``handler``. Below: ``render.edits``.
"""

from collections.abc import Sequence

from groundwire.operations.answer import Answer, FileFindings, Finding, Status
from groundwire.operations.results.edits import EditOutcome, EditReport
from groundwire.render.edits import report_limits, report_sections
from groundwire.render.page import Page, fitted
from groundwire.render.wording import counted

_ROOM = 7_500
"""Within what the strictest host lets through."""


def visible(report: EditReport, file: FileFindings) -> list[Finding]:
    """What the mode of the report shows of a file as fact."""
    if file.status is Status.UNKNOWN:
        return []
    limits = report_limits(report)
    return [
        finding
        for finding in file.diagnostics
        if limits.shows(finding.severity) and not (report.mode == "introduced" and finding.origin == "existing")
    ]


def report_text(
    answer: Answer[EditReport], others: Sequence[str] = (), more: int = 0, *, is_verbose: bool = False
) -> str:
    """Empty when nothing is to be said. ``others`` were changed by whomever; ``more`` were not looked at."""
    report = answer.value
    has_findings = any(visible(report, file) for file in report.files)
    if not has_findings and (not is_verbose or answer.status is Status.CONFIRMED):
        return ""
    outcome = EditOutcome(applied=True, report=report)
    shown = Answer(value=outcome, status=answer.status, reason=answer.reason, servers=answer.servers, note=answer.note)
    state, *findings = report_sections(shown, report)
    text = fitted(Page("\n".join(state.blocks[0]), tuple(findings)), _ROOM)
    return "\n".join([text, *_about_others(report, others, more)])


def _about_others(report: EditReport, others: Sequence[str], more: int) -> list[str]:
    broken = {file.file for file in report.files if visible(report, file)}
    named = [file for file in others if file in broken]
    lines = [f"Changed on disk meanwhile: {', '.join(named)}"] if named else []
    return [*lines, f"{counted(more, 'more changed file')} not checked"] if more else lines

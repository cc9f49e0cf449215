"""What the exit status of a check says, and that of an answer.

Above: ``check`` and ``operation_command``. Below: ``operations.answer``, ``operations.change_report``.
"""

from groundwire.operations.answer import Answer, FileFindings, Status, T
from groundwire.operations.results.change_report import ChangeReport

CLEAN = 0
ERRORS = 1
NOT_KNOWN = 3


def exit_code(answer: Answer[tuple[FileFindings, ...]]) -> int:
    """Errors go before what is not known, and only what is proven is clean. Warnings do not count."""
    if any(_has_errors(findings) for findings in answer.value):
        return ERRORS
    everything = (answer.status, *(findings.status for findings in answer.value))
    return CLEAN if all(status is Status.CONFIRMED for status in everything) else NOT_KNOWN


def changes_code(answer: Answer[ChangeReport]) -> int:
    """What a change set introduced goes before what is not known; what was there before does not count."""
    if answer.value.introduced:
        return ERRORS
    return proven_code(answer)


def proven_code(answer: Answer[T]) -> int:
    """Of an answer that finds nothing wrong, only whether it is proven counts."""
    return CLEAN if answer.status is Status.CONFIRMED else NOT_KNOWN


def _has_errors(findings: FileFindings) -> bool:
    # What was reported for a file of unknown state may belong to older content: it is no error of the present one.
    if findings.status is Status.UNKNOWN:
        return False
    return any(finding.severity == "error" for finding in findings.diagnostics)

"""The exit status of a check, as a table."""

import pytest

from groundwire.operations.answer import Answer, FileFindings, Finding, Severity, Status, worst
from groundwire.surfaces.cli.exit_status import CLEAN, ERRORS, NOT_KNOWN, exit_code

File = tuple[Status, tuple[Severity, ...]]

CONFIRMED, PARTIAL, UNKNOWN, UNSUPPORTED = Status.CONFIRMED, Status.PARTIAL, Status.UNKNOWN, Status.UNSUPPORTED


def findings(status: Status, severities: tuple[Severity, ...]) -> FileFindings:
    diagnostics = tuple(
        Finding(severity=severity, line=1, column=1, end_line=1, end_column=2, message="m") for severity in severities
    )
    return FileFindings(file="a.py", status=status, diagnostics=diagnostics)


@pytest.mark.parametrize(
    ("files", "status"),
    [
        ([(CONFIRMED, ())], CLEAN),
        ([(CONFIRMED, ()), (CONFIRMED, ())], CLEAN),
        ([(CONFIRMED, ("warning", "information", "hint"))], CLEAN),
        ([(CONFIRMED, ("error",))], ERRORS),
        ([(CONFIRMED, ()), (CONFIRMED, ("warning", "error"))], ERRORS),
        ([(PARTIAL, ("error",))], ERRORS),
        ([(CONFIRMED, ("error",)), (UNKNOWN, ())], ERRORS),
        ([(UNKNOWN, ())], NOT_KNOWN),
        ([(PARTIAL, ())], NOT_KNOWN),
        ([(UNSUPPORTED, ())], NOT_KNOWN),
        ([(CONFIRMED, ()), (UNKNOWN, ())], NOT_KNOWN),
        ([(PARTIAL, ("warning",))], NOT_KNOWN),
        ([(UNKNOWN, ("error",))], NOT_KNOWN),
        ([], NOT_KNOWN),
    ],
)
def test_the_status_says_no_more_than_was_proven(files: list[File], status: int) -> None:
    value = tuple(findings(*file) for file in files)
    assert exit_code(Answer(value=value, status=worst(each.status for each in value))) == status


def test_an_answer_that_is_incomplete_as_a_whole_is_not_clean() -> None:
    assert exit_code(Answer(value=(findings(CONFIRMED, ()),), status=PARTIAL, reason="cut short")) == NOT_KNOWN

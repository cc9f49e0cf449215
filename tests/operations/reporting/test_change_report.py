"""From findings of now and then to their origin: what cannot be told is not guessed."""

from pathlib import Path

import pytest

from groundwire.operations.answer import FileFindings, Finding, Severity, Status
from groundwire.operations.diagnostics.baselines import Known
from groundwire.operations.diagnostics.diagnose import CheckedFile
from groundwire.operations.reporting.change_report import Compared, Doubtful, beyond, count

FILE = Path("/w/a.py")


def finding(message: str, line: int = 1, severity: Severity = "error") -> Finding:
    return Finding(severity=severity, line=line, column=1, end_line=line, end_column=2, message=message)


def checked(*found: Finding, status: Status = Status.CONFIRMED) -> CheckedFile:
    return CheckedFile(FILE, FileFindings(file="a.py", status=status, diagnostics=found), "one\ntwo\n")


def origins(findings: FileFindings) -> list[str]:
    return [each.origin for each in findings.diagnostics]


def test_without_a_past_there_is_no_origin_and_that_is_kept_in_mind() -> None:
    compared = Compared({}, {})
    findings = compared.compare(checked(finding("x")))
    assert (origins(findings), compared.undetermined) == ([""], ["a.py"])


def test_only_errors_make_a_file_undetermined() -> None:
    compared = Compared({}, {})
    compared.compare(checked(finding("x", severity="warning")))
    assert compared.undetermined == []


def test_what_looks_new_to_a_checker_that_reads_the_disk_may_be_old() -> None:
    new = finding("of cargo")
    compared = Compared({FILE: Known("one\ntwo\n", ())}, {FILE: Doubtful(new=(new,))})
    assert origins(compared.compare(checked(new, finding("of the server")))) == ["", "introduced"]


def test_what_looks_old_without_a_file_that_is_gone_may_be_new() -> None:
    old, other = finding("no module lib"), finding("other", 2)
    compared = Compared({FILE: Known("one\ntwo\n", (old, other))}, {FILE: Doubtful(old=(old,))})
    assert origins(compared.compare(checked(old, other))) == ["", "existing"]


@pytest.mark.parametrize(("status", "resolved"), [(Status.CONFIRMED, 1), (Status.PARTIAL, 0)])
def test_what_is_not_mentioned_is_resolved_only_when_all_is_known(status: Status, resolved: int) -> None:
    compared = Compared({FILE: Known("one\n", (finding("x"),))}, {})
    compared.compare(checked(status=status))
    assert compared.resolved == resolved


def test_what_is_said_of_a_file_of_unknown_state_does_not_count() -> None:
    compared = Compared({}, {})
    files = [compared.compare(checked(finding("x"), status=Status.UNKNOWN))]
    assert (count(files, ""), compared.undetermined) == (0, [])


def test_findings_beyond_the_proven_ones_are_those_with_another_place_or_message() -> None:
    assert beyond([finding("a"), finding("a", 2), finding("b")], [finding("a")]) == (finding("a", 2), finding("b"))

"""Annotations of GitHub Actions: one line for each finding, and nothing in it can end it or begin another."""

import pytest

from groundwire.operations.answer import Answer, FileFindings, Finding, Severity, Status
from groundwire.render.github import render_github
from groundwire.render.limits import Limits

ALL = Limits(least="hint")


def finding(message: str, severity: Severity = "error", *, end_line: int = 2, code: str = "E1") -> Finding:
    return Finding(
        severity=severity, line=2, column=3, end_line=end_line, end_column=5, message=message, code=code, source="ty"
    )


def answer_of(*found: Finding, file: str = "a.py", status: Status = Status.CONFIRMED, reason: str = ""):
    findings = FileFindings(file=file, status=status, reason=reason, diagnostics=found)
    return Answer(value=(findings,), status=status, reason=reason)


def test_a_finding_is_an_annotation_at_its_place() -> None:
    assert render_github(answer_of(finding("wrong"))) == (
        "::error file=a.py,line=2,endLine=2,col=3,endColumn=5,title=ty E1::wrong"
    )


def test_over_several_lines_no_end_column_is_given() -> None:
    assert "endColumn" not in render_github(answer_of(finding("wrong", end_line=4)))


def test_the_worst_come_first_and_less_than_errors_only_when_wanted() -> None:
    answer = answer_of(finding("w", "warning"), finding("h", "hint"), finding("i", "information"), finding("e"))
    levels = [line.split(" ")[0] for line in render_github(answer, limits=ALL).splitlines()]
    assert levels == ["::error", "::warning", "::notice", "::notice"]
    assert render_github(answer).count("::error ") == 1
    assert "::warning" not in render_github(answer)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("two\nlines", "::two%0Alines"),
        ("a\r\n::error::b", "::a%0D%0A::error::b"),
        ("100% sure: yes, it is", "::100%25 sure: yes, it is"),
        ("%0A", "::%250A"),
    ],
)
def test_messages_cannot_leave_their_line(message: str, expected: str) -> None:
    text = render_github(answer_of(finding(message)))
    assert text.endswith(expected)
    assert len(text.splitlines()) == 1


def test_names_and_codes_cannot_leave_their_property() -> None:
    text = render_github(answer_of(finding("m", code="a,b::c"), file="odd,name:x\n%.py"))
    assert text.startswith("::error file=odd%2Cname%3Ax%0A%25.py,line=2,")
    assert text.endswith("title=ty a%2Cb%3A%3Ac::m")


def test_what_is_not_known_is_a_warning_and_withheld_findings_are_not_shown() -> None:
    text = render_github(answer_of(finding("stale"), status=Status.UNKNOWN, reason="it is still starting"))
    assert text == "::warning file=a.py,title=not known::it is still starting"


def test_a_doubt_about_the_whole_has_no_place() -> None:
    answer = Answer(value=(), status=Status.PARTIAL, reason="cut short")
    assert render_github(answer) == "::warning title=not known::cut short"


def test_nothing_wrong_is_nothing_said() -> None:
    assert render_github(answer_of()) == ""

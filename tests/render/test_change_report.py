"""What a change set introduced, as text and JSON: none is only said when it is proven."""

from typing import Literal

import msgspec

from groundwire.operations.answer import Answer, FileFindings, Finding, Status
from groundwire.operations.results.change_report import ChangeReport
from groundwire.render.change_report import render_changes, render_changes_json

Origin = Literal["introduced", "existing", ""]


def finding(message: str, origin: Origin) -> Finding:
    return Finding(
        severity="error", line=1, column=2, end_line=1, end_column=3, message=message, code="E1", origin=origin
    )


def file(name: str, *found: Finding, status: Status = Status.CONFIRMED, reason: str = "") -> FileFindings:
    return FileFindings(file=name, status=status, reason=reason, servers=("ty",), diagnostics=found)


def answer_of(report: ChangeReport, *, status: Status = Status.CONFIRMED, reason: str = "") -> Answer[ChangeReport]:
    return Answer(value=report, status=status, reason=reason, servers=("ty",), elapsed_ms=12.34)


CLEAN = ChangeReport(against="the last commit", files=(file("a.py"),), changed=1)


def test_nothing_introduced_is_said_when_it_is_proven() -> None:
    expected = "Checked 1 changed file against the last commit: no errors introduced (confirmed by ty)"
    assert render_changes(answer_of(CLEAN)) == expected


def test_what_is_not_proven_is_not_called_none() -> None:
    text = render_changes(answer_of(CLEAN, status=Status.PARTIAL, reason="the time was over"))
    assert text == (
        "Checked 1 changed file against the last commit: whether errors were introduced is not known\n"
        "Not all is known: the time was over"
    )


def test_findings_stand_under_their_origin_and_those_introduced_come_first() -> None:
    found = (finding("old", "existing"), finding("new", "introduced"), finding("either", ""))
    report = ChangeReport(
        against="main at 123",
        files=(file("a.py", *found),),
        changed=2,
        deleted=1,
        others=3,
        introduced=1,
        existing=1,
        resolved=4,
        undetermined=1,
    )
    assert render_changes(answer_of(report, status=Status.PARTIAL, reason="x")).splitlines() == [
        (
            "Checked 2 changed files and 1 deleted file against main at 123, and 3 other files: "
            "1 error introduced, 1 error old or new, 1 there before, 4 resolved"
        ),
        "Not all is known: x",
        "",
        "LSP errors introduced by these changes, please fix:",
        '<diagnostics file="a.py">',
        "ERROR [1:2] new (E1)",
        "</diagnostics>",
        "",
        "LSP errors that may be new, for what was there before is not known:",
        '<diagnostics file="a.py">',
        "ERROR [1:2] either (E1)",
        "</diagnostics>",
        "",
        "LSP errors that were there before:",
        '<diagnostics file="a.py">',
        "ERROR [1:2] old (E1)",
        "</diagnostics>",
    ]


def test_what_was_there_before_is_only_shown_when_it_is_wanted() -> None:
    report = msgspec.structs.replace(CLEAN, files=(file("a.py", finding("old", "existing")),), existing=1)
    shown = render_changes(answer_of(report.shown(with_existing=False)))
    assert shown == (
        "Checked 1 changed file against the last commit: no errors introduced, 1 there before (confirmed by ty)"
    )


def test_no_change_is_said_as_such() -> None:
    text = render_changes(Answer(value=ChangeReport(against="the last commit"), status=Status.CONFIRMED))
    assert text == ("Nothing that a server takes care of has changed against the last commit: no errors introduced")


def test_a_file_of_unknown_state_is_named_and_its_findings_withheld() -> None:
    unknown = file("a.py", finding("stale", ""), status=Status.UNKNOWN, reason="it is still starting")
    report = ChangeReport(against="the last commit", files=(unknown,), changed=1)
    text = render_changes(answer_of(report, status=Status.UNKNOWN, reason="it is still starting"))
    assert "a.py: not known: it is still starting" in text
    assert "stale" not in text


def test_json_has_the_one_shape_with_origins_and_sums() -> None:
    report = msgspec.structs.replace(CLEAN, files=(file("a.py", finding("new", "introduced")),), introduced=1)
    assert render_changes_json(answer_of(report)) == {
        "status": "confirmed",
        "reason": "",
        "servers": ["ty"],
        "elapsed_ms": 12.3,
        "result": {
            "against": "the last commit",
            "changed": 1,
            "deleted": 0,
            "others": 0,
            "introduced": 1,
            "existing": 0,
            "resolved": 0,
            "undetermined": 0,
            "files": [
                {
                    "file": "a.py",
                    "status": "confirmed",
                    "reason": "",
                    "diagnostics": [
                        {
                            "severity": "error",
                            "line": 1,
                            "column": 2,
                            "end_line": 1,
                            "end_column": 3,
                            "code": "E1",
                            "source": "",
                            "message": "new",
                            "origin": "introduced",
                        }
                    ],
                }
            ],
        },
    }

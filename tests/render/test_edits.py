"""Edits as text: that they were done comes first, then what is known, then the errors within their limits."""

import pytest

from groundwire.operations.answer import Answer, FileFindings, Finding, Status
from groundwire.operations.results.edits import EditedFile, EditOutcome, EditReport, ReportMode
from groundwire.operations.table import OPERATIONS
from groundwire.pool.policy import Showing
from groundwire.render.answers import render_answer
from tests.render.test_findings import confirmed, finding, unproven

AS_EVER = Showing()
A = EditedFile(file="src/a.py", kind="changed", added=3, removed=1)


def told(finding: Finding, origin: str) -> Finding:
    return Finding(
        severity=finding.severity,
        line=finding.line,
        column=finding.column,
        end_line=finding.end_line,
        end_column=finding.end_column,
        message=finding.message,
        origin="existing" if origin == "existing" else "introduced",
    )


def new(line: int, message: str = "wrong") -> Finding:
    return told(finding(line, message), "introduced")


def old(line: int, message: str = "wrong") -> Finding:
    return told(finding(line, message), "existing")


def text(
    *files: FileFindings,
    status: Status = Status.CONFIRMED,
    reason: str = "",
    mode: ReportMode = "errors",
    edited: tuple[EditedFile, ...] = (A,),
    resolved: int = 0,
    max_chars: int = 100_000,
    showing: Showing = AS_EVER,
) -> str:
    names = tuple(each.file for each in edited)
    report = EditReport(mode=mode, files=files, edited=names, resolved=resolved, showing=showing)
    outcome = EditOutcome(applied=True, files=edited, undo_id="abc123", report=report)
    answer = Answer(value=outcome, status=status, reason=reason, servers=("ty",))
    return render_answer(OPERATIONS["apply_edit"], answer, max_chars=max_chars)


def test_the_success_comes_first_then_the_errors_in_the_form_of_the_specification():
    assert text(confirmed("src/a.py", new(42, "Type 'str' & <b>")), confirmed("src/b.py", new(7))) == (
        "Edited src/a.py (+3 -1), undo with undo_edit abc123\n"
        "2 errors, introduced by this edit (confirmed by ty)\n"
        "\n"
        "LSP errors detected in this file, please fix:\n"
        '<diagnostics file="src/a.py">\n'
        "ERROR [42:5] Type 'str' &amp; &lt;b&gt;\n"
        "</diagnostics>\n"
        "\n"
        "LSP errors detected in other files:\n"
        '<diagnostics file="src/b.py">\n'
        "ERROR [7:5] wrong\n"
        "</diagnostics>"
    )


def test_a_clean_file_is_told_in_one_line():
    assert text(confirmed("src/a.py"), resolved=2).split("\n")[1:] == ["No errors, 2 resolved (confirmed by ty)"]


def test_what_is_not_known_takes_one_line_and_is_never_called_clean():
    file = unproven("src/a.py", Status.UNKNOWN, "ty is still starting", finding(1))
    shown = text(file, status=Status.UNKNOWN, reason="ty is still starting")
    assert shown.split("\n")[1:] == ["Errors: not known: ty is still starting"]


def test_a_file_that_no_server_knows_is_said_to_be_unchecked():
    file = unproven("src/a.py", Status.UNSUPPORTED, "no server")
    assert text(file, status=Status.UNSUPPORTED, reason="no server").endswith("\nNot checked: no server")


def test_a_clean_file_whose_dependents_are_not_known_is_called_clean_alone():
    shown = text(confirmed("src/a.py"), status=Status.PARTIAL, reason="there was no time left")
    assert shown.endswith("\nNo errors in this file; other files are not known: there was no time left")


def test_errors_of_a_part_are_shown_and_more_is_said_to_be_unknown():
    file = unproven("src/a.py", Status.PARTIAL, "ruff: timed out", new(1))
    shown = text(file, status=Status.PARTIAL, reason="ruff: timed out")
    assert "1 error, introduced by this edit, and more is not known: ruff: timed out" in shown
    assert "ERROR [1:5] wrong" in shown


def test_beyond_the_limit_those_that_the_edit_brought_stay_in_the_order_of_lines():
    olds = [old(line) for line in range(1, 26)]
    lines = text(confirmed("src/a.py", *olds, new(40), new(30))).split("\n")
    shown = [line for line in lines if line.startswith("ERROR")]
    assert len(shown) == 20
    assert shown[-2:] == ["ERROR [30:5] wrong", "ERROR [40:5] wrong"]
    assert shown[0] == "ERROR [1:5] wrong"
    assert "... and 7 more" in lines


def test_the_mode_introduced_leaves_older_errors_out_and_counts_them():
    shown = text(confirmed("src/a.py", old(1, "older"), new(2)), mode="introduced")
    assert "1 error, introduced by this edit, 1 older one not shown (confirmed by ty)" in shown
    assert "older\n" not in shown
    only_old = text(confirmed("src/a.py", old(1)), mode="introduced")
    assert only_old.endswith("\nNo new errors, 1 older one not shown (confirmed by ty)")


def test_the_mode_all_shows_warnings_too():
    warning = finding(3, "shaky", severity="warning")
    shown = text(confirmed("src/a.py", warning), mode="all")
    assert "LSP findings detected in this file, please fix:" in shown
    assert "WARN [3:5] shaky" in shown
    assert "shaky" not in text(confirmed("src/a.py", warning))


def test_less_severe_findings_are_shown_as_far_as_is_configured():
    file = confirmed("src/a.py", finding(3, "shaky", severity="warning"), finding(4, "by the way", severity="hint"))
    shown = text(file, showing=Showing(severity="warning"))
    assert "1 warning (confirmed by ty)" in shown
    assert "LSP findings detected in this file, please fix:" in shown
    assert "WARN [3:5] shaky" in shown
    assert "by the way" not in shown
    assert "by the way" in text(file, showing=Showing(severity="hint"))
    only_hint = confirmed("src/a.py", finding(4, "by the way", severity="hint"))
    assert "\nNo errors or warnings (confirmed by ty)" in text(only_hint, showing=Showing(severity="warning"))


def test_as_many_lines_and_files_are_shown_as_is_configured():
    files = [confirmed(f"src/{letter}.py", *(new(line) for line in range(1, 6))) for letter in "abcd"]
    few = text(*files, showing=Showing(per_file=2, other_files=1))
    assert few.count("\nERROR") == 4
    assert few.count("... and 3 more\n") == 2
    assert few.endswith("... and 2 more files with errors")
    assert text(*files, showing=Showing(lines=7)).count("\nERROR") == 7


@pytest.mark.parametrize("mode", ["end_of_turn", "off"])
def test_what_is_held_back_claims_nothing(mode: ReportMode):
    shown = text(mode=mode)
    assert "rror" not in shown
    assert "confirmed" not in shown


def test_at_most_five_other_files_and_fifty_lines_are_shown():
    others = [confirmed(f"src/{letter}.py", *(new(line) for line in range(1, 16))) for letter in "bcdefgh"]
    shown = text(confirmed("src/a.py", *(new(line) for line in range(1, 16))), *others)
    assert shown.count("\nERROR") == 50
    assert shown.endswith("... and 4 more files with errors")
    few = text(confirmed("src/a.py"), *(confirmed(f"src/{letter}.py", new(1)) for letter in "bcdefgh"))
    assert few.count("<diagnostics") == 5
    assert few.endswith("... and 2 more files with errors")


def test_several_edited_files_are_listed_and_summed_up():
    more = EditedFile(file="b.py", kind="renamed", old_file="c.py")
    gone = EditedFile(file="d.py", kind="deleted", removed=2)
    assert text(confirmed("src/a.py"), edited=(A, more, gone)) == (
        "Changed 3 files (+3 -3), undo with undo_edit abc123\n"
        "  edited src/a.py (+3 -1)\n"
        "  renamed c.py to b.py\n"
        "  deleted d.py (+0 -2)\n"
        "No errors (confirmed by ty)"
    )


def test_a_text_that_is_cut_closes_what_it_opened():
    shown = text(confirmed("src/a.py", *(new(line, "x" * 60) for line in range(1, 11))), max_chars=500)
    assert len(shown) <= 500
    assert shown.count("<diagnostics") == shown.count("</diagnostics>") == 1
    assert "more lines" in shown


def test_a_preview_shows_the_difference_and_says_that_nothing_is_written():
    file = EditedFile(file="a.py", kind="changed", added=1, removed=1, diff="--- a/a.py\n+++ b/a.py\n-x\n+y\n")
    outcome = EditOutcome(applied=False, files=(file,), notes=("look twice",))
    shown = render_answer(OPERATIONS["rename_file"], Answer(value=outcome, status=Status.CONFIRMED))
    assert shown == (
        "Preview, nothing is written yet: edited a.py (+1 -1)\nNote: look twice\n--- a/a.py\n+++ b/a.py\n-x\n+y"
    )


def test_an_edit_that_changes_nothing_does_not_claim_that_there_are_no_errors():
    outcome = EditOutcome(applied=True, report=EditReport(mode="errors"))
    shown = render_answer(OPERATIONS["apply_edit"], Answer(value=outcome, status=Status.CONFIRMED))
    assert shown == "Nothing was changed: the files are like that already"


def test_missing_packages_are_told_by_their_cause_and_other_errors_stay():
    missing = [
        Finding(
            severity="error",
            line=line,
            column=1,
            end_line=line,
            end_column=2,
            message=f"Cannot resolve imported module `{name}`",
            code="import-not-found",
        )
        for line, name in enumerate(["numpy", "pandas", "flask", "yaml", "attr", "rich.text"], start=1)
    ]
    near = Finding(
        severity="error",
        line=9,
        column=1,
        end_line=9,
        end_column=2,
        message="Cannot resolve imported module `.near`",
        code="import-not-found",
    )
    file = FileFindings(file="src/a.py", status=Status.CONFIRMED, servers=("ty",), diagnostics=(*missing, near))
    lines = text(file).split("\n")
    assert lines[1] == "7 errors (confirmed by ty)"
    assert lines[5].startswith("(6 errors are not shown one by one: packages that are imported cannot be found (numpy,")
    assert "Install them" in lines[5]
    assert lines[6:] == ["ERROR [9:1] Cannot resolve imported module `.near` (import-not-found)", "</diagnostics>"]

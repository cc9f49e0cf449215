"""Findings as text: the form that models know, within limits, and never more than was proven."""

from groundwire.operations.answer import Answer, FileFindings, Finding, Severity, Status, worst
from groundwire.render.text import Limits, render_findings

SERVERS = ("ty 0.0.100",)


def finding(
    line: int,
    message: str = "wrong",
    *,
    column: int = 5,
    severity: Severity = "error",
    code: str = "",
    source: str = "",
) -> Finding:
    return Finding(
        severity=severity,
        line=line,
        column=column,
        end_line=line,
        end_column=column + 1,
        message=message,
        code=code,
        source=source,
    )


def confirmed(file: str, *diagnostics: Finding) -> FileFindings:
    return FileFindings(
        file=file, status=Status.CONFIRMED, evidence="pull", servers=SERVERS, diagnostics=tuple(diagnostics)
    )


def unproven(file: str, status: Status, reason: str, *diagnostics: Finding) -> FileFindings:
    return FileFindings(file=file, status=status, reason=reason, diagnostics=tuple(diagnostics))


def answer(*files: FileFindings) -> Answer[tuple[FileFindings, ...]]:
    return Answer(value=files, status=worst(each.status for each in files), servers=SERVERS)


def test_a_file_with_errors_is_shown_in_the_form_of_the_specification() -> None:
    file = confirmed(
        "src/utils.ts",
        finding(43, "Property 'foo' does not exist on type 'Bar'.", column=10, code="2339", source="ts"),
        finding(42, "Type 'string' is not assignable to type 'number'.", code="2322", source="typescript"),
    )
    assert render_findings(answer(file)) == (
        "src/utils.ts: 2 errors (confirmed by ty 0.0.100, pull)\n"
        "\n"
        "LSP errors detected in this file, please fix:\n"
        '<diagnostics file="src/utils.ts">\n'
        "ERROR [42:5] Type 'string' is not assignable to type 'number'. (ts2322)\n"
        "ERROR [43:10] Property 'foo' does not exist on type 'Bar'. (ts2339)\n"
        "</diagnostics>"
    )


def test_a_clean_file_is_called_clean_with_its_proof() -> None:
    assert render_findings(answer(confirmed("a.py"))) == "a.py: no errors (confirmed by ty 0.0.100, pull)"


def test_a_file_that_is_not_proven_is_never_called_clean() -> None:
    for status in (Status.UNKNOWN, Status.PARTIAL, Status.UNSUPPORTED):
        text = render_findings(answer(unproven("src/a.py", status, "ty is still starting")))
        assert text == "src/a.py: not known: ty is still starting"


def test_a_file_that_is_not_proven_and_gives_no_reason_names_its_status() -> None:
    assert render_findings(answer(unproven("a.py", Status.UNKNOWN, ""))) == "a.py: not known: unknown"


def test_errors_that_are_part_of_the_truth_are_shown_and_the_rest_is_said_to_be_unknown() -> None:
    text = render_findings(answer(unproven("a.py", Status.PARTIAL, "ruff: timed out", finding(1))))
    assert text.startswith("a.py: 1 error, and more is not known: ruff: timed out\n")
    assert "ERROR [1:5] wrong" in text


def test_findings_that_may_be_of_older_content_are_withheld_and_that_is_said() -> None:
    text = render_findings(answer(unproven("a.py", Status.UNKNOWN, "ty: timed out", finding(1))))
    assert text == "a.py: not known: ty: timed out (1 finding withheld: not proven for the present content)"


def test_what_a_message_quotes_cannot_break_the_tags() -> None:
    file = confirmed('a"b.py', finding(1, "List<T> & </diagnostics>", code="<x>"))
    text = render_findings(answer(file))
    assert '<diagnostics file="a&quot;b.py">' in text
    assert "ERROR [1:5] List&lt;T&gt; &amp; &lt;/diagnostics&gt; (&lt;x&gt;)" in text


def test_a_message_of_several_lines_becomes_one() -> None:
    text = render_findings(answer(confirmed("a.py", finding(1, 'no match:\n  "str" is not "int"\r\n\n\tat  all'))))
    assert 'ERROR [1:5] no match: "str" is not "int"; at all' in text.split("\n")


def test_a_very_long_message_is_cut() -> None:
    text = render_findings(answer(confirmed("a.py", finding(1, "x" * 50))), limits=Limits(message_chars=10))
    assert "ERROR [1:5] xxxxxxxxx…" in text.split("\n")


def test_warnings_are_left_out_unless_they_are_wanted() -> None:
    file = confirmed("a.py", finding(2, severity="warning"), finding(3, severity="hint"))
    assert render_findings(answer(file)) == "a.py: no errors (confirmed by ty 0.0.100, pull)"
    assert render_findings(answer(file), limits=Limits(least="hint")) == (
        "a.py: 1 warning and 1 note (confirmed by ty 0.0.100, pull)\n"
        "\n"
        "LSP findings detected in this file, please fix:\n"
        '<diagnostics file="a.py">\n'
        "WARN [2:5] wrong\n"
        "HINT [3:5] wrong\n"
        "</diagnostics>"
    )


def test_a_file_shows_twenty_errors_and_counts_the_rest() -> None:
    text = render_findings(answer(confirmed("a.py", *(finding(line) for line in range(1, 28)))))
    assert text.count("ERROR") == 20
    assert text.split("\n")[-2:] == ["... and 7 more", "</diagnostics>"]


def test_the_edited_file_comes_first_and_the_others_by_path() -> None:
    files = answer(confirmed("b.py", finding(2)), confirmed("z.py", finding(1)), confirmed("a.py", finding(3)))
    assert render_findings(files, this_file="z.py") == (
        "z.py: 1 error (confirmed by ty 0.0.100, pull)\n"
        "\n"
        "LSP errors detected in this file, please fix:\n"
        '<diagnostics file="z.py">\n'
        "ERROR [1:5] wrong\n"
        "</diagnostics>\n"
        "\n"
        "LSP errors detected in other files:\n"
        '<diagnostics file="a.py">\n'
        "ERROR [3:5] wrong\n"
        "</diagnostics>\n"
        '<diagnostics file="b.py">\n'
        "ERROR [2:5] wrong\n"
        "</diagnostics>"
    )


def test_a_clean_edited_file_does_not_hide_the_files_it_breaks() -> None:
    text = render_findings(answer(confirmed("a.py"), confirmed("b.py", finding(2))), this_file="a.py")
    assert text.startswith("a.py: no errors (confirmed by ty 0.0.100, pull)\n\nLSP errors detected in other files:\n")
    assert "this file" not in text


def test_at_most_five_other_files_are_shown_and_the_rest_counted() -> None:
    others = (confirmed(f"{letter}.py", finding(1)) for letter in "bcdefgh")
    text = render_findings(answer(confirmed("a.py"), *others), this_file="a.py")
    assert text.count("<diagnostics") == 5
    assert text.endswith("... and 2 more files with errors")


def test_another_file_that_is_not_proven_is_said_to_be() -> None:
    files = answer(confirmed("a.py"), confirmed("b.py"), unproven("c.go", Status.UNKNOWN, "gopls is not installed"))
    assert render_findings(files, this_file="a.py") == (
        "a.py: no errors (confirmed by ty 0.0.100, pull)\nc.go: not known: gopls is not installed"
    )


def test_several_files_begin_with_a_summary_and_each_has_its_block() -> None:
    files = answer(
        confirmed("c.py", finding(1), finding(2)),
        confirmed("a.py", finding(3)),
        confirmed("b.py"),
        unproven("d.py", Status.UNKNOWN, "ty: timed out"),
    )
    assert render_findings(files) == (
        "Checked 4 files: 3 errors in 2 files, no errors in 1 file (confirmed by ty 0.0.100); 1 file not known\n"
        "d.py: not known: ty: timed out\n"
        "\n"
        "LSP errors detected in 2 files, please fix:\n"
        '<diagnostics file="a.py">\n'
        "ERROR [3:5] wrong\n"
        "</diagnostics>\n"
        '<diagnostics file="c.py">\n'
        "ERROR [1:5] wrong\n"
        "ERROR [2:5] wrong\n"
        "</diagnostics>"
    )


def test_several_clean_files_are_told_in_one_line() -> None:
    text = render_findings(answer(confirmed("a.py"), confirmed("b.py")))
    assert text == "Checked 2 files: no errors in any of them (confirmed by ty 0.0.100)"


def test_several_files_of_which_nothing_is_known_are_not_called_clean() -> None:
    files = answer(*(unproven(f"{letter}.py", Status.UNKNOWN, "ty: it crashed") for letter in "ab"))
    assert render_findings(files) == (
        "Checked 2 files: nothing is proven; 2 files not known\n"
        "a.py: not known: ty: it crashed\n"
        "b.py: not known: ty: it crashed"
    )


def test_an_answer_that_is_incomplete_as_a_whole_says_so() -> None:
    incomplete = Answer(value=(confirmed("a.py"),), status=Status.PARTIAL, reason="cut short", servers=SERVERS)
    assert render_findings(incomplete) == (
        "a.py: no errors (confirmed by ty 0.0.100, pull)\nMore is not known: cut short"
    )


def test_fifty_lines_are_the_most_over_all_files() -> None:
    files = [confirmed(f"{letter}.py", *(finding(line) for line in range(1, 31))) for letter in "abcd"]
    text = render_findings(answer(*files))
    assert text.count("ERROR") == 50
    assert "... and 20 more\n</diagnostics>" in text
    assert text.endswith("... and 1 more file with errors")


def test_a_long_list_of_files_that_are_not_known_is_cut_and_counted() -> None:
    files = answer(*(unproven(f"{number:03}.py", Status.UNKNOWN, "no") for number in range(60)))
    assert render_findings(files).endswith("049.py: not known: no\n... and 10 more files not known")

"""Findings as an agent reads them: none are called none unless that is proven, and what is cut is counted."""

import msgspec

from groundwire.operations.answer import Answer, Severity, Status
from groundwire.operations.diagnostics.get_diagnostics import get_diagnostics
from groundwire.operations.results.diagnostics import (
    DiagnosticEntry,
    Diagnostics,
    FileDiagnostics,
    SymbolDiagnostics,
    Unchecked,
)
from groundwire.render.answers import render_answer


def entry(line: int, message: str = "bad", severity: Severity = "error", code: str = "E1") -> DiagnosticEntry:
    return DiagnosticEntry(
        severity=severity, line=line, column=1, end_line=line, end_column=2, code=code, source="toy", message=message
    )


def file(name: str, *found: DiagnosticEntry, status: Status = Status.CONFIRMED, reason: str = "") -> FileDiagnostics:
    return FileDiagnostics(file=name, status=status, reason=reason, diagnostics=found)


def result(*files: FileDiagnostics, **changes: object) -> Diagnostics:
    everything = [each for one in files for each in one.diagnostics]
    counts: dict[Severity, int] = {}
    for each in everything:
        counts[each.severity] = counts.get(each.severity, 0) + 1
    made = Diagnostics(
        scope="file",
        files=files,
        checked=sum(one.status is not Status.UNKNOWN for one in files),
        candidates=len(files),
        clean=sum(one.status is Status.CONFIRMED and not one.diagnostics for one in files),
        broken=sum(bool(one.diagnostics) for one in files),
        counts=counts,
        total=len(everything),
        severity="hint",
    )
    return msgspec.structs.replace(made, **changes)


def text(value: Diagnostics, status: Status = Status.CONFIRMED, reason: str = "", max_chars: int = 100_000) -> str:
    answer = Answer(value=value, status=status, reason=reason, servers=("toy",))
    return render_answer(get_diagnostics, answer, max_chars=max_chars)


def test_one_file_is_told_as_a_check_tells_it() -> None:
    found = result(file("a.ts", entry(3, "a < b\n  & c"), entry(9, "odd", "warning", code="")))
    assert text(found) == (
        "a.ts: 1 error and 1 warning (confirmed by toy)\n"
        "\n"
        "LSP findings detected in this file, please fix:\n"
        '<diagnostics file="a.ts">\n'
        "ERROR [3:1] a &lt; b; &amp; c (E1)\n"
        "WARN [9:1] odd\n"
        "</diagnostics>"
    )


def test_none_are_none_only_of_what_was_asked_for_and_what_else_there_is_is_counted() -> None:
    hints = result(file("a.ts"), severity="warning", counts={"hint": 3})
    assert text(hints) == "a.ts: no errors or warnings [3 less severe] (confirmed by toy)"
    errors = result(file("a.ts"), severity="error")
    assert text(errors) == "a.ts: no errors (confirmed by toy)"


def test_what_is_not_proven_is_never_called_clean() -> None:
    unknown = result(file("a.ts", status=Status.UNKNOWN, reason="it is starting"))
    assert text(unknown, Status.UNKNOWN, "it is starting") == "a.ts: not known: it is starting"
    partial = result(file("a.ts", entry(1), status=Status.PARTIAL, reason="it loads"))
    assert text(partial, Status.PARTIAL, "it loads").startswith("a.ts: 1 error, and more is not known: it loads\n")


def test_files_with_the_same_reason_share_a_line_and_a_reason_is_said_once() -> None:
    lost = [file(f"{number}.ts", status=Status.UNKNOWN, reason="it died") for number in range(6)]
    found = result(file("a.ts"), *lost, file("z.ts", status=Status.UNKNOWN, reason="binary"))
    shown = text(found, Status.PARTIAL, "it died").split("\n")
    assert shown == [
        "Checked 1 of 8 files: no findings in 1 file; not all is known: it died",
        "0.ts, 1.ts, 2.ts +3: not known",
        "z.ts: not known: binary",
    ]


def test_languages_without_a_server_are_named() -> None:
    unchecked = (Unchecked(language="markdown", files=2, reason="marksman is not installed"),)
    found = result(file("a.ts"), file("b.ts"), scope="changed", unchecked=unchecked)
    assert text(found) == (
        "Checked 2 changed files: no findings in any of them (confirmed by toy)\n"
        "Not checked: 2 markdown files: marksman is not installed"
    )


def test_nothing_to_check_is_said_as_what_it_is() -> None:
    assert text(result(scope="changed")) == "No file has changed since the last commit"
    assert text(result(scope="open"), Status.UNKNOWN, "no file is open") == "Findings: not known: no file is open"


def test_symbols_stand_above_their_findings() -> None:
    symbols = (SymbolDiagnostics(name="A<T>.go", kind="method", line=2, diagnostics=(entry(3), entry(4))),)
    found = result(
        candidates=1, checked=1, broken=1, counts={"error": 3}, total=3, file="a.ts", symbols=symbols,
        ungrouped=(entry(9),),
    )  # fmt: skip
    assert text(found).split("\n")[3:] == [
        '<diagnostics file="a.ts">',
        "In method A&lt;T&gt;.go (line 2):",
        "ERROR [3:1] bad (E1)",
        "ERROR [4:1] bad (E1)",
        "In no symbol:",
        "ERROR [9:1] bad (E1)",
        "</diagnostics>",
    ]


def test_a_text_that_is_cut_closes_what_it_opened_and_counts_the_rest() -> None:
    long = "x" * 100
    found = result(*(file(f"{name}.ts", *(entry(line, long) for line in range(1, 6))) for name in "ab"))
    for room in range(250, 1500, 7):
        shown = text(found, max_chars=room)
        assert len(shown) <= room
        assert shown.count("<diagnostics ") == shown.count("</diagnostics>")
        told = shown.count("ERROR [")
        assert told == 10 or shown.endswith(f"+{10 - told} more results (offset {told})")


def test_a_page_that_begins_within_a_file_names_it_again() -> None:
    found = result(file("a.ts", entry(5)), total=3, counts={"error": 3}, offset=2)
    assert text(found).endswith('<diagnostics file="a.ts">\nERROR [5:1] bad (E1)\n</diagnostics>')

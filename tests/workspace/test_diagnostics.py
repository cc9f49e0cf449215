"""What was said about each file: channels apart, unchanged reports, result ids, and merging."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_diagnostics import (
    Diagnostic,
    DocumentDiagnosticReport,
    FullDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport,
)
from groundwire.workspace.diagnostics import COMMAND, Asked, DiagnosticStore, merge

URI, OTHER = "file:///w/a.py", "file:///w/b.py"


def error(message: str, line: int = 0, severity: int | None = 1, code: str = "", source: str = "s") -> Diagnostic:
    raw = msgspec.Raw(msgspec.json.encode(code)) if code else msgspec.Raw()
    span = Range(Position(line, 0), Position(line, 1))
    return Diagnostic(span, message, severity=severity, code=raw, source=source)


def full(
    *found: Diagnostic, result_id: str | None = None, related: dict[str, DocumentDiagnosticReport] | None = None
) -> FullDocumentDiagnosticReport:
    return FullDocumentDiagnosticReport(list(found), result_id, related)


def at(clock: int, refreshes: int = 0) -> Asked:
    return Asked(clock, refreshes)


def test_a_publish_for_an_older_version_does_not_replace_a_newer_one() -> None:
    store = DiagnosticStore()
    store.push(URI, [error("new")], 3, clock=1, now=1.0)
    store.push(URI, [], 2, clock=1, now=2.0)
    pushed = store.record(URI).pushed
    assert pushed is not None
    assert (pushed.version, [found.message_text for found in pushed.diagnostics]) == (3, ["new"])


def test_nothing_is_known_of_a_file_nobody_spoke_of() -> None:
    store = DiagnosticStore()
    assert store.files() == ()
    assert store.record(URI).pushed is None
    assert store.record(URI).pulled == {}


def test_a_publish_is_kept_with_its_version_clock_and_time() -> None:
    store = DiagnosticStore()
    store.push(URI, [error("a")], 7, clock=3, now=1.5)
    pushed = store.record(URI).pushed
    assert pushed is not None
    assert (pushed.diagnostics, pushed.version, pushed.clock, pushed.received) == ((error("a"),), 7, 3, 1.5)


def test_a_publish_replaces_the_one_before() -> None:
    store = DiagnosticStore()
    store.push(URI, [error("a")], 1, 1, 1.0)
    store.push(URI, [], 2, 2, 2.0)
    pushed = store.record(URI).pushed
    assert pushed is not None
    assert pushed.diagnostics == ()


def test_the_channels_do_not_touch_one_another() -> None:
    store = DiagnosticStore()
    store.push(URI, [error("pushed")], 1, 1, 1.0)
    store.pull(URI, None, full(error("pulled")), at(1))
    store.pull(URI, "lint", full(error("linted")), at(1))
    store.command(URI, [error("commanded")], at(1))
    store.pull(URI, "lint", full(), at(2))
    record = store.record(URI)
    assert record.pushed is not None
    assert record.pushed.diagnostics == (error("pushed"),)
    assert {name: pulled.diagnostics for name, pulled in record.pulled.items()} == {
        None: (error("pulled"),),
        "lint": (),
        COMMAND: (error("commanded"),),
    }


def test_one_file_has_one_record_however_its_uri_is_spelled() -> None:
    store = DiagnosticStore()
    store.push("file:///w/%61.py", [error("a")], 1, 1, 1.0)
    assert store.record(URI).pushed is not None
    assert len(store.files()) == 1


def test_records_of_different_files_are_apart() -> None:
    store = DiagnosticStore()
    store.pull(URI, None, full(error("a")), at(1))
    assert store.record(OTHER).pulled == {}
    store.pull(OTHER, None, full(), at(1))
    assert store.record(URI).pulled[None].diagnostics == (error("a"),)


def test_an_unchanged_report_renews_what_was_known() -> None:
    store = DiagnosticStore()
    store.pull(URI, None, full(error("a"), result_id="1"), at(1))
    assert store.pull(URI, None, UnchangedDocumentDiagnosticReport("1"), at(5))
    pulled = store.record(URI).pulled[None]
    assert (pulled.diagnostics, pulled.asked, pulled.result_id) == ((error("a"),), at(5), "1")


def test_an_unchanged_report_about_something_not_known_is_refused_and_forgotten() -> None:
    store = DiagnosticStore()
    assert not store.pull(URI, None, UnchangedDocumentDiagnosticReport("1"), at(1))
    assert store.record(URI).pulled == {}


def test_an_unchanged_report_against_another_result_is_refused_and_forgotten() -> None:
    store = DiagnosticStore()
    store.pull(URI, None, full(error("a"), result_id="1"), at(1))
    assert not store.pull(URI, None, UnchangedDocumentDiagnosticReport("2"), at(2))
    assert store.result_id(URI, None) is None
    assert store.record(URI).pulled == {}


def test_an_unchanged_report_of_one_identifier_says_nothing_of_another() -> None:
    store = DiagnosticStore()
    store.pull(URI, "a", full(error("a"), result_id="1"), at(1))
    assert not store.pull(URI, "b", UnchangedDocumentDiagnosticReport("1"), at(2))


def test_the_result_id_is_that_of_the_last_report_of_this_identifier() -> None:
    store = DiagnosticStore()
    assert store.result_id(URI, None) is None
    store.pull(URI, None, full(result_id="1"), at(1))
    store.pull(URI, "lint", full(result_id="9"), at(1))
    store.pull(URI, None, full(result_id="2"), at(2))
    assert store.result_id(URI, None) == "2"
    assert store.result_id(URI, "lint") == "9"


def test_a_report_without_a_result_id_leaves_none_to_send() -> None:
    store = DiagnosticStore()
    store.pull(URI, None, full(result_id="1"), at(1))
    store.pull(URI, None, full(), at(2))
    assert store.result_id(URI, None) is None


def test_an_answer_that_was_overtaken_does_not_replace_the_newer_one() -> None:
    store = DiagnosticStore()
    store.pull(URI, None, full(result_id="new"), at(5))
    store.pull(URI, None, full(error("old"), result_id="old"), at(4))
    assert store.record(URI).pulled[None].diagnostics == ()
    assert store.result_id(URI, None) == "new"


def test_an_answer_asked_before_a_refresh_does_not_replace_one_asked_after_it() -> None:
    store = DiagnosticStore()
    before = store.asking(1)
    store.refresh()
    store.pull(URI, None, full(error("new")), store.asking(1))
    store.pull(URI, None, full(error("old")), before)
    assert store.record(URI).pulled[None].diagnostics == (error("new"),)


def test_related_documents_are_kept_for_the_files_they_name_only() -> None:
    store = DiagnosticStore()
    store.pull(URI, "lint", full(error("a"), related={OTHER: full(error("b"), result_id="r")}), at(4))
    assert store.record(URI).pulled["lint"].diagnostics == (error("a"),)
    related = store.record(OTHER).pulled["lint"]
    assert (related.diagnostics, related.asked, related.result_id) == ((error("b"),), at(4), "r")
    assert None not in store.record(OTHER).pulled
    assert len(store.files()) == 2


def test_a_related_document_that_is_unchanged_against_nothing_says_nothing() -> None:
    store = DiagnosticStore()
    assert store.pull(URI, None, full(related={OTHER: UnchangedDocumentDiagnosticReport("1")}), at(1))
    assert store.record(OTHER).pulled == {}


def test_an_unchanged_report_may_carry_related_documents() -> None:
    store = DiagnosticStore()
    store.pull(URI, None, full(result_id="1"), at(1))
    store.pull(URI, None, UnchangedDocumentDiagnosticReport("1", {OTHER: full(error("b"))}), at(2))
    assert store.record(OTHER).pulled[None].diagnostics == (error("b"),)


def test_a_related_report_does_not_replace_a_newer_answer_about_that_file() -> None:
    store = DiagnosticStore()
    store.pull(OTHER, None, full(), at(5))
    store.pull(URI, None, full(related={OTHER: full(error("old"))}), at(4))
    assert store.record(OTHER).pulled[None].diagnostics == ()


def test_what_is_forgotten_is_forgotten_on_every_channel() -> None:
    store = DiagnosticStore()
    store.push(URI, [error("a")], 1, 1, 1.0)
    store.pull(URI, None, full(result_id="1"), at(1))
    store.push(OTHER, [], 1, 1, 1.0)
    store.forget("file:///w/%61.py")
    assert len(store.files()) == 1
    assert store.record(URI).pushed is None
    assert store.result_id(URI, None) is None


def test_forgetting_what_is_not_known_changes_nothing() -> None:
    store = DiagnosticStore()
    store.forget(URI)
    assert store.files() == ()


def test_refreshes_are_counted_and_noted_when_asking() -> None:
    store = DiagnosticStore()
    first = store.asking(3)
    store.refresh()
    store.refresh()
    assert store.refreshes == 2
    assert (first, store.asking(3)) == (Asked(3, 0), Asked(3, 2))


def test_a_refresh_between_question_and_answer_leaves_the_answer_outdated() -> None:
    store = DiagnosticStore()
    asked = store.asking(1)
    store.refresh()
    store.pull(URI, None, full(), asked)
    assert store.record(URI).pulled[None].asked.refreshes < store.refreshes


def test_it_is_remembered_that_a_server_has_reported_something_by_whatever_channel() -> None:
    silent, pushing, pulling, commanded = (DiagnosticStore() for _ in range(4))
    silent.push(URI, [], 1, 1, 1.0)
    silent.pull(URI, None, full(), at(1))
    silent.command(URI, [], at(1))
    pushing.push(URI, [error("a")], 1, 1, 1.0)
    pushing.push(URI, [], 2, 2, 2.0)
    pulling.pull(URI, None, full(error("a")), at(1))
    pulling.forget(URI)
    commanded.command(URI, [error("a")], at(1))
    assert [store.ever_reported for store in (silent, pushing, pulling, commanded)] == [False, True, True, True]


def test_merging_shows_equal_findings_of_two_channels_once() -> None:
    assert merge([[error("a")], [error("a"), error("b")]]) == (error("a"), error("b"))


def test_merging_keeps_findings_apart_that_differ_in_anything_a_reader_sees() -> None:
    different = [
        error("a"),
        error("b"),
        error("a", line=1),
        error("a", severity=2),
        error("a", code="E1"),
        error("a", source="other"),
    ]
    assert len(merge([different, different])) == len(different)


def test_merging_sorts_by_place_and_then_by_severity() -> None:
    found = [error("c", line=2), error("warning", line=1, severity=2), error("error", line=1), error("a", line=0)]
    assert [diagnostic.message_text for diagnostic in merge([found])] == ["a", "error", "warning", "c"]


def test_merging_nothing_gives_nothing() -> None:
    assert merge([]) == ()
    assert merge([[], []]) == ()


findings = st.lists(st.builds(error, st.sampled_from("abc"), st.integers(0, 3), st.sampled_from([1, 2, None])))


@given(st.lists(findings, max_size=3))
def test_merging_loses_nothing_doubles_nothing_and_merges_no_further(channels: list[list[Diagnostic]]) -> None:
    merged = merge(channels)
    everything = [diagnostic for channel in channels for diagnostic in channel]
    assert set(merged) == set(everything)
    assert len(set(merged)) == len(merged)
    assert [diagnostic.range for diagnostic in merged] == sorted(diagnostic.range for diagnostic in merged)
    assert merge([merged]) == merged


def test_the_files_with_a_finding_that_is_meant_are_told_as_of_the_last_words_about_them() -> None:
    store, meant = DiagnosticStore(), "circle".__eq__
    assert store.saying(meant) == ()
    store.push(URI, [error("other"), error("circle")], None, clock=1, now=1.0)
    store.push(OTHER, [error("other")], None, clock=1, now=1.0)
    assert store.saying(meant) == (URI,)
    store.pull(URI, None, full(), at(2))
    assert store.saying(meant) == ()
    store.push(URI, [error("circle")], None, clock=3, now=3.0)
    store.pull(OTHER, "x", full(error("circle")), at(3))
    assert store.saying(meant) == (URI, OTHER)
    assert store.saying("other".__eq__) == ()
    store.forget(URI)
    assert store.saying(meant) == (OTHER,)

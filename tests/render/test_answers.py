"""Every result has a text, which says how far it is proven, and never more."""

from typing import Any, cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.operations.answer import Answer, Place, Status
from groundwire.operations.operation import Result
from groundwire.operations.results import decorations as results_decorations
from groundwire.operations.results import found as results
from groundwire.operations.results import hierarchy as results_hierarchy
from groundwire.operations.results.found import (
    FileSymbols,
    HoverText,
    Locations,
    SymbolEntry,
    SymbolMatch,
    SymbolMatches,
)
from groundwire.operations.results.hierarchy import (
    CallHierarchy,
    CallNode,
    Calls,
    Exploration,
    FileCount,
    MissingPart,
    References,
)
from groundwire.operations.table import OPERATIONS
from groundwire.render.answers import RENDERED, render_answer
from groundwire.render.next_steps import suggested_operations


def answer(value: Result, status: Status = Status.CONFIRMED, reason: str = "", note: str = "") -> Answer[Any]:
    return Answer(value=value, status=status, reason=reason, servers=("ty",), note=note)


def text_of(operation: str, value: Result, status: Status = Status.CONFIRMED, reason: str = "", note: str = "") -> str:
    return render_answer(OPERATIONS[operation], answer(value, status, reason, note))


def test_no_result_is_without_a_text() -> None:
    assert {operation.result for operation in OPERATIONS.values()} <= RENDERED


def test_only_operations_that_there_are_are_suggested() -> None:
    assert suggested_operations() <= set(OPERATIONS)


EMPTY: dict[str, Result] = {
    "find_references": Locations(locations=(), total=0),
    "list_symbols": FileSymbols(file="a.py", symbols=(), total=0),
    "find_symbol": SymbolMatches(symbols=(), total=0),
    "inspect_symbol": HoverText(text=""),
    "get_signature_help": results.Signatures(signatures=()),
    "get_completions": results.Completions(completions=(), total=0),
    "get_document_highlights": results.Highlights(file="a.py", highlights=(), total=0),
    "find_callers": CallHierarchy(symbols=(), incoming=Calls(calls=(), total=0, sites=0)),
    "type_hierarchy": results_hierarchy.TypeHierarchy(symbols=(), subtypes=results_hierarchy.Types(types=(), total=0)),
    "get_inlay_hints": results_decorations.Hints(file="a.py", hints=(), total=0),
    "get_semantic_tokens": results_decorations.Tokens(file="a.py", tokens=(), total=0),
    "get_folding_ranges": results_decorations.Folds(file="a.py", ranges=(), total=0),
    "get_selection_ranges": results_decorations.Selections(ranges=(), total=0),
    "get_code_lenses": results_decorations.Lenses(file="a.py", lenses=(), total=0),
}


@pytest.mark.parametrize("operation", EMPTY)
def test_nothing_is_called_nothing_only_where_that_is_proven(operation: str) -> None:
    confirmed = text_of(operation, EMPTY[operation])
    assert confirmed.endswith("(confirmed by ty)")
    assert "No " in confirmed or "nothing" in confirmed
    for status in (Status.PARTIAL, Status.UNKNOWN, Status.UNSUPPORTED):
        unproven = text_of(operation, EMPTY[operation], status, "ty is loading", "the first of 2")
        assert "not known: ty is loading [the first of 2]" in unproven
        assert not any(words in unproven for words in ("No ", "nothing", "confirmed", "\n"))


@pytest.mark.parametrize("operation", EMPTY)
def test_no_next_step_is_suggested_where_nothing_was_found(operation: str) -> None:
    assert "Next:" not in text_of(operation, EMPTY[operation])


def test_an_unproven_list_is_at_least_what_it_is() -> None:
    found = SymbolMatches(symbols=(SymbolMatch(name="f", kind="function", path="A.f", file="a.py"),), total=1)
    assert text_of("find_symbol", found, Status.PARTIAL, "indexing 43 %").split("\n")[:2] == [
        "At least 1 symbol; whether that is all is not known: indexing 43 %",
        "  a.py  function A.f",
    ]


def node(name: str, line: int, *sites: Place) -> CallNode:
    return CallNode(name=name, kind="function", file="a.py", line=line, column=5, sites=sites)


def place(line: int, file: str = "a.py") -> Place:
    return Place(file=file, line=line, column=9, end_line=line, end_column=12, text=f"    f({line})")


def test_calls_that_may_not_be_all_are_said_to_be_at_least_so_many() -> None:
    incoming = Calls(calls=(node("g", 3, place(4)),), total=1, sites=1)
    nothing = Calls(calls=(), total=0, sites=0)
    calls = CallHierarchy(symbols=(node("f", 1),), incoming=incoming, outgoing=nothing)
    assert text_of("find_callers", calls, Status.PARTIAL, "loading") == (
        "function f a.py:1:5: called by at least 1 at 1 place, what it calls is not known: loading\n"
        "Called by:\n"
        "a.py\n"
        "  3:5  function g\n"
        "    4:9  f(4)"
    )


def test_a_call_in_another_file_than_the_caller_names_it() -> None:
    incoming = Calls(calls=(node("g", 3, place(4, "b.inc")),), total=1, sites=1)
    shown = text_of("callers", CallHierarchy(symbols=(node("f", 1),), incoming=incoming))
    assert shown.split("\n")[-1] == "    b.inc:4:9  f(4)"


def test_very_many_calls_of_one_caller_are_counted() -> None:
    incoming = Calls(calls=(node("g", 3, *map(place, range(1, 31))),), total=1, sites=30)
    shown = text_of("callers", CallHierarchy(symbols=(node("f", 1),), incoming=incoming)).split("\n")
    assert len(shown) == 1 + 1 + 1 + 20 + 1
    assert shown[-1] == "    +10 more calls"


def test_both_directions_say_by_themselves_what_is_left() -> None:
    side = Calls(calls=(node("g", 3),), total=5, sites=9)
    shown = text_of("find_callers", CallHierarchy(symbols=(node("f", 1),), incoming=side, outgoing=side))
    assert "\n+4 more callers (offset 1)\nCalls:\n" in shown
    assert shown.endswith("\n+4 more callees (offset 1)")


def entry(name: str, line: int, *children: SymbolEntry, hidden: int = 0) -> SymbolEntry:
    return SymbolEntry(
        name=name,
        kind="class",
        path=name,
        line=line,
        column=7,
        start_line=line,
        end_line=line + len(children),
        children=children,
        hidden=hidden,
    )


def test_a_tree_is_indented_and_counts_what_it_hides() -> None:
    tree = FileSymbols(file="a.py", symbols=(entry("A", 1, entry("B", 2, hidden=3)),), total=2)
    assert text_of("list_symbols", tree).split("\n")[:3] == [
        "2 symbols in a.py (confirmed by ty)",
        "  1:7  class A [1-2]",
        "    2:7  class B  +3 inside",
    ]


def test_what_a_page_of_a_tree_begins_in_is_not_counted_again() -> None:
    tree = FileSymbols(file="a.py", symbols=(entry("A", 1, entry("B", 2), entry("C", 3)),), total=6, offset=2)
    assert "+2 more results (offset 4)" in text_of("list_symbols", tree)


def test_parts_that_could_not_be_had_are_named_with_the_reason() -> None:
    explored = Exploration(
        text="f() -> int",
        references=References(total=3, files=7, top_files=(FileCount(file="a.py", count=2),)),
        missing=(
            MissingPart(part="source", status=Status.UNKNOWN, reason="ty did not answer"),
            MissingPart(part="callers", status=Status.CONFIRMED, reason="nothing here can be called"),
            MissingPart(part="references", status=Status.PARTIAL, reason="indexing"),
        ),
    )
    assert text_of("explore_symbol", explored, Status.PARTIAL, "…").split("\n") == [
        "Symbol; not proven: source, uses",
        "f() -> int",
        "At least used 3 times in 7 files: a.py 2 and 6 more files",
        "Source: not known: ty did not answer",
        "Callers: nothing here can be called",
        "Uses: may not be all: indexing",
        "Next: find_references for the line of every use.",
    ]


def test_no_callers_and_no_uses_are_said_only_when_that_is_proven() -> None:
    nothing = Exploration(callers=Calls(calls=(), total=0, sites=0), references=References(total=0, files=0))
    assert text_of("explore_symbol", nothing).endswith("\nNot used anywhere.\nNo callers.")
    unproven = [MissingPart(part=part, status=Status.PARTIAL, reason="loading") for part in ("callers", "references")]
    doubted = msgspec.structs.replace(nothing, missing=tuple(unproven))
    shown = text_of("explore_symbol", doubted, Status.PARTIAL, "loading")
    assert "Not used" not in shown
    assert "No callers" not in shown


def test_a_suggestion_speaks_the_readers_language_and_leaves_out_what_cannot_be_asked() -> None:
    found = answer(Locations(locations=(place(1),), total=1, files=1))
    known = {"find_references": "lsp_references"}
    shown = render_answer(OPERATIONS["go_to_definition"], found, speak=lambda name: known.get(name, ""))
    assert shown.split("\n")[-1] == "Next: lsp_references for its uses."
    assert "Next" not in render_answer(OPERATIONS["find_references"], found, speak=lambda _: "")


PLACES = st.builds(
    Place,
    file=st.sampled_from(["a.py", "src/深い/b.py"]),
    line=st.integers(1, 10**6),
    column=st.integers(1, 500),
    end_line=st.just(1),
    end_column=st.just(1),
    text=st.text(max_size=300),
)


@given(st.lists(PLACES, max_size=20), st.integers(0, 50), st.integers(1, 5000), st.sampled_from(list(Status)))
@settings(max_examples=150, deadline=None)
def test_no_answer_is_longer_than_its_budget_and_each_cut_is_said(
    places: list[Place], more: int, max_chars: int, status: Status
) -> None:
    total = len(places) + more
    value = Locations(locations=tuple(places), total=total, files=min(total, 2))
    reason = "" if status is Status.CONFIRMED else "loading"
    found = cast("Answer[Result]", answer(value, status, reason))
    text = render_answer(OPERATIONS["find_references"], found, max_chars=max_chars)
    assert len(text) <= max_chars
    shown = sum(line.startswith("  ") for line in text.split("\n"))
    if shown < total:
        assert f"+{total - shown} more results (offset {shown})" in text or "…" in text


def test_ten_thousand_results_are_rendered_within_the_cap() -> None:
    places = tuple(place(line, f"src/file{line // 50}.py") for line in range(1, 10_001))
    text = text_of("find_references", Locations(locations=places, total=10_000, files=201))
    assert len(text) <= 100_000
    left, offset = 10_000 - text.count("\n  "), text.count("\n  ")
    assert text.endswith(f"\n+{left:,} more results (offset {offset})") or not left

"""What an edit did to the findings of a file: through line shifts, counted, and quickly."""

import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_diagnostics import Diagnostic
from groundwire.workspace.difference import Difference, LineShifts, compare
from tests.thoroughness import examples

TEXT = "zero\none\ntwo\nthree\n"


def error(line: int, message: str = "wrong", column: int = 0, severity: int = 1) -> Diagnostic:
    return Diagnostic(Range(Position(line, column), Position(line, column + 1)), message, severity=severity)


def told(diagnostic: Diagnostic) -> tuple[int, tuple[object, ...]]:
    """Its line and what it says."""
    says = (diagnostic.severity, diagnostic.code_text, diagnostic.source, diagnostic.message_text)
    return diagnostic.range.start.line, says


def difference(
    old: str, before: list[Diagnostic], new: str, after: list[Diagnostic]
) -> tuple[list[int], list[int], list[int]]:
    """Lines of what was introduced, was there before, and was resolved."""
    found = compare(before, after, LineShifts(old, new), told)
    return lines(found.introduced), lines(found.existing), lines(found.resolved)


def lines(diagnostics: tuple[Diagnostic, ...]) -> list[int]:
    return [diagnostic.range.start.line for diagnostic in diagnostics]


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        (TEXT, [0, 1, 2, 3, 4]),
        ("new\n" + TEXT, [1, 2, 3, 4, 5]),
        ("zero\nnew\nnewer\none\ntwo\nthree\n", [0, 3, 4, 5, 6]),
        (TEXT + "new\n", [0, 1, 2, 3, 5]),
        ("one\ntwo\nthree\n", [None, 0, 1, 2, 3]),
        ("zero\ntwo\nthree\n", [0, None, 1, 2, 3]),
        ("zero\none\ntwo\n", [0, 1, 2, None, 3]),
        ("zero\nONE\ntwo\nthree\n", [0, None, 2, 3, 4]),
        ("zero\nONE\nMORE\ntwo\nTHREE\n", [0, None, 3, None, 5]),
        ("", [None, None, None, None, 0]),
    ],
)
def test_lines_go_where_the_edit_moved_them(new: str, expected: list[int | None]) -> None:
    shifts = LineShifts(TEXT, new)
    assert [shifts.new_line(line) for line in range(5)] == expected


def test_lines_beyond_the_text_stay_beyond_it() -> None:
    shifts = LineShifts("a\nb", "a\nnew\nb")
    assert [shifts.new_line(line) for line in (2, 3, 100)] == [3, 4, 101]


def test_new_line_endings_are_no_change_of_the_lines() -> None:
    shifts = LineShifts("a\nb\nc", "a\r\nb\r\nc")
    assert [shifts.new_line(line) for line in range(3)] == [0, 1, 2]


def test_a_finding_in_a_line_that_only_moved_was_there_before() -> None:
    assert difference(TEXT, [error(2)], "new\n" + TEXT, [error(3)]) == ([], [3], [])


def test_a_finding_above_the_edit_was_there_before() -> None:
    assert difference(TEXT, [error(0)], TEXT + "new\n", [error(0)]) == ([], [0], [])


def test_a_finding_in_a_new_line_is_introduced() -> None:
    assert difference(TEXT, [], "new\n" + TEXT, [error(0)]) == ([0], [], [])


def test_a_finding_in_a_removed_line_is_resolved() -> None:
    assert difference(TEXT, [error(1)], "zero\ntwo\nthree\n", []) == ([], [], [1])


def test_a_finding_that_stays_in_a_changed_line_is_introduced_and_resolved() -> None:
    assert difference(TEXT, [error(1)], "zero\nONE\ntwo\nthree\n", [error(1)]) == ([1], [], [1])


def test_a_new_finding_in_an_unchanged_line_is_introduced() -> None:
    new = "zero\none\nTWO\nthree\n"
    assert difference(TEXT, [error(0)], new, [error(0), error(3)]) == ([3], [0], [])


def test_a_finding_that_went_away_in_an_unchanged_line_is_resolved() -> None:
    assert difference(TEXT, [error(0), error(3)], TEXT, [error(0)]) == ([], [0], [3])


def test_another_message_in_the_same_line_is_another_finding() -> None:
    found = compare([error(1, "old")], [error(1, "new")], LineShifts(TEXT, TEXT), told)
    assert found == Difference((error(1, "new"),), (), (error(1, "old"),))


def test_another_severity_is_another_finding() -> None:
    found = compare([error(1, severity=2)], [error(1, severity=1)], LineShifts(TEXT, TEXT), told)
    assert (len(found.introduced), len(found.existing), len(found.resolved)) == (1, 0, 1)


def test_a_finding_that_moved_within_its_line_was_there_before() -> None:
    assert difference(TEXT, [error(1, column=0)], TEXT, [error(1, column=2)]) == ([], [1], [])


def test_equal_findings_are_counted() -> None:
    found = compare([error(1), error(1)], [error(1), error(1), error(1)], LineShifts(TEXT, TEXT), told)
    assert (len(found.introduced), len(found.existing), len(found.resolved)) == (1, 2, 0)
    fewer = compare([error(1), error(1), error(1)], [error(1)], LineShifts(TEXT, TEXT), told)
    assert (len(fewer.introduced), len(fewer.existing), len(fewer.resolved)) == (0, 1, 2)


def test_what_is_there_before_is_shown_as_it_is_now_and_what_is_resolved_as_it_was() -> None:
    found = compare([error(1), error(2, "gone")], [error(2)], LineShifts(TEXT, "new\n" + TEXT), told)
    assert found == Difference((), (error(2),), (error(2, "gone"),))


texts = st.lists(st.sampled_from(["a", "b", "", "  x"]), max_size=12).map("\n".join)
findings = st.lists(st.builds(error, st.integers(0, 14), st.sampled_from(["one", "two"])), max_size=8)


@given(texts, findings)
def test_nothing_is_introduced_or_resolved_when_nothing_changed(text: str, found: list[Diagnostic]) -> None:
    assert compare(found, found, LineShifts(text, text), told) == Difference((), tuple(found), ())


@given(texts, texts, findings, findings)
def test_every_finding_is_accounted_for_once(
    old: str, new: str, before: list[Diagnostic], after: list[Diagnostic]
) -> None:
    found = compare(before, after, LineShifts(old, new), told)
    assert Counter(found.introduced + found.existing) == Counter(after)
    assert len(found.existing) + len(found.resolved) == len(before)
    assert not Counter(found.resolved) - Counter(before)


@given(texts, texts)
def test_a_line_is_only_ever_taken_for_an_equal_one_and_none_overtakes_another(old: str, new: str) -> None:
    old_lines, new_lines = old.split("\n"), new.split("\n")
    shifts = LineShifts(old, new)
    moved = [(line, target) for line in range(len(old_lines)) if (target := shifts.new_line(line)) is not None]
    assert all(old_lines[line] == new_lines[target] for line, target in moved)
    targets = [target for _, target in moved]
    assert targets == sorted(set(targets))


@given(texts, texts, st.integers(0, 12))
def test_what_is_put_in_between_moves_only_what_is_below(text: str, inserted: str, place: int) -> None:
    before = text.split("\n")
    place = min(place, len(before))
    after = [*before[:place], *inserted.split("\n"), *before[place:]]
    found = [error(line) for line in range(place)]
    assert compare(found, found, LineShifts(text, "\n".join(after)), told).introduced == ()


def test_edits_far_apart_in_a_long_file_leave_what_is_between_as_it_was() -> None:
    old = [f"line {number}" if number % 3 else "" for number in range(10_000)]
    new = ["import new", *old[:5_000], "in the middle", *old[5_001:], "at the end"]
    shifts = LineShifts("\n".join(old), "\n".join(new))
    assert shifts.new_line(0) == 1
    assert shifts.new_line(4_999) == 5_000
    assert shifts.new_line(5_000) is None
    assert shifts.new_line(5_001) == 5_002
    assert shifts.new_line(9_999) == 10_000


@settings(max_examples=examples(20), deadline=None)
@given(st.permutations([f"line {number}" for number in range(40)]), st.integers(0, 39), st.integers(0, 39))
def test_splitting_where_lines_stand_once_agrees_with_the_texts(permuted: list[str], first: int, second: int) -> None:
    filler = ["}"] * 2_500
    old = [*permuted[:first], *filler, *permuted[first:]]
    new = [*permuted[second:], *filler, *permuted[:second]]
    shifts = LineShifts("\n".join(old), "\n".join(new))
    moved = [(line, target) for line in range(len(old)) if (target := shifts.new_line(line)) is not None]
    assert all(old[line] == new[target] for line, target in moved)
    targets = [target for _, target in moved]
    assert targets == sorted(set(targets))


def seconds_for(old: list[str], new: list[str], found: int) -> float:
    findings = [error(line, f"message {line}") for line in range(found)]
    old_text, new_text = "\n".join(old), "\n".join(new)
    start = time.process_time()
    compare(findings, findings, LineShifts(old_text, new_text), told)
    return time.process_time() - start


@pytest.mark.parametrize("line", ["    x = {}", "}"], ids=["all different", "all alike"])
def test_ten_thousand_lines_are_compared_quickly(line: str) -> None:
    old = [line.replace("{}", str(number)) for number in range(10_000)]
    scattered = [f"{text} #" if number % 500 == 0 else text for number, text in enumerate(old)]
    everything = [f"{text} #" for text in old]
    assert seconds_for(old, ["new", *old], 2_000) < 2
    assert seconds_for(old, scattered, 2_000) < 2
    assert seconds_for(old, everything, 2_000) < 2
    assert seconds_for(old[:2_000], scattered[:2_000], 2_000) < 2


@pytest.mark.parametrize(
    ("new", "gaps"),
    [
        (TEXT, []),
        ("new\n" + TEXT, [(0, 0, 0, 1)]),
        ("zero\nONE\ntwo\nthree\n", [(1, 2, 1, 2)]),
        ("zero\nthree\n", [(1, 3, 1, 1)]),
        ("", [(0, 4, 0, 0)]),
    ],
)
def test_the_gaps_are_what_was_removed_and_what_took_its_place(new: str, gaps: list[tuple[int, int, int, int]]) -> None:
    assert list(LineShifts(TEXT, new).gaps()) == gaps

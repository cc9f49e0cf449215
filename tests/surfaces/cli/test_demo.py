"""The demonstration: its story is what it says, and a step that comes out otherwise is told."""

from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, FileFindings, Finding, Place, Status
from groundwire.operations.results.found import Locations
from groundwire.surfaces.cli.demo import wrong_findings, wrong_places
from groundwire.surfaces.cli.demo_project import BREAK, FILES, MEND, apply, broken_calls, line_and_column, write_project
from groundwire.surfaces.cli.main import main

ERROR = Finding(severity="error", line=7, column=1, end_line=7, end_column=2, message="m")


def found(status: Status, *diagnostics: Finding) -> Answer[tuple[FileFindings, ...]]:
    file = FileFindings(file="cart.py", status=status, diagnostics=diagnostics)
    return Answer(value=(file,), status=status, reason="ty: timed out")


def placed(status: Status, *lines: int) -> Answer[Locations]:
    places = tuple(Place(file="cart.py", line=line, column=1, end_line=line, end_column=2) for line in lines)
    return Answer(value=Locations(locations=places, total=len(lines)), status=status, reason="indexing")


def test_every_edit_of_the_story_changes_what_it_names(tmp_path: Path) -> None:
    write_project(tmp_path)
    for edits in (BREAK, MEND):
        before = {name: (tmp_path / name).read_text("utf-8") for name in FILES}
        assert all(edit.old in before[edit.file] for edit in edits)
        apply(edits, tmp_path)
        assert all(edit.new in (tmp_path / edit.file).read_text("utf-8") for edit in edits)


def test_positions_are_counted_from_one() -> None:
    assert line_and_column("ab\ncd\n", "a") == (1, 1)
    assert line_and_column("ab\ncd\n", "d") == (2, 2)


def test_the_broken_calls_are_in_three_files() -> None:
    assert broken_calls() == {("pricing.py", 10), ("cart.py", 7), ("invoice.py", 7)}


def test_findings_just_as_expected_are_right() -> None:
    assert wrong_findings(found(Status.CONFIRMED), frozenset()) == ""
    assert wrong_findings(found(Status.CONFIRMED, ERROR), frozenset({("cart.py", 7)})) == ""


def test_findings_that_are_too_many_or_too_few_or_not_proven_are_wrong() -> None:
    expected = frozenset({("cart.py", 7)})
    assert wrong_findings(found(Status.CONFIRMED), expected) == "Expected findings at cart.py:7, and got none."
    assert (
        wrong_findings(found(Status.CONFIRMED, ERROR), frozenset()) == "Expected findings at none, and got cart.py:7."
    )
    unproven = wrong_findings(found(Status.UNKNOWN, ERROR), expected)
    assert unproven == "This should have been confirmed, and is unknown: ty: timed out"


def test_places_must_be_proven_and_hold_what_is_expected() -> None:
    expected = frozenset({("cart.py", 7)})
    assert wrong_places(placed(Status.CONFIRMED, 3, 7), expected) == ""
    assert wrong_places(placed(Status.CONFIRMED, 3), expected) == "cart.py:7 should have been among them."
    assert wrong_places(placed(Status.PARTIAL, 7), expected).startswith("This should have been confirmed")


@pytest.mark.real("ty")
def test_the_demonstration_comes_out_as_it_should_and_is_plain_text_when_it_is_piped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    assert "Every step came out as it should" in shown
    assert "\x1b" not in shown

"""Columns, hanging lines and colours, within the width of a page."""

import pytest

from groundwire.render.layout import Page, aligned, plain, some, without_name


def test_columns_are_as_wide_as_they_must_be_and_empty_ones_take_no_room() -> None:
    assert aligned([("a", "", "longer", "end"), ("bcd", "", "x", "")]) == ["a    longer  end", "bcd  x"]


def test_a_last_cell_that_would_leave_the_page_goes_below() -> None:
    assert aligned([("name", "a very long command line")], columns=20) == ["name\n    a very long command line"]


def test_a_long_text_hangs_below_itself() -> None:
    lines = Page(width=60).hanging("why", "word " * 20, column=6)
    assert lines[0].startswith("  why   word")
    assert all(line.startswith("        word") for line in lines[1:])
    assert max(map(len, lines)) <= 60


def test_a_page_is_neither_too_narrow_nor_too_wide() -> None:
    assert (Page(width=10).columns, Page(width=90).columns, Page(width=400).columns) == (60, 90, 120)


def test_what_a_terminal_would_obey_is_not_shown() -> None:
    assert plain("a\x1b[31mb\nc") == "a�[31mb c"
    assert "\x1b" not in "".join(aligned([("\x1b]0;x\x07", "y")]))


def test_colours_only_where_there_are_any() -> None:
    assert Page().painted("x", "red") == "x"
    assert Page(has_colour=True).painted("x", "red") == "\x1b[31mx\x1b[0m"


def test_marks_are_words_where_there_are_no_signs() -> None:
    assert (Page().mark(is_good=True), Page(has_unicode=False).mark(is_good=False)) == ("✓", "!!")


def test_some_of_many_are_named_and_one_more_is_not_counted_but_named() -> None:
    assert some(["a", "b", "c"], 2) == "a, b, c"
    assert some(["a", "b", "c", "d"], 2) == "a, b +2"


@pytest.mark.parametrize(
    ("why", "short"),
    [
        ("ty is not installed", "not installed"),
        ("ty: /x is old", "/x is old"),
        ("ty would run x", "would run x"),
        ("other", "other"),
    ],
)
def test_a_reason_beside_a_name_does_not_repeat_it(why: str, short: str) -> None:
    assert without_name(why, "ty") == short

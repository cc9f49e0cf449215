"""Where a piece of text is found: exactly, else with white space ignored; and what is said where it is not."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groundwire.errors import EditConflict, InvalidArgument
from groundwire.operations.text.text_match import find_text

ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])
WORDS = st.text(alphabet="ab é😀{", min_size=1, max_size=4)
LINES = st.lists(st.text(alphabet="ab é😀\t", max_size=5), min_size=1, max_size=8)


def replaced(text: str, old: str, new: str, *, replace_all: bool = False) -> str:
    parts, done = list[str](), 0
    for start, end, new_text in find_text(text, old, new, replace_all=replace_all).replacements:
        parts += text[done:start], new_text
        done = end
    return "".join([*parts, text[done:]])


def plain(text: str) -> str:
    return re.sub("\r\n|\r", "\n", text)


@given(before=LINES, old=LINES, after=LINES, new=WORDS, ending=ENDINGS)
def test_a_text_that_is_there_once_is_replaced_whatever_the_line_endings(
    before: list[str], old: list[str], after: list[str], new: str, ending: str
):
    whole, wanted = "\n".join([*before, *old, *after]), "\n".join(old)
    assume(wanted and whole.find(wanted) == whole.rfind(wanted))
    found = find_text(whole.replace("\n", ending), wanted, new)
    assert found.is_exact
    assert plain(replaced(whole.replace("\n", ending), wanted, new)) == whole.replace(wanted, new)


@given(between=st.lists(LINES, min_size=2, max_size=4), old=WORDS, new=WORDS, ending=ENDINGS)
def test_every_place_is_replaced_when_that_is_asked_for(between: list[list[str]], old: str, new: str, ending: str):
    whole = old.join("\n".join(lines) for lines in between)
    text = whole.replace("\n", ending)
    assert plain(replaced(text, old, new, replace_all=True)) == whole.replace(old, new)


@given(lines=LINES, old=LINES, new=WORDS, ending=ENDINGS, replace_all=st.booleans())
def test_what_is_found_never_overlaps_nor_splits_a_line_ending(
    lines: list[str], old: list[str], new: str, ending: str, replace_all: bool
):
    text = ending.join(lines)
    try:
        found = find_text(text, "\n".join(old), new, replace_all=replace_all).replacements
    except (EditConflict, InvalidArgument):
        return
    done = 0
    for start, end, _ in found:
        assert done <= start <= end <= len(text)
        assert "\r\n" not in (text[start - 1 : start + 1] if start else "", text[end - 1 : end + 1] if end else "")
        done = end


@given(
    lines=st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["alpha", "beta", "gamma"])), min_size=2, max_size=5),
    depth=st.integers(1, 3),
    unit=st.sampled_from(["\t", "  ", "    "]),
)
def test_a_block_given_at_another_depth_and_in_other_units_is_put_in_as_the_file_has_it(
    lines: list[tuple[int, str]], depth: int, unit: str
):
    base = min(each for each, _ in lines)
    given_block = "\n".join(f"{'   ' * (each - base)}{word}" for each, word in lines)
    there = "\n".join(f"{unit * (each - base + depth)}{word}" for each, word in lines)
    text = f"start\n{there}\nend\n"
    assume(given_block not in text)
    changed = given_block.replace("alpha", "ALPHA")
    assert replaced(text, given_block, changed) == text.replace("alpha", "ALPHA")


def test_new_lines_deeper_than_any_that_was_given_follow_the_steps_of_the_file():
    text = "class A:\n\tdef f(self):\n\t\treturn 1\n"
    old = "def f(self):\n    return 1"
    new = "def f(self):\n    if self:\n        return 2\n    return 1"
    assert replaced(text, old, new) == "class A:\n\tdef f(self):\n\t\tif self:\n\t\t\treturn 2\n\t\treturn 1\n"


def test_new_lines_shallower_than_those_given_move_outwards():
    text = "    a\n        b\n"
    assert replaced(text, "  a\n      b\n", "  a\nc\n") == "    a\n  c\n"


def test_blank_lines_and_white_space_at_the_ends_do_not_matter():
    assert replaced("if x:   \n\t\n    y()\n", "if x:\n\n    y()", "z()") == "z()\n"


def test_lines_that_are_nested_in_another_way_are_not_taken_for_the_same():
    with pytest.raises(EditConflict, match="indented in another way"):
        find_text("if a:\n    if b:\n    c\n", "if a:\n    if b:\n        c", "x")


def test_a_text_that_is_there_twice_is_refused_with_both_places():
    with pytest.raises(EditConflict) as raised:
        find_text("a = 1\nb = 2\na = 1\n", "a = 1", "a = 2")
    assert raised.value.message == "old_text is there 2 times: line 1: a = 1; line 3: a = 1"
    assert "replace_all" in raised.value.hint


def test_places_that_overlap_are_no_single_place():
    with pytest.raises(EditConflict, match="2 times"):
        find_text("aaa", "aa", "b")
    assert replaced("aaa", "aa", "b", replace_all=True) == "ba"


def test_a_text_that_is_there_twice_but_for_white_space_is_refused_too():
    with pytest.raises(EditConflict, match=r"2 times: line 2: call\(\); line 4: call\(\)"):
        find_text("a:\n  call()\nb:\n  call()\n", "      call()", "x")


def test_many_places_are_counted():
    with pytest.raises(EditConflict, match=r"there 15 times: .*; and 5 more"):
        find_text("x\n" * 15, "x", "y")


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("def one():\n    return 3\n", "from line 1 on it is alike, up to line 2: return 1"),
        ("    return 2\n\nend", "from line 5 on it is alike, up to the end of the file"),
        ("def on():", "closest: line 1: def one():"),
        ("\u4e00", "old_text is not in the file"),
        (" \n \n ", "old_text is not in the file"),
    ],
)
def test_what_is_closest_is_named_where_nothing_fits(old: str, said: str):
    with pytest.raises(EditConflict) as raised:
        find_text("def one():\n    return 1\n\ndef two():\n    return 2", old, "")
    assert said in raised.value.message


def test_an_empty_text_is_refused():
    with pytest.raises(InvalidArgument, match="empty"):
        find_text("a", "", "b")


def test_a_last_line_without_an_ending_stays_without_one():
    assert replaced("x\n  a", "a\n", "b\n") == "x\n  b"

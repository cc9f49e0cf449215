"""A page within its budget: whole results, and whatever is left out is said."""

from hypothesis import example, given
from hypothesis import strategies as st

from groundwire.render.page import HARD_CAP, Page, Section, fitted, prose

PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="\n…+"), max_size=30)
BLOCKS = st.lists(st.lists(PLAIN, min_size=1, max_size=3).map(tuple), max_size=8)


@st.composite
def sections(draw: st.DrawFn) -> Section:
    blocks, offset, more = draw(BLOCKS), draw(st.integers(0, 20)), draw(st.integers(0, 20))
    return Section(blocks, offset + len(blocks) + more, offset, draw(PLAIN))


PAGES = st.builds(Page, PLAIN, st.lists(sections(), max_size=3).map(tuple), PLAIN)


def full(page: Page) -> str:
    return fitted(page, HARD_CAP)


@given(PAGES, st.integers(1, 400))
def test_a_text_is_never_longer_than_its_budget(page: Page, max_chars: int) -> None:
    assert len(fitted(page, max_chars)) <= max_chars


@example(Page("", (Section([], 1, 1),)), 1)
@given(PAGES, st.integers(1, 400))
def test_a_cut_is_always_said(page: Page, max_chars: int) -> None:
    text = fitted(page, max_chars)
    if text == full(page) or text == full(page._replace(next_step="")):
        return
    told = {line for line in text.split("\n") if line.startswith("+") and " more results (offset " in line}
    before = {line for line in full(page).split("\n") if line.startswith("+")}
    assert "…" in text or told - before


@given(PAGES, st.integers(1, 400))
def test_every_line_is_whole_but_where_it_ends_in_dots(page: Page, max_chars: int) -> None:
    whole = set(full(page).split("\n"))
    for line in fitted(page, max_chars).split("\n"):
        assert line in whole or line.endswith("…") or line.startswith(("+", "Nothing from offset "))


def numbered(count: int) -> Section:
    return Section([(f"line {number}",) for number in range(count)], count)


def test_what_fits_is_all_there() -> None:
    assert fitted(Page("head", (numbered(2),), "Next: more."), 100) == "head\nline 0\nline 1\nNext: more."


def test_the_suggestion_goes_before_any_result() -> None:
    assert fitted(Page("head", (numbered(2),), "N" * 60), 60) == "head\nline 0\nline 1"


def test_results_are_cut_between_them_and_the_offset_continues_there() -> None:
    section = Section([("a", "  of a"), ("b", "  of b")], 7, 3)
    assert fitted(Page("head", (section,)), 47) == "head\na\n  of a\n+3 more results (offset 4)"
    assert fitted(Page("head", (section,)), 200) == "head\na\n  of a\nb\n  of b\n+2 more results (offset 5)"


def test_every_section_says_what_it_lacks() -> None:
    page = Page("head", (numbered(9)._replace(title="First:"), numbered(3)._replace(title="Second:")))
    assert fitted(page, 82).split("\n") == [
        "head",
        "First:",
        "line 0",
        "+8 more results (offset 1)",
        "Second:",
        "+3 more results (offset 0)",
    ]


def test_lines_of_a_text_are_counted_as_lines_of_the_file() -> None:
    source = prose("\n".join("abcdefg" for _ in range(10)), first_line=30)
    assert fitted(Page("head", (source,)), 70).split("\n")[-1] == "+6 more lines (from line 34)"


def test_a_page_behind_the_end_says_so() -> None:
    assert fitted(Page("3 symbols", (Section([], 3, 7),)), 100) == "3 symbols\nNothing from offset 7 on."


def test_nobody_can_ask_for_more_than_the_cap() -> None:
    text = fitted(Page("head", (numbered(100_000),)), 10**9)
    assert len(text) <= HARD_CAP
    assert "more results (offset " in text.split("\n")[-1]

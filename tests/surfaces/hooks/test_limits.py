from hypothesis import given
from hypothesis import strategies as st

from groundwire.surfaces.hooks.limits import cut

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=400) | st.lists(
    st.text("aé\n", max_size=30), max_size=60
).map("\n".join)


def test_a_text_that_fits_is_left_as_it_is() -> None:
    assert cut("one\ntwo\n", 8) == "one\ntwo\n"


def test_a_text_is_cut_at_the_end_of_a_line_and_the_rest_is_counted() -> None:
    text = "\n".join(["x" * 9] * 12)

    assert cut(text, 60) == "\n".join(["x" * 9] * 3 + ["+9 more lines"])


def test_a_line_that_is_too_long_by_itself_is_cut_within() -> None:
    said = cut("x" * 200 + "\nnext", 60)

    assert said.startswith("xxxx")
    assert said.endswith(" …\n+1 more lines")


def test_empty_lines_at_the_end_are_not_counted_as_left_out() -> None:
    assert cut("one\n" + "\n" * 100, 60) == "one"


@given(TEXTS, st.integers(40, 200))
def test_whatever_is_cut_fits_and_nothing_is_left_out_in_silence(text: str, room: int) -> None:
    said = cut(text, room)

    assert len(said.encode()) <= room
    is_all = said in (text, text.rstrip("\n"))
    assert is_all or said.endswith(("more lines", " …"))

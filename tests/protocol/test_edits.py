"""Text edits against a naive reference, and the smallest change between two texts."""

import time
import unicodedata
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import errors
from groundwire.protocol.edits import apply_text_edits, minimal_change
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_edits import StringValue, TextEdit
from groundwire.protocol.positions import Lines, PositionEncoding

ENCODINGS: list[PositionEncoding] = ["utf-8", "utf-16", "utf-32"]
encodings = st.sampled_from(ENCODINGS)
pieces = st.sampled_from(
    ["a", "b", "ä", "→", "😀", "\U0001d4b3", "e\u0301", "\u2028", "\n", "\r\n", "\r", "\n\n", "word "]
)
texts = st.lists(pieces, max_size=25).map("".join)


def edit(start: tuple[int, int], end: tuple[int, int], new_text: str) -> TextEdit:
    return TextEdit(Range(Position(*start), Position(*end)), new_text)


@st.composite
def texts_with_edits(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str]]]:
    """A text and edits by offset that neither overlap nor begin between CR and LF, in order."""
    text = draw(texts)
    places = [n for n in range(len(text) + 1) if text[n - 1 : n + 1] != "\r\n"]
    count = draw(st.integers(0, 5))
    cuts = sorted(draw(st.lists(st.sampled_from(places), min_size=2 * count, max_size=2 * count)))
    return text, [(cuts[2 * n], cuts[2 * n + 1], draw(texts)) for n in range(count)]


@given(texts_with_edits(), encodings, st.randoms())
def test_edits_in_any_order_give_what_splicing_from_the_back_gives(
    case: tuple[str, list[tuple[int, int, str]]], encoding: PositionEncoding, random: Random
):
    text, spans = case
    expected = text
    for start, end, new_text in reversed(spans):
        expected = expected[:start] + new_text + expected[end:]
    lines = Lines(text)
    edits = [TextEdit(lines.range(start, end, encoding), new_text) for start, end, new_text in spans]
    # Edits that start at one place must keep their order; all others may come in any.
    starts = sorted({start for start, _, _ in spans}, key=lambda _: random.random())
    shuffled = [each for start in starts for each, span in zip(edits, spans, strict=True) if span[0] == start]
    assert apply_text_edits(text, shuffled, encoding) == expected


def test_no_edits_leave_the_text_as_it_is():
    assert apply_text_edits("a\r\nb", [], "utf-16") == "a\r\nb"


def test_inserts_at_one_place_keep_their_order():
    edits = [edit((0, 1), (0, 1), "1"), edit((0, 1), (0, 1), "2"), edit((0, 1), (0, 1), "3")]
    assert apply_text_edits("ab", edits, "utf-16") == "a123b"


def test_an_insert_comes_before_what_replaces_the_text_from_there():
    replace, insert = edit((0, 0), (0, 1), "X"), edit((0, 0), (0, 0), "+")
    assert apply_text_edits("ab", [replace, insert], "utf-16") == "+Xb"
    assert apply_text_edits("ab", [insert, replace], "utf-16") == "+Xb"


def test_edits_that_touch_do_not_overlap():
    edits = [edit((0, 1), (0, 2), "Y"), edit((0, 0), (0, 1), "X"), edit((0, 2), (0, 2), "!")]
    assert apply_text_edits("abc", edits, "utf-16") == "XY!c"


def test_positions_count_in_the_original_text():
    edits = [edit((0, 0), (0, 0), "new\nlines\n"), edit((1, 0), (1, 1), "B")]
    assert apply_text_edits("a\nb", edits, "utf-16") == "new\nlines\na\nB"


@pytest.mark.parametrize(
    "edits",
    [
        [edit((0, 0), (0, 2), "x"), edit((0, 1), (0, 3), "y")],
        [edit((0, 0), (0, 2), "x"), edit((0, 0), (0, 2), "x")],
        [edit((0, 0), (0, 3), "x"), edit((0, 1), (0, 1), "y")],
        [edit((0, 1), (0, 1), "y"), edit((0, 0), (9, 0), "")],
    ],
)
def test_overlapping_edits_are_refused(edits: list[TextEdit]):
    with pytest.raises(errors.EditConflict, match="overlap at line 1"):
        apply_text_edits("abcd", edits, "utf-16")


@pytest.mark.parametrize("reversed_edit", [edit((0, 2), (0, 1), ""), edit((1, 0), (0, 3), "x")])
def test_a_range_that_runs_backwards_is_refused(reversed_edit: TextEdit):
    with pytest.raises(errors.EditConflict, match="backwards"):
        apply_text_edits("abc\nd", [reversed_edit], "utf-16")


def test_a_range_past_the_end_is_clamped():
    assert apply_text_edits("a\nb", [edit((0, 0), (4_294_967_295, 0), "all new")], "utf-16") == "all new"
    assert apply_text_edits("a\nb", [edit((0, 9), (0, 9), "!")], "utf-16") == "a!\nb"
    assert apply_text_edits("a", [edit((7, 3), (7, 3), "!")], "utf-8") == "a!"


@pytest.mark.parametrize(("encoding", "units"), [("utf-16", 2), ("utf-8", 2), ("utf-8", 3), ("utf-8", 4)])
def test_a_position_inside_a_character_is_refused(encoding: PositionEncoding, units: int):
    for inside in (edit((0, units), (0, 9), ""), edit((0, 0), (0, units), "")):
        with pytest.raises(errors.EditConflict, match="inside a character"):
            apply_text_edits("x😀y", [inside], encoding)


def test_a_snippet_leaves_plain_text():
    snippet = TextEdit(Range(Position(0, 1), Position(0, 1)), snippet=StringValue("snippet", "(${1:x}, \\$)$0"))
    assert apply_text_edits("f;", [snippet], "utf-16") == "f(x, $);"


@given(texts, texts, texts, texts, encodings)
def test_the_smallest_change_makes_the_new_text_of_the_old(
    head: str, old_middle: str, new_middle: str, tail: str, encoding: PositionEncoding
):
    old, new = head + old_middle + tail, head + new_middle + tail
    span, replacement = minimal_change(old, new, encoding)
    lines = Lines(old)
    start, end = lines.offset(span.start, encoding), lines.offset(span.end, encoding)
    assert apply_text_edits(old, [TextEdit(span, replacement)], encoding) == new
    assert lines.range(start, end, encoding) == span
    for text, begin, finish in ((old, start, end), (new, start, start + len(replacement))):
        assert text[begin - 1 : begin + 1] != "\r\n" or begin == 0
        assert text[finish - 1 : finish + 1] != "\r\n" or finish == 0


@given(texts.map(lambda text: text.replace("\r", "")), texts.map(lambda text: text.replace("\r", "")))
def test_without_carriage_returns_no_shorter_change_exists(old: str, new: str):
    span, replacement = minimal_change(old, new, "utf-32")
    start, end = (Lines(old).offset(place, "utf-32") for place in (span.start, span.end))
    assert old[:start] == new[:start]
    assert not (start < end and replacement and old[start] == replacement[0])
    assert not (start < end and replacement and old[end - 1] == replacement[-1])


@pytest.mark.parametrize(
    ("old", "new", "changed", "replacement"),
    [
        ("a\r\nb", "a\nb", "\r\n", "\n"),
        ("a\nb", "a\r\nb", "\n", "\r\n"),
        ("a\rb", "a\r\nb", "\r", "\r\n"),
        ("a\r\nb", "a\rb", "\r\n", "\r"),
        ("x😀y", "x😁y", "😀", "😁"),
        ("one two", "one more two", "", "more "),
        ("same", "same", "", ""),
        ("", "all", "", "all"),
        ("aaaa", "aaa", "a", ""),
    ],
)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_change_never_splits_a_character_or_a_line_ending(
    old: str, new: str, changed: str, replacement: str, encoding: PositionEncoding
):
    span, got = minimal_change(old, new, encoding)
    lines = Lines(old)
    assert old[lines.offset(span.start, encoding) : lines.offset(span.end, encoding)] == changed
    assert got == replacement


def test_recomposing_a_character_is_a_change_like_any_other():
    composed = unicodedata.normalize("NFC", "cafe\u0301!")
    span, replacement = minimal_change("cafe\u0301!", composed, "utf-16")
    assert apply_text_edits("cafe\u0301!", [TextEdit(span, replacement)], "utf-16") == composed


def test_one_changed_word_in_ten_thousand_lines_is_found_at_once():
    lines = [f"    value_{number} = compute({number})  # é" for number in range(10_000)]
    old = "\n".join(lines)
    lines[7_000] = "    changed = 1"
    new = "\n".join(lines)
    times: list[float] = []
    for _ in range(3):
        begin = time.process_time()
        span, _ = minimal_change(old, new, "utf-16")
        times.append(time.process_time() - begin)
        assert (span.start.line, span.end.line) == (7_000, 7_000)
    assert min(times) < 0.05

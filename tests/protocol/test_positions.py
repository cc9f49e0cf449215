"""Positions against counts made by the codecs themselves."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.positions import Lines, PositionEncoding

ENCODINGS: list[PositionEncoding] = ["utf-8", "utf-16", "utf-32"]
UNIT_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
CODEC = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}

encodings = st.sampled_from(ENCODINGS)
texts = st.text(alphabet=st.sampled_from("ab\tä→😀\U0001d4b3e\u0301\u2028\x0c\x85\r\n"), max_size=40)


def units(text: str, encoding: PositionEncoding) -> int:
    return len(text.encode(CODEC[encoding])) // UNIT_BYTES[encoding]


def naive_lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


@given(texts)
def test_lines_end_at_the_three_line_endings_only(text: str):
    lines = Lines(text)
    assert [lines.line(number) for number in range(lines.line_count)] == naive_lines(text)


def test_an_empty_text_has_one_empty_line():
    assert (Lines("").line_count, Lines("").line(0)) == (1, "")


@pytest.mark.parametrize("number", [-1, 2])
def test_a_line_that_is_not_there_is_an_error(number: int):
    with pytest.raises(IndexError):
        Lines("a\nb").line(number)


@given(texts, encodings, st.data())
def test_an_offset_becomes_a_position_and_comes_back(text: str, encoding: PositionEncoding, data: st.DataObject):
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n":
        return
    lines = Lines(text)
    position = lines.position(offset, encoding)
    before = naive_lines(text[:offset])
    assert position == Position(len(before) - 1, units(before[-1], encoding))
    assert lines.offset(position, encoding) == offset


@given(texts, encodings, st.integers(0, 12), st.integers(0, 40))
def test_any_position_gives_the_last_character_start_at_or_before_it(
    text: str, encoding: PositionEncoding, line: int, character: int
):
    lines = Lines(text)
    offset = lines.offset(Position(line, character), encoding)
    all_lines = naive_lines(text)
    if line >= len(all_lines):
        assert offset == len(text)
        return
    whole = max(n for n in range(len(all_lines[line]) + 1) if units(all_lines[line][:n], encoding) <= character)
    assert lines.position(offset, encoding) == Position(line, units(all_lines[line][:whole], encoding))


@given(texts, encodings, st.integers(1, 12), st.integers(1, 40))
def test_line_and_column_go_over_the_wire_and_back(text: str, encoding: PositionEncoding, line: int, column: int):
    lines = Lines(text)
    line = min(line, lines.line_count)
    column = min(column, len(lines.line(line - 1)) + 1)
    sent = lines.to_wire(line, column, encoding)
    assert sent == Position(line - 1, units(lines.line(line - 1)[: column - 1], encoding))
    assert lines.to_human(sent, encoding) == (line, column)


POSITIONS = st.builds(Position, st.integers(-1, 6), st.integers(-1, 20))


@given(texts, encodings, POSITIONS, POSITIONS)
def test_a_span_is_its_two_ends_and_the_line_where_it_begins(
    text: str, encoding: PositionEncoding, start: Position, end: Position
):
    lines = Lines(text)
    *ends, line = lines.span_to_human(Range(start, end), encoding)
    assert tuple(ends) == lines.to_human(start, encoding) + lines.to_human(end, encoding)
    assert line == dict(enumerate(naive_lines(text))).get(start.line, "")


@pytest.mark.parametrize(
    ("encoding", "character", "column"),
    [("utf-16", 1, 2), ("utf-16", 2, 2), ("utf-16", 3, 3), ("utf-8", 2, 2), ("utf-8", 4, 2), ("utf-8", 5, 3)],
)
def test_a_position_inside_a_character_snaps_back_to_its_start(encoding: PositionEncoding, character: int, column: int):
    assert Lines("a😀b").to_human(Position(0, character), encoding) == (1, column)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_positions_out_of_range_are_clamped(encoding: PositionEncoding):
    lines = Lines("ä😀\r\nb")
    assert lines.offset(Position(0, 4_294_967_295), encoding) == 2
    assert lines.offset(Position(4_294_967_295, 0), encoding) == len(lines.text)
    assert lines.offset(Position(-1, 0), encoding) == 0
    assert lines.offset(Position(1, -1), encoding) == 4
    assert lines.position(999, encoding) == Position(1, 1)
    assert lines.position(-5, encoding) == Position(0, 0)


def test_the_place_between_cr_and_lf_is_the_end_of_the_line():
    assert Lines("a\r\nb").position(2, "utf-16") == Position(0, 1)


def test_a_range_of_offsets_spans_lines():
    assert Lines("😀\nab").range(1, 3, "utf-16") == Range(Position(0, 2), Position(1, 1))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_bytes_that_were_no_text_count_without_an_error(encoding: PositionEncoding):
    lines = Lines("ä😀\udc80x")
    for offset in range(5):
        assert lines.offset(lines.position(offset, encoding), encoding) == offset


def test_a_long_text_is_indexed_once_and_quickly():
    lines = Lines("    some_call(argument)  # é\n" * 10_000)
    begin = time.process_time()
    for number in range(10_000):
        assert lines.to_wire(number + 1, 27, "utf-16") == Position(number, 26)
    assert time.process_time() - begin < 1.0

"""Parts of a text by lines and columns of characters."""

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.arguments import FileRange
from groundwire.operations.text.text_ranges import is_whole, line_of, wire_range, word_within
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.positions import Lines

LINES = Lines("one\n😀 two\nthree")


def part(**given: int) -> FileRange:
    return FileRange(file_path="a", **given)


@pytest.mark.parametrize(
    ("wanted", "start", "end"),
    [
        (part(), (0, 0), (2, 5)),
        (part(start_line=2, end_line=2), (1, 0), (1, 6)),
        (part(start_line=2, start_column=3, end_line=2, end_column=6), (1, 3), (1, 6)),
        (part(end_line=1), (0, 0), (0, 3)),
    ],
)
def test_what_is_left_out_means_all_of_it(wanted: FileRange, start: tuple[int, int], end: tuple[int, int]):
    assert wire_range(wanted, LINES, "utf-16") == Range(Position(*start), Position(*end))


@pytest.mark.parametrize("wanted", [part(start_line=4), part(end_line=9), part(start_line=3, end_line=1)])
def test_a_part_that_the_text_does_not_have_is_refused(wanted: FileRange):
    with pytest.raises(InvalidArgument):
        wire_range(wanted, LINES, "utf-16")


def test_a_file_without_any_limit_is_meant_as_a_whole():
    assert is_whole(part())
    assert not is_whole(part(end_column=2))


@pytest.mark.parametrize(("word", "columns"), [("two", (2, 5)), ("wo", (0, 6)), ("three", (0, 6))])
def test_a_word_in_a_range_is_found_as_a_whole_or_not_at_all(word: str, columns: tuple[int, int]):
    lines, line = Lines("é two two\nthree"), Range(Position(0, 0), Position(0, 6))
    expected = Range(Position(0, columns[0]), Position(0, columns[1]))
    assert word_within(lines, word, line, "utf-16") == expected


def test_a_line_is_shown_without_its_indentation():
    assert (line_of(Lines("  x  "), 1), line_of(LINES, 9)) == ("x", "")

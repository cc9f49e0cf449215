"""Five numbers a token, relative to the one before."""

import pytest

from groundwire.errors import Wire
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.semantic_tokens import Legend, Token, decode_tokens

LEGEND = Legend(("class", "function"), ("static", "async"))
DATA = [2, 5, 3, 0, 3, 0, 5, 4, 1, 0, 3, 2, 7, 1, 2]
TOKENS = [
    Token(2, 5, 3, "class", ("static", "async")),
    Token(2, 10, 4, "function", ()),
    Token(5, 2, 7, "function", ("async",)),
]


def within(start: tuple[int, int], end: tuple[int, int]) -> Range:
    return Range(Position(*start), Position(*end))


def test_positions_add_up_within_a_line_and_begin_anew_on_the_next() -> None:
    assert decode_tokens(DATA, LEGEND) == TOKENS


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (within((0, 0), (9, 0)), TOKENS),
        (within((2, 0), (3, 0)), TOKENS[:2]),
        (within((2, 7), (2, 11)), TOKENS[:2]),
        (within((2, 8), (2, 10)), []),
        (within((5, 9), (6, 0)), []),
    ],
)
def test_only_tokens_that_touch_the_range_are_given(span: Range, expected: list[Token]) -> None:
    assert decode_tokens(DATA, LEGEND, span) == expected


def test_a_type_beyond_the_legend_is_shown_by_its_number() -> None:
    assert decode_tokens([0, 0, 1, 9, 4], LEGEND) == [Token(0, 0, 1, "type 9", ())]


def test_numbers_that_make_no_whole_tokens_are_refused() -> None:
    with pytest.raises(Wire, match="7 numbers"):
        decode_tokens([0] * 7, LEGEND)

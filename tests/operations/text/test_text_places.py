"""Places as agents name them; what is not there is refused with what is."""

import pytest

from groundwire.errors import InvalidArgument, NoSuchSymbol
from groundwire.operations.arguments import Target
from groundwire.operations.text.text_places import TextPlace, find_place
from groundwire.protocol.positions import Lines

TEXT = "def größe(a):\n    return a + a  # 😀 a\n\nprint(größe(1))\n"


def place(**named: str | int) -> TextPlace:
    return find_place(Target(**named), Lines(TEXT))  # pyright: ignore[reportArgumentType] - checked by the tests' outcome


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({"line": 4, "column": 7}, TextPlace(4, 7)),
        ({"line": 2}, TextPlace(2, 5)),
        ({"line": 3}, TextPlace(3, 1)),
        ({"line": 1, "text": "größe"}, TextPlace(1, 5)),
        ({"line": 2, "text": "return"}, TextPlace(2, 5)),
        ({"line": 2, "text": "a + a"}, TextPlace(2, 12)),
        ({"line": 2, "text": "a", "column": 13}, TextPlace(2, 16)),
        ({"position_pattern": "print(@@größe"}, TextPlace(4, 7)),
        ({"position_pattern": "# 😀 @@a"}, TextPlace(2, 23)),
        ({"position_pattern": "@@größe(", "line_scope_start": 2}, TextPlace(4, 7)),
        ({"position_pattern": "a@@):\n    return"}, TextPlace(1, 12)),
    ],
)
def test_a_place_is_found_by_column_text_or_pattern(named: dict[str, str | int], expected: TextPlace) -> None:
    assert place(**named) == expected


def test_what_fits_several_places_is_the_first_and_says_so() -> None:
    assert place(line=2, text="a").note == "the first of 3 times that 'a' stands on the line"
    assert place(position_pattern="@@größe(").note == "the first of several places that fit"


@pytest.mark.parametrize(
    ("named", "message", "hint"),
    [
        ({}, "no place is named", "position_pattern"),
        ({"line": 9}, "line is 9, and the file has 5 lines", ""),
        ({"line": 4, "column": 99}, "line 4 has only 15 characters", "print("),
        ({"position_pattern": "print("}, "no @@", "just before"),
        ({"position_pattern": "@@"}, "only @@", "text round"),
        ({"position_pattern": "@@a", "line_scope_start": 3, "line_scope_end": 2}, "line_scope_end 2", ""),
        ({"position_pattern": "@@a", "line_scope_start": 7}, "line_scope_start is 7", ""),
    ],
)
def test_a_place_that_cannot_be_is_refused(named: dict[str, str | int], message: str, hint: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        place(**named)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("named", "message", "hint"),
    [
        ({"line": 3, "text": "größe"}, "'größe' is not on line 3", "It is on line 1, 4"),
        ({"line": 2, "text": "missing"}, "'missing' is not on line 2", "The line is: return a"),
        ({"position_pattern": "@@missing"}, "is not in the file", "exactly"),
        ({"position_pattern": "def @@größe", "line_scope_start": 2}, "not in the lines named", "exactly"),
    ],
)
def test_text_that_is_not_there_is_told_with_where_it_is(named: dict[str, str | int], message: str, hint: str) -> None:
    with pytest.raises(NoSuchSymbol, match=message) as caught:
        place(**named)
    assert hint in caught.value.hint

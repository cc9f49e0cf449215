"""Lines that go by what is above them: they are touched with it."""

import pytest

from groundwire.operations.reporting.touched import touched_lines

CONSTANTS = "package s\n\nconst (\n\tA = iota + 1\n\tB\n\tC // last\n\tD = 5\n\tE\n)\n\nvar F = 1\n"
DOCUMENTED = "/**\n * Says it.\n * @param {number} x\n */\nexport function say(x) {\n  return x;\n}\n"


@pytest.mark.parametrize(
    ("old", "lines"),
    [
        (CONSTANTS.replace("iota + 1", "iota"), {3, 4, 5, 7}),
        (CONSTANTS.replace("\tB\n", "\tB\n\tBetween\n"), {4, 5, 7}),
        (CONSTANTS.replace("D = 5", "D = 6"), {6, 7}),
        (CONSTANTS.replace("F = 1", "F = 2"), {10}),
    ],
)
def test_constants_that_repeat_a_changed_one_are_touched_with_it(old: str, lines: set[int]):
    assert touched_lines(old, CONSTANTS) == lines


@pytest.mark.parametrize(
    ("old", "is_touched"),
    [
        (DOCUMENTED.replace("{number}", "{string}"), True),
        (DOCUMENTED.replace(" * @param {number} x\n", ""), True),
        (DOCUMENTED.replace(" * @param", " * @returns {number}\n * @param"), True),
        (DOCUMENTED.replace("return x", "return 1"), False),
    ],
)
def test_what_a_comment_gives_its_type_is_touched_with_that(old: str, is_touched: bool):
    assert (4 in touched_lines(old, DOCUMENTED)) is is_touched


def test_a_comment_that_gives_no_type_touches_nothing_else():
    text = "/**\n * Says it.\n */\nexport function say() {}\n"
    assert touched_lines(text.replace("Says", "Tells"), text) == {1}

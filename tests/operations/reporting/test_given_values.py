"""Which attributes a function gives a value that comes from one of its lines."""

import pytest

from groundwire.operations.reporting.given_values import values_from
from groundwire.protocol.positions import Lines

PYTHON = """def __init__(self, given: int, kept: str) -> None:
    value = 1
    other = value + 1
    self.one = given
    self.two = kept
    self.three: int = other
    self.four, self.five = value, 2
    with open("x") as self.six:
        pass
    self.seven = {
        "a": [
            value,
            8,
        ],
    }
    for self.eight in range(9):
        print(self.one)
    if self.nine == value:
        self.nine.count = 10
    self.ten += 11
    self.eleven(value)
"""


def given(line: int, *, before: str = "", text: str = PYTHON) -> list[str]:
    lines = Lines(text)
    places = values_from(lines, range(lines.line_count), line, before)
    return [lines.line(each.line)[each.column :].split("=")[0].split(":")[0].split(",")[0].strip() for each in places]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        (1, ["three", "four", "five", "seven"]),
        (2, ["three"]),
        (3, ["one"]),
        (5, ["three"]),
        (6, ["four", "five"]),
        (7, ["six)"]),
        (12, ["seven"]),
        (15, ["eight in range(9)"]),
        (16, []),
        (18, []),
        (19, ["ten +"]),
        (20, []),
    ],
)
def test_an_attribute_has_its_value_from_its_line_or_from_what_that_names(line: int, names: list[str]) -> None:
    assert [each.rstrip(")") for each in given(line)] == [each.rstrip(")") for each in names]


def test_a_parameter_that_is_another_now_is_followed_and_the_others_are_not() -> None:
    assert given(0, before=PYTHON.replace("given: int", "given: str")) == ["one"]
    assert given(0, before=PYTHON) == []


def test_a_constructor_in_another_language_is_read_as_well() -> None:
    text = "constructor(given: number) {\n  const value = given;\n  this.one = value;\n  this.two = 2;\n}\n"
    assert given(0, text=text) == ["one"]
    assert given(1, text=text) == ["one"]


def test_a_long_line_is_not_looked_at_to_its_end() -> None:
    assert given(0, text="x: " * 100_000) == []


GLOBAL = "def change() -> None:\n    global STATE, OTHER\n    value = make()\n    STATE = value\n    local = value\n"


@pytest.mark.parametrize(("line", "names"), [(1, ["STATE"]), (2, ["STATE"]), (3, ["STATE"]), (4, [])])
def test_a_name_of_the_module_is_given_a_value_for_everybody(line: int, names: list[str]) -> None:
    assert given(line, text=GLOBAL) == names

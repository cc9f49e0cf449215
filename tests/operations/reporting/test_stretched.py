"""Variables of which the server tells only where their names are."""

import msgspec
import pytest

from groundwire.operations.reporting.stretched import stretched
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.positions import Lines
from groundwire.protocol.symbol_tree import Symbol

VARIABLE, CLASS, FUNCTION = 13, 5, 12


def named(text: str, name: str) -> Symbol:
    line = next(number for number, each in enumerate(text.split("\n")) if name in each)
    column = text.split("\n")[line].index(name)
    place = Range(Position(line, column), Position(line, column + len(name)))
    return Symbol(name=name, kind=VARIABLE, range=place, selection=place, path=(name,))


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("held = used\nnext = 1\n", Position(0, 11)),
        ("held: int = used\n", Position(0, 16)),
        ("held, other = used\n", Position(0, 18)),
        ("held = [\n    '(',\n    used,\n]\nnext = 1\n", Position(3, 1)),
        ("held = 1 + \\\n    used\nnext = 1\n", Position(1, 8)),
        ("held = {  # (\n}\n", Position(1, 1)),
        ("held: int\nnext = 1\n", Position(0, 4)),
        ("for held in used:\n    pass\n", Position(0, 8)),
        ("held = [\n    never closed\n", Position(0, 8)),
    ],
)
def test_a_variable_reaches_to_the_end_of_its_value(text: str, end: Position) -> None:
    (found,) = stretched(Lines(text), [named(text, "held")], "utf-16")
    assert found.range.end == end


def test_what_a_class_holds_is_stretched_and_the_class_is_as_it_was() -> None:
    text = "class Box:\n    held = used\n"
    whole = Range(Position(0, 0), Position(1, 15))
    box = Symbol(name="Box", kind=CLASS, range=whole, selection=whole, path=("Box",), children=(named(text, "held"),))
    (found,) = stretched(Lines(text), [box], "utf-16")
    assert found.range == whole
    assert found.children[0].range.end == Position(1, 15)


@pytest.mark.parametrize(
    ("text", "is_function"),
    [
        ("type held func(int) int\n", False),
        ("type held[T any] func(T) T\n", False),
        ("type held = func(int) int\n", False),
        ("func held(done func()) {}\n", True),
        ("func (t T) held() func() { return nil }\n", True),
    ],
)
def test_a_type_of_functions_is_no_function(text: str, is_function: bool) -> None:
    function = msgspec.structs.replace(named(text, "held"), kind=FUNCTION)
    (found,) = stretched(Lines(text), [function], "utf-16")
    assert (found.kind == FUNCTION) is is_function

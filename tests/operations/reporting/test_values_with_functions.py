"""A value that is a function, or made by one: what changes in that changes the value."""

import pytest

from groundwire.operations.reporting.touched import touched_symbols
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.symbol_tree import Symbol

PROPERTY, FUNCTION, CONSTANT = 7, 12, 14


def symbol(name: str, kind: int, start: int, end: int, *children: Symbol) -> Symbol:
    lines = Range(Position(start, 0), Position(end, 80))
    return Symbol(name=name, kind=kind, range=lines, selection=lines, path=(name,), children=children)


@pytest.mark.parametrize(
    ("text", "child", "names"),
    [
        ("const make = () => {\n  const made = 1;\n  return made;\n};\n", ("made", CONSTANT), ["made", "make"]),
        ("const make = wrap(() => {\n  use(1);\n});\n", ("wrap() callback", FUNCTION), ["wrap() callback", "make"]),
        ("const make = {\n  made: 1,\n};\n", ("made", PROPERTY), ["made"]),
    ],
)
def test_a_value_is_touched_by_what_is_local_to_it(text: str, child: tuple[str, int], names: list[str]):
    symbols = [symbol("make", CONSTANT, 0, text.count("\n") - 1, symbol(*child, 1, 1))]
    assert [each.name for each in touched_symbols(text.replace("1", "2"), text, symbols)] == names

"""Statements that are no symbol and give others something: they are known by the name they give it."""

import pytest

from groundwire.operations.reporting.carriers import Source
from groundwire.operations.reporting.statements import statements_at
from groundwire.protocol.lsp import Position
from groundwire.protocol.positions import Lines

TEXT = (
    "const made = 1;\n"
    "export default (\n  x: number,\n) => x;\n"
    "made.extra = {\n  deep: 1,\n};\n"
    "module.exports = made;\n"
    "const same = made.extra == 1;\n"
)


def source(text: str, marks: tuple[str, ...] | None = (":",)) -> Source:
    return Source(Lines(text), (), "utf-16", marks, ())


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (1, Position(1, 7)),
        (2, Position(1, 7)),
        (3, Position(1, 7)),
        (5, Position(4, 5)),
        (7, Position(7, 7)),
    ],
)
def test_a_touched_statement_is_known_by_what_it_gives(line: int, place: Position):
    assert [each.position for each in statements_at(source(TEXT), {line})] == [place]


@pytest.mark.parametrize("line", [0, 8])
def test_other_statements_give_nothing(line: int):
    assert not [*statements_at(source(TEXT), {line})]


def test_where_types_are_always_written_down_none_matters():
    assert not [*statements_at(source(TEXT, None), {1})]

"""What an edit touched: symbols whose own lines changed, and words that are gone."""

import pytest

from groundwire.operations.reporting.touched import touched_symbols, vanished_words
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.symbol_tree import Symbol

TEXT = "def one():\n    return 1\n\nclass Two:\n    size = 2\n    def grow(self):\n        return 3\n\nlast = 4\n"
FUNCTION, CLASS, METHOD, VARIABLE = 12, 5, 6, 13


def symbol(name: str, kind: int, start: int, end: int, *children: Symbol) -> Symbol:
    lines = Range(Position(start, 0), Position(end, 80))
    return Symbol(name=name, kind=kind, range=lines, selection=lines, path=(name,), children=children)


SYMBOLS = (
    symbol("one", FUNCTION, 0, 1, symbol("local", VARIABLE, 1, 1)),
    symbol("Two", CLASS, 3, 6, symbol("size", VARIABLE, 4, 4), symbol("grow", METHOD, 5, 6)),
    symbol("last", VARIABLE, 8, 8),
)


@pytest.mark.parametrize(
    ("old", "names"),
    [
        (TEXT, []),
        (TEXT.replace("return 1", "return 0"), ["one"]),
        (TEXT.replace("def one()", "def one(more)"), ["one"]),
        (TEXT.replace("return 3", "return 0"), ["grow"]),
        (TEXT.replace("class Two", "class Two(Base)"), ["Two"]),
        (TEXT.replace("size = 2", "size = 0"), ["size"]),
        (TEXT.replace("last = 4\n", "last = 4\nmore = 5\n"), ["last"]),
        (TEXT.replace("        return 3\n", "        first()\n        return 3\n"), ["grow"]),
        (TEXT.replace("def one()", "@cached\ndef one()"), ["one"]),
        ("", ["one", "size", "grow", "Two", "last"]),
    ],
)
def test_only_symbols_whose_own_lines_changed_are_touched(old: str, names: list[str]):
    assert [each.name for each in touched_symbols(old, TEXT, SYMBOLS)] == names


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("def save(item):\n", "def store(item):\n", {"save"}),
        ("save = 1\nuse(save)\n", "save = 2\n", set[str]()),
        ("def save():\n    return 1\n", "", {"save"}),
        ("# the old way\nx = 1\n", "x = 1\n", set[str]()),
        ("größe = 1\n", "", {"größe"}),
        ("#define LIMIT 10\n", "", {"define", "LIMIT"}),
        ("# define LIMIT 10\n", "", {"define", "LIMIT"}),
        ("#[derive(Debug)]\n", "", {"derive", "Debug"}),
        ("#old\n// old\n", "", set[str]()),
        ("same\n", "same\n", set[str]()),
    ],
)
def test_words_that_are_gone_are_those_of_changed_lines_that_stand_nowhere_else(old: str, new: str, words: set[str]):
    assert vanished_words(old, new) == words


def test_a_decorator_that_became_a_comment_touches_what_it_stood_on():
    commented = "# cached\n" + TEXT
    moved = [symbol("one", FUNCTION, 1, 2)]
    assert [each.name for each in touched_symbols("@cached\n" + TEXT, commented, moved)] == ["one"]
    assert touched_symbols("# wrong\n" + TEXT, commented, moved) == []

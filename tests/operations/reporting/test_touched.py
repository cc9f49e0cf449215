"""What an edit touched: symbols whose own lines changed, and words that are gone."""

import pytest

from groundwire.operations.reporting.touched import imported_anew, lost_names, touched_symbols, vanished_words
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


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("def match(x): ...", "match"),
        ("class function: ...", "function"),
        ("    default = 1", "default"),
        ("    type: int = 1", "type"),
        ("from p import other, range", "range"),
        ("__all__ = ['number']", "number"),
    ],
)
def test_what_is_a_keyword_elsewhere_is_a_name_where_it_is_declared(line: str, name: str):
    before = f"class Kept:\n{line}\n    size = 1\n" if line.startswith(" ") else f"{line}\nsize = 1\n"
    after = before.replace(f"{line}\n", "")
    assert name in lost_names(before, after)
    assert name in vanished_words(before, after)


@pytest.mark.parametrize(
    "line", ["default: return number", "if (x) return this;", "for (const x of range) {}", "else:"]
)
def test_what_names_nothing_is_not_lost(line: str):
    assert lost_names(f"{line}\nsize = 1\n", "size = 1\n") <= {"x"}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import typing as t", {"t"}),
        ("from typing import Any", {"Any"}),
        ("import a.b as c", {"c"}),
    ],
)
def test_what_is_imported_only_now_is_known_by_the_name_it_has_here(line: str, names: set[str]):
    assert imported_anew("size = 1\n", f"{line}\nsize = 1\n") == names


def test_a_type_by_the_name_of_one_that_is_always_there_is_lost_to_whoever_used_it():
    assert lost_names("package s\n\ntype any = int\n\ntype string struct{}\n", "package s\n") == {"any", "string"}

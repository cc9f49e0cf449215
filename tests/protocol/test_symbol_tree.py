"""One tree out of both forms of an answer, and names that people would use."""

import pytest

from groundwire.protocol.lsp import Location, Position, Range
from groundwire.protocol.lsp_answers import DocumentSymbol, SymbolInformation
from groundwire.protocol.symbol_tree import Symbol, innermost, keys_of, kind_name, symbol_tree, walk


def lines(first: int, last: int) -> Range:
    return Range(Position(first, 0), Position(last, 99))


def name_only(line: int) -> Range:
    return Range(Position(line, 4), Position(line, 9))


def nested(name: str, first: int, last: int, *children: DocumentSymbol) -> DocumentSymbol:
    return DocumentSymbol(name, 5, lines(first, last), name_only(first), children=list(children))


def flat(name: str, where: Range, container: str | None = None) -> SymbolInformation:
    return SymbolInformation(name, 12, Location("file:///a", where), container)


def paths(symbols: tuple[Symbol, ...]) -> list[str]:
    return [symbol.dotted for symbol in walk(symbols)]


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("save", ("save",)),
        ("(*Store).Get", ("Store", "Get")),
        ("(Store).Get", ("Store", "Get")),
        ("(*Tree[K, V]).Get", ("Tree", "Get")),
        ("impl Square", ("Square",)),
        ("impl Shape for Square", ("Square",)),
        ("impl<T: Fn(u8)> Shape<T> for Square<T>", ("Square",)),
        ("save(String, int)", ("save",)),
        ("List<Map<String, T>>", ("List",)),
        ("M.func", ("M", "func")),
        ("ns::Type", ("ns", "Type")),
        ("def run(x)", ("run",)),
        ("operator()", ("operator",)),
        ("<lambda>", ("<lambda>",)),
        ("größe", ("größe",)),
    ],
)
def test_a_name_is_read_as_people_would_say_it(name: str, keys: tuple[str, ...]) -> None:
    assert keys_of(name) == keys


def test_a_tree_stays_a_tree_with_the_path_to_each_symbol() -> None:
    symbols = symbol_tree([nested("Repo", 0, 9, nested("save", 2, 4), nested("load", 5, 8)), nested("main", 11, 12)])
    assert paths(symbols) == ["Repo", "Repo.save", "Repo.load", "main"]


def test_symbols_are_in_the_order_of_the_text_whatever_order_the_server_chose() -> None:
    assert paths(symbol_tree([nested("second", 5, 6), nested("first", 0, 1)])) == ["first", "second"]


def test_a_flat_list_becomes_a_tree_by_what_lies_within_what() -> None:
    symbols = symbol_tree([flat("load", lines(5, 8)), flat("Repo", lines(0, 9)), flat("main", lines(11, 12))])
    assert paths(symbols) == ["Repo", "Repo.load", "main"]


def test_a_flat_list_of_names_becomes_a_tree_by_its_containers() -> None:
    symbols = symbol_tree([flat("Repo", name_only(0)), flat("save", name_only(2), "Repo"), flat("main", name_only(4))])
    assert paths(symbols) == ["Repo", "Repo.save", "main"]


def test_two_symbols_with_one_range_are_siblings() -> None:
    assert paths(symbol_tree([flat("a", lines(0, 1)), flat("b", lines(0, 1))])) == ["a", "b"]


def test_the_innermost_symbol_of_a_line_is_the_smallest_that_includes_it() -> None:
    symbols = symbol_tree([nested("Repo", 0, 9, nested("save", 2, 4)), nested("main", 11, 12)])
    found = [innermost(symbols, line) for line in (3, 9, 10)]
    assert [symbol.dotted if symbol else None for symbol in found] == ["Repo.save", "Repo", None]


def test_a_kind_that_nobody_knows_is_still_a_symbol() -> None:
    assert [kind_name(kind) for kind in (0, 5, 26, 27, -1)] == ["symbol", "class", "type parameter", "symbol", "symbol"]

"""A symbol by name: every language's spelling, near misses told, homonyms counted."""

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.text.symbol_paths import SymbolPath, closest, find_in_tree, parse_symbol_path
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.lsp_answers import DocumentSymbol
from groundwire.protocol.symbol_tree import Symbol, symbol_tree, walk

FILES = {"src/store.py", "src/store.rs", "a::b.toy"}


def parsed(text: str) -> SymbolPath:
    return parse_symbol_path(text, FILES.__contains__)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("save", SymbolPath(("save",))),
        ("Repo.save", SymbolPath(("Repo", "save"))),
        ("Repo/save", SymbolPath(("Repo", "save"))),
        ("Repo#save", SymbolPath(("Repo", "save"))),
        ("repo::Repo::save", SymbolPath(("repo", "Repo", "save"))),
        ("(*Store).Get", SymbolPath(("Store", "Get"))),
        ("Store.Get", SymbolPath(("Store", "Get"))),
        ("save[2]", SymbolPath(("save",), number=2)),
        ("Repo.save()", SymbolPath(("Repo", "save"))),
        ("src/store.py::Repo.save", SymbolPath(("Repo", "save"), "src/store.py")),
        ("src/store.rs::Repo::save[1]", SymbolPath(("Repo", "save"), "src/store.rs", 1)),
        ("a::b.toy::x", SymbolPath(("x",), "a::b.toy")),
    ],
)
def test_every_spelling_is_read(text: str, path: SymbolPath) -> None:
    assert parsed(text) == path


@pytest.mark.parametrize("text", ["", "  ", "src/store.py::"])
def test_what_names_no_symbol_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidArgument, match="names no symbol") as caught:
        parsed(text)
    assert "Class.method" in caught.value.hint


def symbols() -> list[Symbol]:
    def one(name: str, line: int, *children: DocumentSymbol) -> DocumentSymbol:
        where = Range(Position(line, 0), Position(line + len(children), 9))
        return DocumentSymbol(name, 5, where, where, children=list(children))

    repo = one("Repo", 0, one("save", 1), one("Load", 2))
    cache = one("Cache", 5, one("save", 6))
    return list(walk(symbol_tree([repo, cache, one("save", 9), one("impl Shape for Square", 10, one("area", 11))])))


@pytest.mark.parametrize(
    ("text", "found", "difference"),
    [
        ("Repo.save", ["Repo.save"], ""),
        ("save", ["save"], ""),
        ("area", ["Square.area"], ""),
        ("Square::area", ["Square.area"], ""),
        ("repo.load", ["Repo.Load"], "in another case"),
        ("Store.Load", ["Repo.Load"], "under another container"),
        ("Store.save", ["Repo.save", "Cache.save", "save"], "under another container"),
        ("nothing", [], ""),
    ],
)
def test_the_best_fit_is_found_and_how_it_differs_is_told(text: str, found: list[str], difference: str) -> None:
    answer = find_in_tree(parsed(text), symbols())
    assert ([symbol.dotted for symbol in answer.symbols], answer.difference) == (found, difference)


def test_homonyms_are_counted_from_one_in_the_order_of_the_text() -> None:
    twice = [*symbols(), *symbols()]
    assert len(find_in_tree(parsed("Repo.save"), twice).symbols) == 2
    assert find_in_tree(parsed("Repo.save[2]"), twice).symbols == (twice[len(twice) // 2 + 1],)


def test_a_homonym_that_is_not_there_is_refused_with_how_many_there_are() -> None:
    with pytest.raises(InvalidArgument, match=r"there are 1 symbols named Repo\.save"):
        find_in_tree(parsed("Repo.save[3]"), symbols())


def test_names_that_may_have_been_meant_are_suggested() -> None:
    assert closest(parsed("Repo.sav"), symbols())[:2] == ["Repo.save", "Cache.save"]
    assert closest(parsed("zzz"), symbols()) == []


def block(name: str, line: int) -> DocumentSymbol:
    where = Range(Position(line, 0), Position(line + 1, 0))
    return DocumentSymbol(name, 5, where, where)


def test_a_type_is_meant_and_not_the_blocks_that_implement_something_for_it() -> None:
    tree = list(walk(symbol_tree([block("Square", 0), block("impl Shape for Square", 2), block("impl Square", 4)])))
    assert [symbol.name for symbol in find_in_tree(parsed("Square"), tree).symbols] == ["Square"]
    assert [symbol.name for symbol in find_in_tree(parsed("Square[2]"), tree).symbols] == ["impl Shape for Square"]


def test_blocks_alone_are_told_apart_by_number() -> None:
    tree = list(walk(symbol_tree([block("impl Shape for Square", 2), block("impl Square", 4)])))
    assert len(find_in_tree(parsed("Square"), tree).symbols) == 2

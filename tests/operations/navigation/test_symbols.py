"""What a file holds, where a symbol is, and its source: by every way to name one."""

from pathlib import Path

import pytest

from groundwire.errors import AmbiguousSymbol, CapabilityMissing, InvalidArgument, NoSuchSymbol
from groundwire.operations.answer import Status
from groundwire.operations.navigation.symbols import get_symbol_source, go_to_symbol, list_symbols
from groundwire.operations.results.found import SymbolEntry
from tests.operations.toy_project import ZOO, ask, at, zoo

pytestmark = pytest.mark.anyio

BOTH_FORMS = pytest.mark.parametrize("habits", ["", "flat"])


def nested(symbols: tuple[SymbolEntry, ...]) -> list[object]:
    return [[symbol.name, *nested(symbol.children)] if symbol.children else symbol.name for symbol in symbols]


@BOTH_FORMS
async def test_the_symbols_of_a_file_are_a_tree(tmp_path: Path, habits: str):
    async with zoo(tmp_path, habits) as pool:
        answer = await ask(pool, list_symbols, file_path="animals.toy")
        assert (answer.status, answer.value.total, answer.value.file) == (Status.CONFIRMED, 4, "animals.toy")
        assert nested(answer.value.symbols) == [["Animal", "speak"], ["Dog", "speak"]]
        dog = answer.value.symbols[1]
        assert (dog.kind, dog.line, dog.column, dog.start_line, dog.end_line) == ("class", 7, 7, 7, 10)
        assert (dog.children[0].kind, dog.children[0].path, dog.children[0].column) == ("method", "Dog.speak", 9)


async def test_an_outline_is_the_same_symbols_one_after_the_other(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, list_symbols, file_path="animals.toy", format="outline")
        assert [symbol.path for symbol in answer.value.symbols] == ["Animal", "Animal.speak", "Dog", "Dog.speak"]
        assert not any(symbol.children for symbol in answer.value.symbols)


async def test_symbols_below_the_depth_are_counted_where_they_are_hidden(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, list_symbols, file_path="animals.toy", depth=1)
        assert [(symbol.name, symbol.children, symbol.hidden) for symbol in answer.value.symbols] == [
            ("Animal", (), 1),
            ("Dog", (), 1),
        ]
        assert answer.value.total == 2


async def test_a_page_of_a_tree_keeps_what_its_symbols_are_in(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, list_symbols, file_path="animals.toy", offset=1, limit=1)
        assert (nested(answer.value.symbols), answer.value.total) == ([["Animal", "speak"]], 4)
        flat = await ask(pool, list_symbols, file_path="animals.toy", format="outline", offset=1, limit=2)
        assert [symbol.path for symbol in flat.value.symbols] == ["Animal.speak", "Dog"]


@pytest.mark.parametrize("habits", ["", "null"])
async def test_a_file_without_symbols_is_confirmed_to_have_none(tmp_path: Path, habits: str):
    async with zoo(tmp_path, habits, {"a.toy": "# nothing\n"}) as pool:
        answer = await ask(pool, list_symbols, file_path="a.toy")
        assert (answer.status, answer.value.symbols, answer.value.total) == (Status.CONFIRMED, (), 0)


async def test_symbols_written_a_moment_ago_are_listed(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await ask(pool, list_symbols, file_path="lonely.toy")
        (pool.workspace / "lonely.toy").write_text("def fresh()\n")
        answer = await ask(pool, list_symbols, file_path="lonely.toy")
        assert nested(answer.value.symbols) == ["fresh"]


async def test_a_server_without_symbols_says_what_can_be_asked_instead(tmp_path: Path):
    async with zoo(tmp_path, "lacks=textDocument/documentSymbol") as pool:
        with pytest.raises(CapabilityMissing, match="does not offer") as raised:
            await ask(pool, list_symbols, file_path="animals.toy")
        assert "find_symbol" in raised.value.hint


@BOTH_FORMS
@pytest.mark.parametrize("path", ["Dog.speak", "Dog/speak", "Dog::speak", "animals.toy::Dog.speak", "dog.speak"])
async def test_a_symbol_is_found_by_its_path_in_any_spelling(tmp_path: Path, habits: str, path: str):
    async with zoo(tmp_path, habits) as pool:
        answer = await ask(pool, go_to_symbol, symbol_path=path)
        (place,) = answer.value.locations
        assert (at(place), place.end_column, place.text) == ("animals.toy:8:9", 14, "def speak(volume, times)")
        assert answer.note == ("taken for Dog.speak, in another case" if path == "dog.speak" else "")


async def test_a_name_in_another_case_is_found_in_the_whole_workspace_and_said(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, go_to_symbol, symbol_path="SHOUT")
        assert (at(answer.value.locations[0]), answer.note) == ("voices.toy:5:5", "taken for shout, in another case")


async def test_a_homonym_is_found_by_its_number_and_refused_without(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, go_to_symbol, symbol_path="speak[2]")
        assert at(answer.value.locations[0]) == "animals.toy:8:9"
        with pytest.raises(AmbiguousSymbol, match=r"\[1\] method Animal.speak at line 4; \[2\] method Dog.speak"):
            await ask(pool, go_to_symbol, symbol_path="speak")
        with pytest.raises(InvalidArgument, match="no number 3"):
            await ask(pool, go_to_symbol, symbol_path="speak[3]")


async def test_a_name_in_several_files_is_refused_with_all_of_them(tmp_path: Path):
    async with zoo(tmp_path, files={"a.toy": "def twin()\n", "b.toy": "def twin()\n"}) as pool:
        with pytest.raises(AmbiguousSymbol, match=r"a\.toy::twin; b\.toy::twin"):
            await ask(pool, go_to_symbol, symbol_path="twin")
        answer = await ask(pool, go_to_symbol, symbol_path="b.toy::twin")
        assert at(answer.value.locations[0]) == "b.toy:1:5"


@pytest.mark.parametrize("path", ["voices.toy::shuot", "shou", "shuot"])
async def test_a_name_that_is_not_there_brings_those_close_to_it(tmp_path: Path, path: str):
    async with zoo(tmp_path) as pool:
        with pytest.raises(NoSuchSymbol, match="there is no symbol") as raised:
            await ask(pool, go_to_symbol, symbol_path=path)
        assert "shout" in raised.value.hint


@BOTH_FORMS
@pytest.mark.parametrize(
    "target",
    [
        {"symbol": "Dog.speak"},
        {"file_path": "animals.toy", "line": 8, "column": 9},
        {"file_path": "animals.toy", "line": 9},
        {"file_path": "animals.toy", "line": 9, "text": "bark"},
        {"file_path": "animals.toy", "position_pattern": "use @@bark"},
    ],
)
async def test_the_source_of_a_symbol_is_all_of_it_however_it_is_named(
    tmp_path: Path, habits: str, target: dict[str, object]
):
    async with zoo(tmp_path, habits) as pool:
        source = (await ask(pool, get_symbol_source, **target)).value
        assert (source.symbol, source.kind, source.file) == ("Dog.speak", "method", "animals.toy")
        assert (source.start_line, source.end_line) == (8, 10)
        assert source.source.splitlines() == ZOO["animals.toy"].splitlines()[7:10]


async def test_the_comment_directly_above_belongs_to_the_source(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        source = (await ask(pool, get_symbol_source, symbol="shout")).value
        assert (source.start_line, source.source) == (4, "# Makes noise.\ndef shout(what)")


async def test_a_place_outside_every_symbol_has_no_source(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        with pytest.raises(NoSuchSymbol, match=r"line 1 of animals\.toy is in no symbol"):
            await ask(pool, get_symbol_source, file_path="animals.toy", line=1)


async def test_lines_that_end_in_any_way_are_the_same_lines(tmp_path: Path):
    files = {name: text.replace("\n", "\r\n") for name, text in ZOO.items()}
    async with zoo(tmp_path, files=files) as pool:
        source = (await ask(pool, get_symbol_source, symbol="Animal.speak")).value
        assert (source.start_line, source.end_line) == (3, 5)
        assert source.source.splitlines()[-1] == "        use shout(volume)"

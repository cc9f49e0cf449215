"""Symbols of the whole workspace: every server is asked, and what one of them cannot tell is said."""

from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Status
from groundwire.operations.navigation.search import find_symbol
from groundwire.operations.results.found import SymbolMatches
from groundwire.pool.pool import Pool
from groundwire.registry.catalog import Catalog, LanguageSpec
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio


def names(found: SymbolMatches) -> list[str]:
    return [symbol.path for symbol in found.symbols]


@pytest.mark.parametrize("habits", ["", "locates-late"])
async def test_a_symbol_is_found_with_its_place_and_line(tmp_path: Path, habits: str):
    async with zoo(tmp_path, habits) as pool:
        answer = await ask(pool, find_symbol, query="bark")
        assert (answer.status, answer.servers, answer.value.total) == (Status.CONFIRMED, ("well_read",), 1)
        (found,) = answer.value.symbols
        assert (found.name, found.kind, found.file, found.line, found.column) == (
            "bark",
            "function",
            "voices.toy",
            1,
            5,
        )
        assert (found.end_column, found.text) == (9, "def bark(loudness, count)")


async def test_the_better_a_name_fits_the_earlier_it_comes(tmp_path: Path):
    text = "".join(
        f"def {name}()\n" for name in ("gesamt_name", "xgetname", "getName", "GetName", "getNames", "get_x_name")
    )
    async with zoo(tmp_path, files={"a.toy": text}) as pool:
        answer = await ask(pool, find_symbol, query="getName")
        assert names(answer.value) == ["getName", "GetName", "getNames", "get_x_name", "xgetname", "gesamt_name"]


async def test_a_container_in_the_query_puts_its_members_first(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        assert names((await ask(pool, find_symbol, query="Dog.speak")).value) == ["Dog.speak", "Animal.speak"]
        assert names((await ask(pool, find_symbol, query="Animal.speak")).value) == ["Animal.speak", "Dog.speak"]


async def test_only_the_kinds_that_are_wanted_are_shown(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, find_symbol, query="a", kinds=["class"])
        assert names(answer.value) == ["Animal"]
        with pytest.raises(InvalidArgument, match="'klass'") as raised:
            await ask(pool, find_symbol, query="a", kinds=["klass"])
        assert "class" in raised.value.hint


async def test_the_whole_list_is_paged(tmp_path: Path):
    text = "".join(f"def name{number}()\n" for number in range(7))
    async with zoo(tmp_path, files={"a.toy": text}) as pool:
        pages = [(await ask(pool, find_symbol, query="name", limit=3, offset=offset)).value for offset in (0, 3, 6)]
        assert [name for page in pages for name in names(page)] == [f"name{number}" for number in range(7)]
        assert [(page.total, page.offset) for page in pages] == [(7, 0), (7, 3), (7, 6)]


@pytest.mark.parametrize("habits", ["", "null"])
async def test_no_symbol_of_a_name_is_confirmed(tmp_path: Path, habits: str):
    async with zoo(tmp_path, habits) as pool:
        answer = await ask(pool, find_symbol, query="zzz")
        assert (answer.status, answer.value) == (Status.CONFIRMED, SymbolMatches(symbols=(), total=0))


@pytest.mark.parametrize("query", ["", "  "])
async def test_an_empty_query_is_for_all_symbols_by_file(tmp_path: Path, query: str):
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, find_symbol, query=query)
        assert (answer.status, answer.value.total) == (Status.CONFIRMED, 7)
        assert names(answer.value) == ["Animal", "Animal.speak", "Dog", "Dog.speak", "nobody", "bark", "shout"]
        functions = await ask(pool, find_symbol, query=query, kinds=["function"])
        assert names(functions.value) == ["nobody", "bark", "shout"]


@pytest.mark.parametrize("habits", ["", "null"])
async def test_a_server_that_lists_nothing_for_an_empty_query_does_not_prove_that_there_is_nothing(
    tmp_path: Path, habits: str
):
    async with zoo(tmp_path, habits, {"a.toy": "# nothing\n"}) as pool:
        answer = await ask(pool, find_symbol, query="")
        assert (answer.status, answer.value.total) == (Status.PARTIAL, 0)
        assert answer.reason == "well_read: it lists nothing without a name; ask for one"


async def test_a_server_that_does_not_search_makes_the_answer_partial(tmp_path: Path):
    async with zoo(tmp_path, "lacks=workspace/symbol") as pool:
        answer = await ask(pool, find_symbol, query="bark")
        assert (answer.status, answer.value.total) == (Status.PARTIAL, 0)
        assert answer.reason == "well_read does not search the workspace for symbols"


async def test_a_workspace_that_no_server_knows_is_not_known_to_have_no_symbols(tmp_path: Path):
    async with zoo(tmp_path, files={"notes.txt": "bark"}) as pool:
        answer = await ask(pool, find_symbol, query="bark")
        assert answer.status is Status.UNKNOWN
        assert "no server" in answer.reason


async def test_no_server_is_missed_for_files_that_hold_no_symbols(tmp_path: Path):
    (tmp_path / "a.toy").write_text(ZOO["voices.toy"])
    (tmp_path / "data.json").write_text("{}")
    catalog = toy_catalog(toy_spec("well_read"))
    languages = {**catalog.languages, "json": LanguageSpec(extensions=(".json",), is_data=True)}
    async with Pool(tmp_path, catalog=Catalog(languages, catalog.servers)) as pool:
        answer = await ask(pool, find_symbol, query="bark")
        assert (answer.status, answer.reason) == (Status.CONFIRMED, "")


async def test_as_many_symbols_as_servers_use_to_give_at_most_may_not_be_all(tmp_path: Path):
    text = "".join(f"def name{number}()\n" for number in range(100))
    async with zoo(tmp_path, files={"a.toy": text}) as pool:
        answer = await ask(pool, find_symbol, query="name", limit=1)
        assert (answer.status, answer.value.total) == (Status.PARTIAL, 100)
        assert "may be as many as it ever gives" in answer.reason


async def test_what_is_written_while_it_is_searched_is_in_the_answer(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, "edits=workspace/symbol", log=log) as pool:
        answer = await ask(pool, find_symbol, query="late")
        assert (answer.status, names(answer.value)) == (Status.CONFIRMED, ["late"])
        assert log.count("workspace/symbol") == 2


async def test_every_server_of_the_workspace_is_asked_and_one_that_fails_is_named(tmp_path: Path):
    (tmp_path / "a.toy").write_text(ZOO["voices.toy"])
    (tmp_path / "b.other").write_text("def elsewhere()\n")
    specs = [toy_spec("well_read"), toy_spec("crash_at_start", languages=("other",))]
    catalog = toy_catalog(specs[0])
    languages = {**catalog.languages, "other": LanguageSpec(extensions=(".other",), servers=("crash_at_start",))}
    async with Pool(tmp_path, catalog=Catalog(languages, {spec.id: spec for spec in specs})) as pool:
        answer = await ask(pool, find_symbol, query="bark")
        assert (answer.status, names(answer.value)) == (Status.PARTIAL, ["bark"])
        assert answer.reason.startswith("crash_at_start")

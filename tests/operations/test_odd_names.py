"""Files whose names are no UTF-8: answered for like others, or said not to be known; and no harm to the others."""

import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.get_diagnostics import get_diagnostics
from groundwire.operations.editing.rename_file import rename_file
from groundwire.operations.editing.write_file import write_file
from groundwire.operations.navigation.navigate import find_references, go_to_definition
from groundwire.operations.navigation.search import find_symbol
from groundwire.operations.navigation.symbols import list_symbols
from groundwire.operations.results.diagnostics import Diagnostics
from groundwire.pool.pool import Pool
from groundwire.workspace.rules import SettleRule
from tests.fakes.toy_servers import ToyLog, toy_catalog, toy_spec
from tests.operations.toy_project import ask, zoo
from tests.surfaces.mcp.conversations import client_of, text_of

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names"),
]

ODD = os.fsdecode(b"bad\xff.toy")
SHOWN = r"bad\xff.toy"
FILES = {ODD: "def odd_one()\n    use shared()\n", "good.toy": "def shared()\n"}
BOTH = {**FILES, SHOWN: "def by_its_letters()\n"}
ANY_NAME = SettleRule(measured=True, scope="file", takes_any_name=True)


@asynccontextmanager
async def fragile(tmp_path: Path, *odd: str) -> AsyncGenerator[tuple[Pool, ToyLog]]:
    """A project with a wrong file, odd ones beside it, and a server that ends when it hears of those."""
    root, log = tmp_path / "project", ToyLog(tmp_path / "log")
    root.mkdir()
    for name in ("good.toy", *odd):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("wrong\n")
    async with Pool(root, catalog=toy_catalog(toy_spec("dies_of_odd_names", log))) as pool:
        yield pool, log


def statuses(answer: Answer[Diagnostics]) -> dict[str, Status]:
    return {file.file: file.status for file in answer.value.files}


@pytest.mark.parametrize("odd", [ODD, os.fsdecode(b"caf\xe9/a.toy")])
async def test_a_server_is_kept_from_a_name_that_it_cannot_take_and_goes_on_with_the_others(
    tmp_path: Path, odd: str
) -> None:
    async with fragile(tmp_path, odd) as (pool, log):
        answer = await ask(pool, get_diagnostics, file_paths=["good.toy", odd])
        assert statuses(answer) == {"good.toy": Status.CONFIRMED, odd: Status.UNKNOWN}
        assert answer.status is not Status.CONFIRMED
        reason = next(file.reason for file in answer.value.files if file.file == odd)
        assert "dies_of_odd_names cannot take a file whose name is no UTF-8" in reason
        assert len(log.pids()) == 1


async def test_the_whole_workspace_is_checked_but_for_what_cannot_be(tmp_path: Path) -> None:
    async with fragile(tmp_path, ODD) as (pool, _):
        answer = await ask(pool, get_diagnostics, scope="workspace")
        assert statuses(answer) == {"good.toy": Status.CONFIRMED, ODD: Status.UNKNOWN}
        assert "no UTF-8" in answer.reason


async def test_a_server_does_not_hear_of_such_a_file_that_comes_and_goes(tmp_path: Path) -> None:
    async with fragile(tmp_path) as (pool, log):
        for change in ((pool.workspace / ODD).touch, (pool.workspace / ODD).unlink):
            change()
            assert (await ask(pool, get_diagnostics, file_paths=["good.toy"])).status is Status.CONFIRMED
        assert len(log.pids()) == 1


async def test_a_file_that_gets_such_a_name_is_renamed_without_a_word_to_its_server(tmp_path: Path) -> None:
    async with fragile(tmp_path) as (pool, log):
        answer = await ask(pool, rename_file, old_path="good.toy", new_path=ODD, apply=True)
        assert (pool.workspace / ODD).exists()
        assert answer.status is not Status.CONFIRMED
        assert len(log.pids()) == 1


async def test_that_nothing_is_found_is_not_proven_while_a_file_may_be_hidden_by_its_name(tmp_path: Path) -> None:
    async with zoo(tmp_path, files={"good.toy": "def shared()\n"}) as pool:
        assert (await ask(pool, find_symbol, query="odd_one")).status is Status.CONFIRMED
        (pool.workspace / ODD).write_text(FILES[ODD])
        for query in ("odd_one", "shared"):
            answer = await ask(pool, find_symbol, query=query)
            assert answer.status is not Status.CONFIRMED
            assert f"whether well_read looks at {ODD} is not known" in answer.reason
        (pool.workspace / ODD).unlink()
        assert (await ask(pool, find_symbol, query="odd_one")).status is Status.CONFIRMED


async def test_uses_are_doubted_and_what_a_file_names_is_not(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        assert (await ask(pool, find_references, file_path="good.toy", line=1, column=5)).status is Status.PARTIAL
        assert (await ask(pool, go_to_definition, file_path="good.toy", line=1, column=5)).status is Status.CONFIRMED


async def test_files_of_other_languages_may_be_called_anything(tmp_path: Path) -> None:
    files = {"good.toy": "def shared()\n", os.fsdecode(b"notes\xff.txt"): "x"}
    async with zoo(tmp_path, files=files) as pool:
        assert (await ask(pool, find_symbol, query="odd_one")).status is Status.CONFIRMED


@pytest.mark.parametrize("named", [ODD, SHOWN])
async def test_where_a_server_takes_any_name_the_file_is_answered_for(tmp_path: Path, named: str) -> None:
    async with zoo(tmp_path, files=FILES, settle=ANY_NAME) as pool:
        answer = await ask(pool, list_symbols, file_path=named)
        assert (answer.status, answer.value.file) == (Status.CONFIRMED, ODD)
        assert [symbol.name for symbol in answer.value.symbols] == ["odd_one"]


async def test_a_symbol_is_found_in_the_file_by_the_name_that_is_shown(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES, settle=ANY_NAME) as pool:
        (place,) = (await ask(pool, go_to_definition, symbol=f"{SHOWN}::odd_one")).value.locations
        assert (place.file, place.line) == (ODD, 1)


async def test_what_is_shown_of_two_names_is_not_taken_for_either(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=BOTH, settle=ANY_NAME) as pool:
        with pytest.raises(InvalidArgument, match="two names"):
            await ask(pool, list_symbols, file_path=SHOWN)


async def test_a_name_of_backslashes_is_itself_where_there_is_no_other(tmp_path: Path) -> None:
    async with zoo(tmp_path, files={SHOWN: BOTH[SHOWN]}) as pool:
        answer = await ask(pool, list_symbols, file_path=SHOWN)
        assert [symbol.name for symbol in answer.value.symbols] == ["by_its_letters"]


async def test_a_new_file_goes_into_the_directory_that_is_meant(tmp_path: Path) -> None:
    directory = os.fsdecode(b"caf\xe9")
    async with zoo(tmp_path, files={f"{directory}/a.toy": "def a()\n"}, settle=ANY_NAME) as pool:
        await ask(pool, write_file, file_path=r"caf\xe9/new.toy", text="def b()\n")
        assert (pool.workspace / directory / "new.toy").exists()


@pytest.mark.parametrize("output", ["text", "json"])
async def test_an_agent_is_shown_a_name_by_which_it_can_ask_again(tmp_path: Path, output: str) -> None:
    async with zoo(tmp_path, files=FILES, settle=ANY_NAME) as pool, client_of(pool, output=output) as client:
        found = await client.call_tool("find_symbol", {"query": "odd_one"})
        spelled = SHOWN if output == "text" else json.dumps(SHOWN)[1:-1]
        assert spelled in text_of(found)
        assert not found.is_error
        again = await client.call_tool("list_symbols", {"file_path": SHOWN})
        assert "odd_one" in text_of(again)
        assert not again.is_error

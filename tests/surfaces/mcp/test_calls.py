"""Calls that go wrong, take long, come by the hundred or are given up: always answered, always in our own words."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from mcp.shared.exceptions import MCPError

from groundwire.operations.table import OPERATIONS
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.profiles import PROFILES
from tests.interaction.questions import add_repository
from tests.operations.toy_project import zoo
from tests.surfaces.mcp.conversations import (
    ERAS,
    EXAMPLES,
    client_of,
    error_of,
    quick_and_slow,
    text_of,
    until,
    zoo_client,
)

pytestmark = pytest.mark.anyio

HUGE = "x" * 1_000_000
UNANSWERED = {"file_path": "slow.slow", "line": 1, "column": 1}


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("find_refrences", {}, "find_references"),
        ("find_references", {"symbl": "shout"}, "symbol"),
        ("find_references", {"symbol": ["shout"]}, "symbol"),
        ("find_references", {"symbol": "shout", "limit": -1}, "limit"),
        ("find_references", {"symbol": "shout", "limit": 10**30}, "limit"),
        ("find_references", {"symbol": {"name": "shout"}}, "symbol"),
        ("find_references", {}, "file_path"),
        ("find_symbol", {}, "query"),
        ("list_symbols", {"file_path": None}, "file_path"),
    ],
)
async def test_a_mistake_is_named_with_what_may_have_been_meant(
    tmp_path: Path, name: str, arguments: dict[str, object], told: str
):
    async with zoo_client(tmp_path, profile="full") as client:
        result = await client.call_tool(name, arguments)
        error = error_of(result)
        assert error["kind"] == "InvalidArgument"
        assert told in text_of(result)
        assert "Traceback" not in text_of(result)


async def test_what_is_not_there_has_a_kind_of_its_own(tmp_path: Path):
    async with zoo_client(tmp_path) as client:
        assert error_of(await client.call_tool("list_symbols", {"file_path": "no.toy"}))["kind"] == "FileNotFound"
        assert error_of(await client.call_tool("find_references", {"symbol": "no"}))["kind"] == "NoSuchSymbol"


@pytest.mark.parametrize("mode", ERAS)
async def test_a_megabyte_in_any_place_is_refused_in_a_few_words(tmp_path: Path, mode: str):
    async with zoo_client(tmp_path, profile="full", mode=mode) as client:
        for name, arguments in [
            (HUGE, {}),
            ("find_references", {HUGE: 1}),
            ("find_references", {"symbol": HUGE}),
            ("list_symbols", {"file_path": "animals.toy", "depth": HUGE}),
            ("find_references", {"file_path": "animals.toy", "line": 1, "text": HUGE}),
            ("find_references", {"file_path": "animals.toy", "position_pattern": f"@@{HUGE}"}),
        ]:
            result = await client.call_tool(name, arguments)
            assert error_of(result)["kind"] != "Internal", (name[:50], text_of(result))
            assert len(text_of(result)) < 10_000
        assert "voices.toy" in text_of(await client.call_tool("find_references", {"symbol": "shout"}))


async def test_a_file_name_of_a_megabyte_is_that_of_no_file(tmp_path: Path):
    async with zoo_client(tmp_path) as client:
        assert error_of(await client.call_tool("list_symbols", {"file_path": HUGE}))["kind"] == "FileNotFound"


async def test_the_text_is_cut_where_the_budget_ends_and_says_so(tmp_path: Path):
    async with zoo_client(tmp_path) as client:
        whole = text_of(await client.call_tool("list_symbols", {"file_path": "animals.toy"}))
        short = text_of(await client.call_tool("list_symbols", {"file_path": "animals.toy", "max_chars": 200}))
        assert len(short) <= 200 < len(whole)
        assert "more" in short
        for wrong in (0, 10**9, "many", [[1]]):
            given = {"file_path": "animals.toy", "max_chars": wrong}
            assert error_of(await client.call_tool("list_symbols", given))["kind"] == "InvalidArgument"


async def test_a_defect_of_ours_is_told_without_a_traceback(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    async with zoo(tmp_path) as pool, client_of(pool) as client:
        pool.refresh = _fail
        result = await client.call_tool("find_references", {"symbol": "shout"})
        error = error_of(result)
    assert (error["kind"], error["error"]) == ("Internal", "ZeroDivisionError in find_references")
    assert "secret" not in text_of(result)
    assert "secret" in caplog.text


def _fail() -> None:
    raise ZeroDivisionError("secret")


def _junk(dice: random.Random, depth: int = 0) -> object:
    makers: list[Callable[[], object]] = [
        lambda: None,
        lambda: dice.choice([True, False, 0, 1, -1, 2**63, -(2**70), 1e308, 0.5]),
        lambda: dice.choice(["", "a", "shout", "animals.toy", "../..", "/", "\0", "\ud800", "😀" * 50, "[" * 100]),
        lambda: "".join(chr(dice.randrange(1, 0x2FF)) for _ in range(dice.randrange(20))),
    ]
    if depth < 3:
        makers += [
            lambda: [_junk(dice, depth + 1) for _ in range(dice.randrange(4))],
            lambda: {_name(dice): _junk(dice, depth + 1) for _ in range(dice.randrange(4))},
        ]
    return dice.choice(makers)()


def _name(dice: random.Random) -> str:
    """Anything that the client itself can send as a name."""
    return str(_junk(dice, 3)).encode("utf-8", "replace").decode()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("profile", ["full", "navigation", "opta", "single"])
async def test_whatever_is_given_the_answer_is_typed_and_the_server_stays(tmp_path: Path, profile: str, seed: int):
    dice = random.Random(f"{profile} {seed}")
    tools = PROFILES[profile].tools
    async with zoo_client(tmp_path, profile=profile) as client:
        for _ in range(60):
            tool = dice.choice(tools)
            names = cast("dict[str, object]", tool.schema["properties"])
            given = {name: _junk(dice) for name in names if dice.random() < 0.6}
            if dice.random() < 0.2:
                given[_name(dice)] = _junk(dice)
            result = await client.call_tool(tool.name, given)
            if result.is_error:
                assert error_of(result)["kind"] != "Internal", (tool.name, given, text_of(result))
            assert "Traceback" not in text_of(result)
        assert (await client.list_tools()).tools


async def test_a_hundred_calls_at_once_are_all_answered_and_none_waits_for_a_slow_one(tmp_path: Path):
    async with quick_and_slow(tmp_path) as (pool, log), client_of(pool) as client:
        slow = asyncio.create_task(client.call_tool("find_references", UNANSWERED))
        await until(lambda: log.count("textDocument/references") == 1)
        calls = [client.call_tool("find_references", {"symbol": "fish"}) for _ in range(100)]
        async with asyncio.timeout(25):
            results = await asyncio.gather(*calls)
        assert all("quick.toy" in text_of(result) for result in results)
        assert not slow.done()
        slow.cancel()
        await asyncio.wait([slow])


async def test_a_call_that_is_given_up_is_cancelled_at_the_language_server(tmp_path: Path):
    async with quick_and_slow(tmp_path) as (pool, log), client_of(pool) as client:
        call = asyncio.create_task(client.call_tool("find_references", UNANSWERED))
        await until(lambda: log.count("textDocument/references") == 1)
        call.cancel()
        await asyncio.wait([call])
        await until(lambda: log.count("$/cancelRequest") == 1)


async def test_a_call_is_cancelled_at_the_language_server_when_the_client_goes_away(tmp_path: Path):
    async with quick_and_slow(tmp_path) as (pool, log):
        async with client_of(pool) as client:
            call = asyncio.create_task(client.call_tool("find_references", UNANSWERED))
            await until(lambda: log.count("textDocument/references") == 1)
        with pytest.raises(MCPError, match="closed"):
            await call
        await until(lambda: log.count("$/cancelRequest") == 1)


async def test_whoever_waits_longer_than_a_second_is_told_what_for(tmp_path: Path):
    heard: list[tuple[float, str | None]] = []
    enough = asyncio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))
        if len(heard) == 2:
            enough.set()

    async with quick_and_slow(tmp_path) as (pool, _), client_of(pool) as client:
        call = asyncio.create_task(client.call_tool("find_references", UNANSWERED, progress_callback=hear))
        await asyncio.wait_for(enough.wait(), 20)
        call.cancel()
        await asyncio.wait([call])
    assert all(message for _, message in heard)
    assert 1.0 <= heard[0][0] < heard[1][0]


async def test_a_quick_answer_comes_without_a_word_before(tmp_path: Path):
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    async with zoo(tmp_path) as pool, client_of(pool) as client:
        await client.call_tool("find_references", {"symbol": "shout"})
        await client.call_tool("find_references", {"symbol": "shout"}, progress_callback=hear)
    assert heard == []


async def test_every_tool_that_reads_can_be_called_many_times_over_on_one_connection(tmp_path: Path):
    reading = [name for name, operation in OPERATIONS.items() if operation.effect == "reads"]
    async with zoo(tmp_path) as pool, client_of(pool, profile="full") as client:
        add_repository(pool.workspace)
        calls = [client.call_tool(name, dict(EXAMPLES[name])) for name in reading for _ in range(5)]
        results = await asyncio.gather(*calls)
        assert len(results) > 5 * 20
        assert not any(result.is_error for result in results)
        assert _running(pool) == 1


def _running(pool: Pool) -> int:
    return len(pool.instances())

"""What no present server can serve is not shown, and a client is told when that changes."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from mcp.client.client import Client
from mcp.shared.subscriptions import ToolsListChanged
from mcp_types import ToolListChangedNotification

from groundwire.pool.pool import Pool
from groundwire.registry.catalog import Catalog, LanguageSpec
from tests.fakes.toy_servers import WELL_BEHAVED, toy_catalog, toy_spec
from tests.operations.toy_project import zoo
from tests.surfaces.mcp.conversations import ERAS, client_of, error_of

pytestmark = pytest.mark.anyio

LACKING = "lacks=workspace/symbol"
HERE = {"file_path": "animals.toy", "line": 5, "text": "shout"}


async def names(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools}


@asynccontextmanager
async def told_client(pool: Pool, **options: Any) -> AsyncGenerator[tuple[Client, asyncio.Event]]:
    """A client, and whether it was told that the tools have changed."""
    told = asyncio.Event()

    async def hear(message: Any) -> None:
        if isinstance(message, ToolListChangedNotification):
            told.set()

    async with client_of(pool, message_handler=hear, **options) as client:
        yield client, told


async def call_until(client: Client, told: asyncio.Event, name: str, given: Mapping[str, object]) -> None:
    async with asyncio.timeout(20):
        while not told.is_set():
            await client.call_tool(name, dict(given))
    told.clear()


async def test_a_tool_that_the_only_server_does_not_offer_is_hidden_once_that_is_known(tmp_path: Path):
    async with zoo(tmp_path, LACKING) as pool, told_client(pool) as (client, told):
        assert "find_symbol" in await names(client)
        await call_until(client, told, "go_to_definition", HERE)
        shown = await names(client)
        assert "find_symbol" not in shown
        assert "go_to_definition" in shown
        assert error_of(await client.call_tool("find_symbol", {"query": "shout", "kinds": ["no"]}))


async def test_a_listener_of_the_newer_era_is_told_too(tmp_path: Path):
    async with zoo(tmp_path, LACKING) as pool, client_of(pool, mode=ERAS[1]) as client:
        assert "find_symbol" in await names(client)
        async with client.listen(tools_list_changed=True) as events, asyncio.timeout(20):
            event = asyncio.ensure_future(anext(events))
            while not event.done():
                assert not (await client.call_tool("go_to_definition", HERE)).is_error
        assert isinstance(event.result(), ToolsListChanged)
        assert "find_symbol" not in await names(client)


async def test_the_full_profile_hides_nothing(tmp_path: Path):
    async with zoo(tmp_path, LACKING) as pool, told_client(pool, profile="full") as (client, told):
        everything = await names(client)
        for _ in range(20):
            await client.call_tool("go_to_definition", HERE)
        assert await names(client) == everything
        assert not told.is_set()


async def test_one_tool_leaves_out_the_kinds_that_cannot_be_served(tmp_path: Path):
    async with zoo(tmp_path, LACKING) as pool, told_client(pool, profile="single") as (client, told):
        assert "workspace_symbol" in await _kinds(client)
        place = {"kind": "go_to_def", "file": "animals.toy", "line": 5, "character": 13}
        await call_until(client, told, "Lsp", place)
        assert await _kinds(client) == ["go_to_def", "hover", "references", "diagnostics"]


async def _kinds(client: Client) -> list[str]:
    (tool,) = (await client.list_tools(cache_mode="bypass")).tools
    return cast("dict[str, dict[str, list[str]]]", tool.input_schema["properties"])["kind"]["enum"]


async def test_a_tool_comes_back_when_a_language_appears_whose_server_offers_it(tmp_path: Path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.plain").write_text("fish\n")
    able = toy_spec("well_read")
    plain = msgspec.structs.replace(toy_spec(WELL_BEHAVED), languages=("plain",))
    languages = {**toy_catalog(able).languages, "plain": LanguageSpec(extensions=(".plain",), servers=(plain.id,))}
    async with (
        Pool(root, catalog=Catalog(languages, {able.id: able, plain.id: plain})) as pool,
        told_client(pool) as (client, told),
    ):
        assert "list_symbols" in await names(client)
        await call_until(client, told, "find_references", {"file_path": "a.plain", "line": 1, "column": 1})
        assert "list_symbols" not in await names(client)
        (root / "b.toy").write_text("def whale()\n")
        await call_until(client, told, "find_references", {"file_path": "b.toy", "line": 1, "text": "whale"})
        assert "list_symbols" in await names(client)

"""What can be read by address, watched and completed."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp_types import ResourceTemplateReference, ResourceUpdatedNotification, TextResourceContents

from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp import resource_handlers
from groundwire.surfaces.mcp.watching import Watching
from tests.operations.toy_project import ZOO, zoo
from tests.surfaces.mcp.conversations import ERAS, client_of, zoo_client

pytestmark = pytest.mark.anyio

WRONG = {"a.toy": "all is wrong\n", "b.toy": "all is well\n", "sub/c.toy": "", ".git/d.toy": "", "node_modules/e": ""}


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Watched resources are looked at often enough for a test."""
    monkeypatch.setattr(resource_handlers, "Watching", lambda pool: Watching(pool, every_s=0.02, quiet_s=0.05))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]


async def read(client: Client, uri: str) -> str:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


@pytest.mark.parametrize("mode", ERAS)
async def test_every_resource_and_template_is_listed(tmp_path: Path, mode: str):
    async with zoo_client(tmp_path, mode=mode) as client:
        listed = await client.list_resources()
        assert [resource.uri for resource in listed.resources] == [
            "lsp-diagnostics://",
            "groundwire://status",
            "groundwire://project",
            "lsp-references://",
        ]
        templates = await client.list_resource_templates()
        assert [template.uri_template.partition(":")[0] for template in templates.resource_templates] == [
            "lsp-diagnostics",
            "lsp-hover",
            "lsp-completions",
            "groundwire",
        ]


async def test_the_findings_of_a_file_are_read_by_its_path_relative_or_absolute(tmp_path: Path):
    async with zoo(tmp_path, files=WRONG) as pool, client_of(pool) as client:
        for path in ("a.toy", str(pool.workspace / "a.toy").removeprefix("/")):
            told = json.loads(await read(client, f"lsp-diagnostics:///{path}"))
            assert told["status"] == "confirmed"
            assert [file["file"] for file in told["result"]["files"]] == ["a.toy"]
            assert told["result"]["files"][0]["diagnostics"][0]["line"] == 1


async def test_the_findings_of_all_open_files_are_those_that_were_looked_at(tmp_path: Path):
    async with zoo(tmp_path, files=WRONG) as pool, client_of(pool) as client:
        nothing = json.loads(await read(client, "lsp-diagnostics://"))
        assert (nothing["status"], nothing["reason"]) == ("unknown", "no file is open")
        await read(client, "lsp-diagnostics:///a.toy")
        await read(client, "lsp-diagnostics:///b.toy")
        told = json.loads(await read(client, "lsp-diagnostics://"))
        assert [file["file"] for file in told["result"]["files"]] == ["a.toy", "b.toy"]


async def test_hover_completions_and_source_are_read_by_place_and_by_name(tmp_path: Path):
    async with zoo_client(tmp_path) as client:
        assert "Makes noise." in await read(client, "lsp-hover:///animals.toy?line=5&column=13")
        told = json.loads(await read(client, "lsp-completions:///animals.toy?line=5&column=15"))
        assert told["result"]["completions"]
        assert "use bark(volume, 2)" in await read(client, "groundwire://symbol/Dog.speak")
        assert "use bark(volume, 2)" in await read(client, "groundwire://symbol/animals.toy%3A%3ADog.speak")


async def test_the_status_names_the_servers_that_run(tmp_path: Path):
    async with zoo_client(tmp_path) as client:
        assert json.loads(await read(client, "groundwire://status"))["servers"] == []
        await read(client, "lsp-hover:///animals.toy?line=5&column=13")
        (server,) = json.loads(await read(client, "groundwire://status"))["servers"]
        assert (server["server"], server["state"]) == ("well_read", "active")


@pytest.mark.parametrize(
    ("uri", "code", "kind"),
    [
        ("lsp-diagnostics:///no.toy", -32002, "FileNotFound"),
        ("lsp-hover:///animals.toy", -32602, "InvalidArgument"),
        ("lsp-hover:///animals.toy?line=x&column=1", -32602, "InvalidArgument"),
        ("lsp-hover:///animals.toy?line=999&column=1", -32602, "InvalidArgument"),
        ("lsp-diagnostics:///../outside.toy", -32602, "OutsideWorkspace"),
        ("groundwire://symbol/Qqqq", -32002, "NoSuchSymbol"),
        ("groundwire://nothing", -32002, "FileNotFound"),
        ("nothing", -32002, "FileNotFound"),
        ("lsp-hover://[", -32602, "InvalidArgument"),
        ("lsp-diagnostics:///a%00b", -32002, "FileNotFound"),
    ],
)
async def test_what_cannot_be_read_is_typed(tmp_path: Path, uri: str, code: int, kind: str):
    (tmp_path / "outside.toy").write_text("")
    async with zoo_client(tmp_path) as client:
        with pytest.raises(MCPError) as raised:
            await client.read_resource(uri)
        assert raised.value.error.code == code
        assert raised.value.error.data["kind"] == kind


async def test_a_subscriber_is_told_when_findings_change_and_only_then(tmp_path: Path):
    told: asyncio.Queue[str] = asyncio.Queue()

    async def hear(message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            told.put_nowait(message.params.uri)

    async with zoo(tmp_path, files=WRONG) as pool, client_of(pool, message_handler=hear) as client:
        await _subscribe(client, "lsp-diagnostics:///a.toy")
        await _subscribe(client, "lsp-diagnostics:///b.toy")
        (pool.workspace / "b.toy").write_text("now wrong as well\n")
        assert await asyncio.wait_for(told.get(), 20) == "lsp-diagnostics:///b.toy"
        await _unsubscribe(client, "lsp-diagnostics:///b.toy")
        (pool.workspace / "b.toy").write_text("well again\n")
        (pool.workspace / "a.toy").write_text("well\n")
        assert await asyncio.wait_for(told.get(), 20) == "lsp-diagnostics:///a.toy"
        assert told.empty()


# The SDK calls them deprecated because the newer era has another way; hosts of the older era have only this one.


async def _subscribe(client: Client, uri: str) -> None:
    with pytest.warns(MCPDeprecationWarning):
        await client.subscribe_resource(uri)  # pyright: ignore[reportDeprecated]


async def _unsubscribe(client: Client, uri: str) -> None:
    with pytest.warns(MCPDeprecationWarning):
        await client.unsubscribe_resource(uri)  # pyright: ignore[reportDeprecated]


async def test_a_listener_of_the_newer_era_is_told_too(tmp_path: Path):
    async with zoo(tmp_path, files=WRONG) as pool, client_of(pool, mode=ERAS[1]) as client:
        async with client.listen(resource_subscriptions=["lsp-diagnostics:///a.toy"]) as events:
            (pool.workspace / "a.toy").write_text("well\n")
            async with asyncio.timeout(20):
                event = await anext(events)
        assert "lsp-diagnostics:///a.toy" in str(event)


async def test_watching_what_is_not_there_is_refused(tmp_path: Path):
    async with zoo_client(tmp_path) as client:
        with pytest.raises(MCPError):
            await _subscribe(client, "groundwire://nothing")


async def test_files_are_completed_as_a_shell_does(tmp_path: Path):
    template = ResourceTemplateReference(uri="lsp-diagnostics:///{+file_path}")
    async with zoo(tmp_path, files=WRONG) as pool, client_of(pool) as client:
        for value, expected in {
            "": ["a.toy", "b.toy", "sub/"],
            "a": ["a.toy"],
            "sub/": ["sub/c.toy"],
            "none/": [],
            "../": [],
            "\0/": [],
            "x" * 100_000 + "/": [],
        }.items():
            found = await client.complete(template, {"name": "file_path", "value": value})
            assert found.completion.values == expected
            assert found.completion.total == len(expected)


async def test_symbols_are_completed_by_what_the_servers_know(tmp_path: Path):
    template = ResourceTemplateReference(uri="groundwire://symbol/{+symbol}")
    async with zoo_client(tmp_path) as client:
        found = await client.complete(template, {"name": "symbol", "value": "sho"})
        assert found.completion.values == ["shout"]
        nothing = await client.complete(template, {"name": "symbol", "value": ""})
        assert nothing.completion.values == []
        other = await client.complete(template, {"name": "line", "value": "1"})
        assert other.completion.values == []


async def test_nothing_is_looked_at_while_nobody_watches(tmp_path: Path):
    async with zoo(tmp_path, files=ZOO) as pool:
        watching = Watching(pool, every_s=0.01)
        watch = await watching.add("groundwire://status", _ignore)
        assert _watchers() == 1
        watching.remove(watch)
        await asyncio.sleep(0)
        assert _watchers() == 0
        assert _idle(pool)


async def _ignore(_: str) -> None:
    """Not told."""


def _watchers() -> int:
    return sum("_look_on" in repr(task) and not task.cancelling() for task in asyncio.all_tasks())


def _idle(pool: Pool) -> bool:
    return not pool.instances()

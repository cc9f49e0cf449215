"""Calls that go past the library are answered as it would, and everything that is not plain still goes to it."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from groundwire.daemon.greeting import Greeting
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.conversation import McpConversation
from tests.fakes.toy_servers import ToyLog
from tests.interaction.questions import add_repository
from tests.operations.toy_project import zoo
from tests.surfaces.mcp.conversations import EXAMPLES, quick_and_slow, until

pytestmark = pytest.mark.anyio

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
UNANSWERED = {"file_path": "slow.slow", "line": 1, "column": 1}


class Line:
    """The client's end."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer = reader, writer

    def say(self, **message: Any) -> None:
        self.writer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def hear(self) -> Any:
        async with asyncio.timeout(20):
            line = await self._reader.readline()
        return json.loads(line) if line else None

    async def open(self, **capabilities: object) -> None:
        self.say(id=0, method="initialize", params={**HELLO, "capabilities": capabilities})
        assert (await self.hear())["id"] == 0
        self.say(method="notifications/initialized")

    async def call(self, number: int, name: str, arguments: object, **more: object) -> Any:
        self.say(id=number, method="tools/call", params={"name": name, "arguments": arguments, **more})
        return await self.hear()


@asynccontextmanager
async def line_to(pool: Pool, **options: str) -> AsyncGenerator[Line]:
    ours, theirs = socket.socketpair()
    talking = asyncio.ensure_future(_converse(pool, theirs, options))
    reader, writer = await asyncio.open_connection(sock=ours)
    try:
        yield Line(reader, writer)
    finally:
        writer.close()
        async with asyncio.timeout(20):
            await talking


async def _converse(pool: Pool, connection: socket.socket, options: dict[str, str]) -> None:
    reader, writer = await asyncio.open_connection(sock=connection)
    await McpConversation(pool).converse(Greeting("mcp", str(pool.workspace), options=options), reader, writer)
    writer.close()


@pytest.mark.parametrize(("said", "is_error"), [("accept", False), ("decline", True)])
async def test_a_call_that_a_person_is_asked_about_waits_for_what_they_say(tmp_path: Path, said: str, is_error: bool):
    edit = {"file_path": "animals.toy", "old_text": "use bark(volume, 2)", "new_text": "use bark(volume, 3)"}
    async with zoo(tmp_path) as pool:
        pool.settings = msgspec.structs.replace(pool.settings, asked=frozenset({"apply_edit"}))
        async with line_to(pool) as line:
            await line.open(elicitation={})
            question = await line.call(1, "apply_edit", edit)
            assert question["method"] == "elicitation/create"
            assert "animals.toy" in question["params"]["message"]
            line.say(id=question["id"], result={"action": said, "content": {}})
            answer = await line.hear()
        assert (answer["id"], answer["result"]["isError"]) == (1, is_error)
        assert ("volume, 3" in (pool.workspace / "animals.toy").read_text()) is not is_error


@pytest.mark.parametrize("output", ["text", "json"])
async def test_an_answer_is_the_one_that_the_library_sends(tmp_path: Path, output: str):
    names = ("find_references", "list_symbols", "get_diagnostics", "find_symbol", "hover", "no_such_tool")
    async with zoo(tmp_path) as pool, line_to(pool, profile="full", output=output) as line:
        add_repository(pool.workspace)
        await line.open()
        for number, name in enumerate(names, 1):
            arguments = dict(EXAMPLES.get(name, {"wrong": 1}))
            direct = await line.call(number, name, arguments)
            by_the_library = await line.call(number, name, arguments, somethingElse=1)
            assert _timeless(direct) == _timeless(by_the_library), name


def _timeless(answer: Any) -> Any:
    structured = answer["result"].get("structuredContent")
    if structured is not None and "elapsed_ms" in structured:
        structured["elapsed_ms"] = 0
        answer["result"]["content"][0]["text"] = json.dumps(structured)
    return answer


async def test_a_call_before_the_handshake_is_left_to_the_library(tmp_path: Path):
    async with zoo(tmp_path) as pool, line_to(pool) as line:
        answer = await line.call(1, "find_references", {"symbol": "shout"})
        assert "error" in answer


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_symbol","arguments":{"query":1e999}}}\n',
    ],
)
async def test_what_is_not_plain_is_answered_too(tmp_path: Path, line: bytes):
    async with zoo(tmp_path) as pool, line_to(pool) as talk:
        await talk.open()
        talk.writer.write(line)
        answer = await talk.hear()
        assert answer["id"] == 1
        assert "error" in answer or answer["result"]["isError"]
        assert "result" in await talk.call(2, "find_references", {"symbol": "shout"})


async def test_a_call_that_is_cancelled_is_given_up_unanswered_and_reaches_the_server(tmp_path: Path):
    async with quick_and_slow(tmp_path) as (pool, log), line_to(pool) as line:
        await line.open()
        await _begin_slow(line, log)
        line.say(method="notifications/cancelled", params={"requestId": 1})
        await until(lambda: log.count("$/cancelRequest") == 1)
        answer = await line.call(2, "find_references", {"symbol": "shout"})
        assert answer["id"] == 2


async def test_a_client_that_hangs_up_takes_its_calls_with_it(tmp_path: Path):
    async with quick_and_slow(tmp_path) as (pool, log):
        async with line_to(pool) as line:
            await line.open()
            await _begin_slow(line, log)
        await until(lambda: log.count("$/cancelRequest") == 1)


async def test_who_has_said_all_still_gets_its_answer(tmp_path: Path):
    async with zoo(tmp_path) as pool, line_to(pool) as line:
        await line.open()
        line.say(id=1, method="tools/call", params={"name": "find_references", "arguments": {"symbol": "shout"}})
        line.writer.write_eof()
        assert (await line.hear())["id"] == 1
        assert await line.hear() is None


async def test_a_long_call_tells_what_it_waits_for(tmp_path: Path):
    async with quick_and_slow(tmp_path) as (pool, log), line_to(pool) as line:
        await line.open()
        await _begin_slow(line, log, _meta={"progressToken": "t"})
        told = await line.hear()
        assert told["method"] == "notifications/progress"
        assert (told["params"]["progressToken"], bool(told["params"]["message"])) == ("t", True)


async def _begin_slow(line: Line, log: ToyLog, **more: object) -> None:
    params = {"name": "find_references", "arguments": UNANSWERED, **more}
    line.say(id=1, method="tools/call", params=params)
    await until(lambda: log.count("textDocument/references") == 1)

"""Questions on a daemon's socket: what survives it, what ends with whom, and what is refused."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from groundwire import errors
from groundwire.daemon.call_messages import Reply, dump, error_of, failure_of, read_answer, read_reply
from groundwire.daemon.calls import CallConversation
from groundwire.daemon.greeting import Greeting
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Answer, Status
from groundwire.operations.results.found import HoverText
from groundwire.operations.runner import perform
from groundwire.operations.table import OPERATIONS
from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import toy_catalog, toy_spec
from tests.interaction.questions import QUESTIONS, Question, toy_pool, write_project

pytestmark = pytest.mark.anyio

_WAIT_S = 30.0


class Client(NamedTuple):
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    has_ended: asyncio.Event
    """Set when the daemon's side is done with this client."""

    def say(self, **request: object) -> None:
        self.writer.write(json.dumps(request).encode() + b"\n")

    async def hear(self) -> Any:
        async with asyncio.timeout(_WAIT_S):
            return json.loads(await self.reader.readline())

    async def ask(self, number: int, operation: str, **arguments: object) -> Any:
        self.say(id=number, operation=operation, arguments=arguments, wait_s=20.0)
        while "progress" in (reply := await self.hear()):
            pass
        return reply


async def closed(writer: asyncio.StreamWriter) -> None:
    """Close it, to the end."""
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


@asynccontextmanager
async def connected(pool: Pool, tmp_path: Path) -> AsyncGenerator[Client]:
    has_ended = asyncio.Event()
    conversation = CallConversation(pool)

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await conversation.converse(Greeting("call", str(pool.workspace), "test"), reader, writer)
        await closed(writer)
        has_ended.set()

    server = await asyncio.start_unix_server(converse, tmp_path / "socket")
    async with server:
        reader, writer = await asyncio.open_unix_connection(tmp_path / "socket", limit=1 << 24)
        try:
            yield Client(reader, writer, has_ended)
        finally:
            await closed(writer)
        async with asyncio.timeout(_WAIT_S):
            await has_ended.wait()


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.operation)
async def test_an_answer_survives_the_way(question: Question, tmp_path: Path) -> None:
    operation = OPERATIONS[question.operation]
    async with toy_pool(tmp_path / "project") as pool:
        answer = await perform(pool, operation, operation.parse(question.given))
    told = read_reply(dump(Reply(id=1, answer=answer)))
    assert read_answer(operation, told.answer) == answer


def test_halves_of_characters_survive_the_way() -> None:
    value = HoverText(text="\udc80 \ud83d")
    answer = Answer(value=value, status=Status.CONFIRMED)
    told = read_reply(dump(Reply(id=1, answer=answer)))
    assert read_answer(OPERATIONS["inspect_symbol"], told.answer).value == value


@pytest.mark.parametrize(
    "error",
    [
        *(
            each("what happened", hint="do that")
            for each in vars(errors).values()
            if isinstance(each, type)
            and issubclass(each, GroundwireError)
            and each not in (errors.MessageTooLarge, errors.ServerError)
        ),
        errors.NoSuchSymbol("no such", doubt="it is loading"),
        errors.PartlyWritten("not all", left=("a.py", "b.py")),
        errors.MessageTooLarge(7, 3),
        errors.ServerError(-32803, "no", method="textDocument/hover"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_the_way(error: GroundwireError) -> None:
    told = read_reply(dump(Reply(id=1, error=failure_of(error)))).error
    assert told is not None
    back = error_of(told)
    assert (type(back), back.as_dict(), vars(back)) == (type(error), error.as_dict(), vars(error))


def test_an_error_of_a_later_version_is_one_of_its_kind() -> None:
    class Later(errors.EditConflict):
        pass

    failure = failure_of(Later("it does not fit"))
    del Later
    told = read_reply(dump(Reply(id=1, error=failure)).replace(b"Later", b"Latest")).error
    assert told is not None
    assert type(error_of(told)) is errors.EditConflict


async def test_questions_of_one_connection_are_answered_each_by_its_id(tmp_path: Path) -> None:
    async with toy_pool(tmp_path / "project") as pool, connected(pool, tmp_path) as client:
        client.say(id=7, operation="find_references", arguments={"symbol": "shout"}, wait_s=20.0)
        client.say(id=8, operation="list_workspace_folders", arguments={}, wait_s=20.0)
        replies = {reply["id"]: reply for reply in [await client.hear(), await client.hear()]}
        assert replies[7]["answer"]["status"] == "confirmed"
        assert replies[8]["answer"]["status"] == "confirmed"


async def test_what_is_wrong_with_a_question_is_its_answer(tmp_path: Path) -> None:
    async with toy_pool(tmp_path / "project") as pool, connected(pool, tmp_path) as client:
        assert (await client.ask(1, "no_such"))["error"]["name"] == "InvalidArgument"
        assert (await client.ask(2, "find_references", symbl="shout"))["error"]["name"] == "InvalidArgument"
        assert (await client.ask(3, "find_references", symbol="nothing"))["error"]["name"] == "NoSuchSymbol"
        assert (await client.ask(4, "find_references", symbol="shout"))["answer"]["status"] == "confirmed"


@pytest.mark.parametrize("line", [b"no JSON\n", b"{}\n", b"[1]\n", b"[" * 100_000 + b"\n"])
async def test_what_cannot_be_read_ends_the_conversation(line: bytes, tmp_path: Path) -> None:
    async with toy_pool(tmp_path / "project") as pool, connected(pool, tmp_path) as client:
        client.writer.write(line)
        async with asyncio.timeout(_WAIT_S):
            assert await client.reader.read() == b""


async def test_a_question_may_be_as_long_as_a_file(tmp_path: Path) -> None:
    text = "def long()\n" + "# …\n" * 500_000
    async with toy_pool(tmp_path / "project") as pool, connected(pool, tmp_path) as client:
        reply = await client.ask(1, "write_file", file_path="long.toy", text=text)
        assert reply["answer"]["value"]["applied"] is True
        assert (pool.workspace / "long.toy").read_text("utf-8") == text


async def test_whoever_hangs_up_takes_its_question_with_it(tmp_path: Path) -> None:
    root = write_project(tmp_path / "project")
    async with (
        Pool(root, catalog=toy_catalog(toy_spec("never_answers"))) as pool,
        connected(pool, tmp_path) as client,
    ):
        place = {"file_path": "voices.toy", "line": 2, "column": 10}
        client.say(id=1, operation="inspect_symbol", arguments=place, wait_s=600.0)
        async with asyncio.timeout(_WAIT_S):
            # Nobody tells when a server is asked.
            while not (instances := pool.instances()) or not instances[0].session.has_pending:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            await closed(client.writer)
            await client.has_ended.wait()


async def test_more_questions_than_anybody_has_are_refused(tmp_path: Path) -> None:
    root = write_project(tmp_path / "project")
    async with (
        Pool(root, catalog=toy_catalog(toy_spec("never_answers"))) as pool,
        connected(pool, tmp_path) as client,
    ):
        place = {"file_path": "voices.toy", "line": 2, "column": 10}
        for number in range(33):
            client.say(id=number, operation="inspect_symbol", arguments=place, wait_s=600.0)
        while "progress" in (refused := await client.hear()):
            pass
        assert (refused["id"], refused["error"]["name"]) == (32, "InvalidArgument")

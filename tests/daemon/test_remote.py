"""An operation performed elsewhere: the same answers, the same errors, and a word when nobody answers."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from groundwire.daemon.call_messages import Reply, dump, read_request
from groundwire.daemon.calls import CallConversation
from groundwire.daemon.greeting import Greeting, Welcome
from groundwire.daemon.meeting import Link
from groundwire.daemon.remote import RemoteRunner
from groundwire.errors import DaemonUnavailable, NoSuchSymbol
from groundwire.operations.editing.undo_edit import undo_edit
from groundwire.operations.editing.write_file import write_file
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.runner import LocalRunner
from tests.interaction.questions import toy_pool

pytestmark = pytest.mark.anyio

_WAIT_S = 30.0
Answering = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def runner_over(answering: Answering, tmp_path: Path) -> AsyncGenerator[RemoteRunner]:
    has_ended = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await answering(reader, writer)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
        has_ended.set()

    async with await asyncio.start_unix_server(answer, tmp_path / "socket"):
        reached = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        reached.connect(str(tmp_path / "socket"))
        async with RemoteRunner.over(Link(reached, Welcome(is_welcome=True)), tmp_path) as runner:
            yield runner
        async with asyncio.timeout(_WAIT_S):
            await has_ended.wait()


async def test_it_answers_as_the_pool_itself(tmp_path: Path) -> None:
    async with toy_pool(tmp_path / "project") as pool:
        conversation = CallConversation(pool)

        async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await conversation.converse(Greeting("call", ""), reader, writer)

        async with runner_over(answering, tmp_path) as runner:
            wanted = find_references.parse({"symbol": "shout"})
            there, here = (
                await runner.run(find_references, wanted),
                await LocalRunner(pool).run(find_references, wanted),
            )
            assert (there.value, there.status, there.servers) == (here.value, here.status, here.servers)
            with pytest.raises(NoSuchSymbol, match="nothing"):
                await runner.run(find_references, find_references.parse({"symbol": "nothing"}))


async def test_what_one_connection_wrote_another_one_undoes(tmp_path: Path) -> None:
    async with toy_pool(tmp_path / "project") as pool:
        conversation = CallConversation(pool)

        async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await conversation.converse(Greeting("call", ""), reader, writer)

        new = pool.workspace / "new.toy"
        (tmp_path / "one").mkdir()
        (tmp_path / "two").mkdir()
        async with runner_over(answering, tmp_path / "one") as runner:
            written = write_file.parse({"file_path": "new.toy", "text": "def new()\n"})
            assert (await runner.run(write_file, written)).value.applied
        assert new.exists()
        async with runner_over(answering, tmp_path / "two") as runner:
            assert (await runner.run(undo_edit, undo_edit.parse({}))).value.applied
        assert not new.exists()


async def test_how_far_it_is_is_passed_on(tmp_path: Path) -> None:
    heard: list[str] = []

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = read_request(await reader.readline())
        writer.write(dump(Reply(id=request.id, progress="toy is starting")))
        writer.write(dump(Reply(id=request.id + 1, progress="another's")))

    async with runner_over(answering, tmp_path) as runner:
        with pytest.raises(DaemonUnavailable):
            await runner.run(find_references, find_references.parse({"symbol": "x"}), progress=heard.append)
    assert heard == ["toy is starting"]


@pytest.mark.parametrize("said", [b"", b"no JSON\n", b"{}\n", b'{"id": 1, "answer": {"value": 3}}\n', b'{"id": 1'])
async def test_a_daemon_that_fails_is_told_apart_from_an_answer(said: bytes, tmp_path: Path) -> None:
    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(said)

    async with runner_over(answering, tmp_path) as runner:
        with pytest.raises(DaemonUnavailable):
            await runner.run(find_references, find_references.parse({"symbol": "x"}))


async def test_silence_ends_soon_after_the_time_that_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.daemon.remote._GRACE_S", 0.05)
    is_over = asyncio.Event()

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert await reader.readline()
        assert not writer.is_closing()
        await is_over.wait()

    async with runner_over(answering, tmp_path) as runner:
        with pytest.raises(DaemonUnavailable, match="in time"):
            await runner.run(find_references, find_references.parse({"symbol": "x"}), wait_s=0.05)
        is_over.set()

"""The daemon in this process: who is let in, and that one conversation is nobody else's."""

import asyncio
import contextlib
import os
import socket
import tempfile
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.daemon import server as serving
from groundwire.daemon.greeting import LONGEST_LINE, Greeting, Welcome, dump, read_welcome
from groundwire.daemon.house import House, furnish, house_of
from groundwire.daemon.server import Conversation, Daemon

pytestmark = pytest.mark.anyio

ROOT = "/"
FLOOD = b"x" * 10_000_000

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def echo(_: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(line)
        await writer.drain()


async def fail(_: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    raise ZeroDivisionError


async def flood(_: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(FLOOD)
    await writer.drain()


CONVERSATIONS: dict[str, Conversation] = {"echo": echo, "fail": fail, "flood": flood}


@pytest.fixture
def house() -> Generator[House]:
    with tempfile.TemporaryDirectory() as short:
        made = house_of(ROOT, {"XDG_STATE_HOME": short})
        furnish(made)
        yield made


@asynccontextmanager
async def served(house: House, is_outdated: Callable[[], bool] = lambda: False) -> AsyncGenerator[Daemon]:
    daemon = Daemon(house, {"PATH": "/bin"}, CONVERSATIONS, is_outdated=is_outdated, look_every_s=0.02)
    listens = asyncio.Event()
    task = asyncio.create_task(daemon.serve(listens.set))
    async with asyncio.timeout(20):
        await listens.wait()
        yield daemon
        daemon.leave("the test is over")
        await task


async def reach(house: House, conversation: str = "echo") -> tuple[Ends, Welcome]:
    reader, writer = await asyncio.open_unix_connection(house.socket, limit=LONGEST_LINE)
    writer.write(dump(Greeting(conversation, ROOT)))
    try:
        line = await reader.readline()
    except ConnectionResetError:  # it hung up without having read anything
        line = b""
    return (reader, writer), read_welcome(line) if line else Welcome(is_welcome=False, error="not a word")


async def echoes(ends: Ends) -> bool:
    ends[1].write(b"hello\n")
    return await ends[0].readline() == b"hello\n"


async def hang_up(ends: Ends) -> None:
    ends[1].close()
    with contextlib.suppress(ConnectionResetError):
        await ends[1].wait_closed()


async def test_a_process_of_another_user_hears_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(house):
        uid = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: uid + 1)
        ends, welcome = await reach(house)
        assert welcome.error == "not a word"
        monkeypatch.undo()
        await hang_up(ends)
        ends, welcome = await reach(house)
        assert welcome.is_welcome
        await hang_up(ends)


async def test_a_conversation_that_fails_ends_alone_and_the_log_has_why(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(house) as daemon:
        good, _ = await reach(house)
        bad, welcome = await reach(house, "fail")
        assert welcome.is_welcome
        assert await bad[0].read() == b""
        assert await echoes(good)
        assert len(daemon.clients) == 1
        await hang_up(bad)
        await hang_up(good)
    assert "ZeroDivisionError" in caplog.text


async def test_who_does_not_read_keeps_nobody_from_anything_and_the_daemon_not_from_leaving(house: House) -> None:
    async with served(house):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as deaf:
            deaf.connect(house.socket)
            deaf.sendall(dump(Greeting("flood", ROOT)))
            ends, _ = await reach(house)
            assert await echoes(ends)
            await hang_up(ends)


async def test_what_it_does_not_speak_and_where_it_does_not_live_is_refused(house: House) -> None:
    async with served(house):
        ends, welcome = await reach(house, "nonsense")
        assert (welcome.is_welcome, welcome.error) == (False, "nobody here speaks 'nonsense'")
        await hang_up(ends)


async def test_one_that_leaves_while_others_are_connected_says_so_and_takes_it_for_no_failure(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with served(house):
        ends, _ = await reach(house)
    assert await ends[0].read() == b""
    await hang_up(ends)
    assert "leaves: the test is over" in caplog.text
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_one_that_leaves_clears_its_own_socket_away_and_no_other(house: House) -> None:
    async with served(house):
        Path(house.socket).unlink()  # noqa: ASYNC240  nobody waits for it
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as another:
            another.bind(house.socket)
    assert Path(house.socket).exists()  # noqa: ASYNC240  nobody waits for it


async def test_more_connections_than_it_can_have_are_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_MOST_CONNECTIONS", 2)
    async with served(house):
        first, second = (await reach(house))[0], (await reach(house))[0]
        third, welcome = await reach(house)
        assert not welcome.is_welcome
        assert await echoes(first)
        for ends in (first, second, third):
            await hang_up(ends)
        ends, welcome = await reach(house)
        assert welcome.is_welcome
        await hang_up(ends)

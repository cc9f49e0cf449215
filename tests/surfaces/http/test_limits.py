"""The clocks of a connection, with an application of the test behind it."""

import asyncio
import contextlib
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn import Server

from groundwire.surfaces.http.limits import Connection, Connections, LimitedConfig
from groundwire.surfaces.http.settings import ServeSettings
from tests.daemon.homes import within

pytestmark = pytest.mark.anyio

ASKED = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
SETTINGS = ServeSettings(
    roots=(Path("/"),), environment={}, header_s=0.3, body_s=0.3, write_s=0.3, idle_s=0.3, connections=10
)
LARGE = b"x" * 1_000_000


@contextlib.asynccontextmanager
async def listening(app: ASGIApp, settings: ServeSettings = SETTINGS) -> AsyncGenerator[tuple[int, Connections]]:
    """The port, and all connections."""
    config = LimitedConfig(app, http=Connection, ws="none", loop="asyncio", lifespan="off", log_config=None)
    config.together = Connections(settings)
    server = Server(config)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            assert await asyncio.to_thread(within, lambda: server.started)
            yield listener.getsockname()[1], config.together
        finally:
            server.should_exit = server.force_exit = True
            await asyncio.wait_for(serving, 10)


async def answer(send: Send, *pieces: bytes) -> None:
    length = str(sum(map(len, pieces))).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
    for number, piece in enumerate(pieces, 1):
        await send({"type": "http.response.body", "body": piece, "more_body": number < len(pieces)})


async def until_nobody_is_there(together: Connections) -> None:
    assert await asyncio.to_thread(within, lambda: not len(together))


async def test_a_call_may_take_longer_than_every_limit() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await asyncio.sleep(1.2)
        await answer(send, b"late")

    async with listening(app) as (port, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ASKED)
        assert (await asyncio.wait_for(reader.readuntil(b"late"), 10)).startswith(b"HTTP/1.1 200")
        writer.close()


@pytest.mark.parametrize("pieces", [40, 1])
async def test_who_does_not_read_its_answer_is_cut_and_the_application_learns_of_it(pieces: int) -> None:
    heard: asyncio.Future[Message] = asyncio.Future()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await answer(send, *[LARGE * (40 // pieces)] * pieces)
        heard.set_result(await receive())

    async with listening(app) as (port, together):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            await asyncio.to_thread(connection.sendall, ASKED)
            assert (await asyncio.wait_for(heard, 10))["type"] == "http.disconnect"
            await until_nobody_is_there(together)


async def test_a_client_that_reads_slowly_but_reads_gets_all_of_it() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await answer(send, *[LARGE] * 8)

    settings = replace(SETTINGS, write_s=2.0, idle_s=30.0)
    async with listening(app, settings) as (port, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ASKED)
        head = await reader.readuntil(b"\r\n\r\n")
        left = 8 * len(LARGE)
        while left:
            piece = await asyncio.wait_for(reader.read(500_000), 10)
            assert piece, (head, left)
            left -= len(piece)
            await asyncio.sleep(0.01)
        writer.close()


async def test_who_closes_after_its_answer_leaves_nothing() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await answer(send, b"fine")

    async with listening(app) as (port, together):
        for _ in range(30):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(ASKED)
            await asyncio.wait_for(reader.readuntil(b"fine"), 10)
            writer.close()
        await until_nobody_is_there(together)


FEW_FILES = """
import resource
from groundwire.surfaces.http.limits_open_files import room_for
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
print(room_for(1200, 1000), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.parametrize(
    ("soft", "hard", "room"), [(256, 4096, "1200 2456"), (4000, 4096, "1200 4000"), (256, 1000, "372 1000")]
)
def test_there_is_room_for_what_is_promised_or_less_is_promised(soft: int, hard: int, room: str) -> None:
    command = [sys.executable, "-c", FEW_FILES.format(soft=soft, hard=hard)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout
    assert said.strip() == room


async def test_blanks_round_the_value_of_a_header_are_no_part_of_it() -> None:
    heard: list[bytes] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        heard.append(dict(scope["headers"])[b"mcp-name"])
        await answer(send, b"so")

    async with listening(app) as (port, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nMcp-Name: \t find_symbol \t \r\n\r\n")
        async with asyncio.timeout(10):
            await reader.readuntil(b"so")
        writer.close()
        await writer.wait_closed()
    assert heard == [b"find_symbol"]

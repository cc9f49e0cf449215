"""The stream to a server that listens on a socket."""

import asyncio
import socket
from pathlib import Path

import pytest

from groundwire.errors import ServerUnavailable
from groundwire.transport.socket import open_tcp, open_unix
from tests.transport.children_at_hand import Received

pytestmark = pytest.mark.anyio


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send everything back until end of file."""
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()
    await writer.wait_closed()


def port_of(server: asyncio.Server) -> int:
    """Where it listens."""
    return int(server.sockets[0].getsockname()[1])


async def test_bytes_go_both_ways_over_tcp_and_the_server_outlives_the_stream():
    async with await asyncio.start_server(echo, "127.0.0.1", 0) as server:
        for _ in range(2):
            transport = await open_tcp("127.0.0.1", port_of(server), timeout=5)
            received = Received(transport)
            transport.send(b"x" * 3_000_000)
            await received.until(lambda: len(received.data) == 3_000_000)  # noqa: B023 - awaited within the turn
            await transport.close()
            await transport.close()
            assert received.reasons == ["closed by us"]


async def test_bytes_go_both_ways_over_a_unix_socket(tmp_path: Path):
    path = str(tmp_path / "s")
    async with await asyncio.start_unix_server(echo, path):
        transport = await open_unix(path)
        received = Received(transport)
        transport.send(b"hello")
        await received.until(lambda: received.data == b"hello")
        await transport.close()
        assert len(received.reasons) == 1


async def test_a_server_that_hangs_up_closes_the_stream_after_its_last_bytes():
    async def say_and_leave(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"goodbye")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(say_and_leave, "127.0.0.1", 0) as server:
        transport = await open_tcp("127.0.0.1", port_of(server))
        received = Received(transport)
        assert await received.closed() == "the server closed the connection"
        assert received.data == b"goodbye"
        transport.send(b"too late")
        assert transport.unsent == 0
        await transport.close()
        assert len(received.reasons) == 1


async def test_what_a_server_said_before_we_listened_is_not_lost():
    served = asyncio.Event()

    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"welcome")
        writer.close()
        await writer.wait_closed()
        served.set()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        transport = await open_tcp("127.0.0.1", port_of(server))
        async with asyncio.timeout(5):
            await served.wait()
        received = Received(transport)
        await received.closed()
        assert received.data == b"welcome"
        await transport.close()


async def test_a_peer_that_never_reads_lets_unsent_grow_and_close_stays_bounded():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        transport = await open_tcp("127.0.0.1", listener.getsockname()[1])
        received = Received(transport)
        transport.send(b"x" * 20_000_000)
        assert transport.unsent > 1_000_000
        async with asyncio.timeout(3):
            await transport.close()
        assert received.reasons == ["closed by us"]


async def test_a_refused_connection_is_server_unavailable_with_a_hint():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ServerUnavailable, match=f"127.0.0.1:{port}") as failure:
        await open_tcp("127.0.0.1", port)
    assert "Start the server" in failure.value.hint


async def test_a_port_out_of_range_is_server_unavailable():
    with pytest.raises(ServerUnavailable):
        await open_tcp("127.0.0.1", 70_000)


async def test_a_connection_that_takes_too_long_is_server_unavailable():
    with pytest.raises(ServerUnavailable, match="within 0 s"):
        await open_tcp("127.0.0.1", 1, timeout=0)


async def test_a_missing_unix_socket_is_server_unavailable_with_a_hint(tmp_path: Path):
    with pytest.raises(ServerUnavailable, match="no connection") as failure:
        await open_unix(str(tmp_path / "nobody"))
    assert "Start the server" in failure.value.hint

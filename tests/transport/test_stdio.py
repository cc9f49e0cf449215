"""The stream over a child's pipes: bytes both ways, back pressure, and one truthful end."""

import asyncio
import os

import pytest

from groundwire.transport.stdio import open_stdio
from tests.transport.children_at_hand import Received, child, lives

pytestmark = pytest.mark.anyio

FIVE_MEGABYTES = bytes(range(256)) * 4 * 5 * 1024


async def test_what_is_sent_to_a_server_comes_back_from_it():
    transport = await open_stdio(child("echo.py"))
    received = Received(transport)
    transport.send(b"hello ")
    transport.send(b"world")
    await received.until(lambda: received.data == b"hello world")
    await transport.close()
    assert received.reasons == ["closed by us; the server exited with code 0"]


async def test_five_megabytes_pass_in_both_directions_at_once():
    transport = await open_stdio(child("echo.py"))
    received = Received(transport)
    transport.send(FIVE_MEGABYTES)
    await received.until(lambda: len(received.data) == len(FIVE_MEGABYTES))
    assert received.data == FIVE_MEGABYTES
    await transport.drained()
    assert transport.unsent == 0
    await transport.close()


async def test_a_server_that_never_reads_blocks_nothing_and_unsent_tells():
    transport = await open_stdio(child("never_reads.py"))
    received = Received(transport)
    await received.line()
    for _ in range(10):
        transport.send(b"x" * 1024 * 1024)
    assert transport.unsent > 9 * 1024 * 1024
    drained = asyncio.ensure_future(transport.drained())
    began = asyncio.get_running_loop().time()
    for _ in range(100):
        await asyncio.sleep(0)
    assert asyncio.get_running_loop().time() - began < 0.5
    assert not drained.done()
    await transport.process.stop(grace=0)
    await drained
    assert "SIGTERM" in await received.closed()


async def test_what_a_server_said_before_we_listened_is_not_lost():
    transport = await open_stdio(child("fails_at_once.py"))
    await transport.process.wait()
    received = Received(transport)
    reason = await received.closed()
    assert received.data == b"half an answ"
    assert reason == "the server exited with code 3; its last words: cannot find the project file"


async def test_a_server_that_fails_at_once_names_its_exit_code_and_its_last_words_once():
    transport = await open_stdio(child("fails_at_once.py"))
    received = Received(transport)
    transport.send(b"hello" * 100_000)
    assert await received.closed() == "the server exited with code 3; its last words: cannot find the project file"
    transport.send(b"into the void")
    await transport.close()
    await transport.close()
    assert len(received.reasons) == 1
    assert transport.unsent == 0


async def test_a_server_that_is_killed_names_the_signal():
    transport = await open_stdio(child("echo.py"))
    received = Received(transport)
    os.kill(transport.process.pid, 9)
    assert await received.closed() == "the server was ended by SIGKILL"
    await transport.close()


async def test_a_server_that_closes_its_output_but_lives_closes_the_stream():
    transport = await open_stdio(child("closes_its_output.py"))
    received = Received(transport)
    assert await received.closed() == "the server closed its output but is still running"
    assert received.data == b"goodbye\n"
    await transport.close()
    assert not lives(transport.process.pid)
    assert len(received.reasons) == 1


async def test_a_server_that_closes_its_input_but_lives_closes_the_stream():
    transport = await open_stdio(child("closes_its_input.py"))
    received = Received(transport)
    assert await received.line() == "ready"
    transport.send(b"does anybody read this?")
    assert await received.closed() == "the server closed its input but is still running"
    await transport.process.stop(grace=0)
    assert not lives(transport.process.pid)


async def test_a_server_that_closed_its_input_before_we_listened_closes_the_stream():
    transport = await open_stdio(child("closes_its_input.py"))
    async with asyncio.timeout(5):
        await transport.process.stdin.ended.wait()
    assert "but is still running" in await Received(transport).closed()
    await transport.process.stop(grace=0)


async def test_a_server_that_leaves_a_process_behind_closes_the_stream_when_it_exits():
    transport = await open_stdio(child("has_a_child.py", "same", "exit"))
    received = Received(transport)
    grandchild = int(await received.line())
    assert await received.closed() == "the server exited with code 0"
    await transport.process.stop(term_grace=0.05)
    assert not lives(grandchild)


async def test_concurrent_closes_end_the_stream_once():
    transport = await open_stdio(child("echo.py"))
    received = Received(transport)
    await asyncio.gather(*(transport.close() for _ in range(5)))
    assert len(received.reasons) == 1


async def test_a_stream_that_was_never_started_can_be_closed():
    transport = await open_stdio(child("never_reads.py"))
    await transport.process.stop(grace=0)
    await transport.close()
    assert not lives(transport.process.pid)

"""Pipes and files, read and written beside the event loop."""

import asyncio
import contextlib
import os
from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.surfaces.mcp.descriptors import Reader, Writer, open_reader

pytestmark = pytest.mark.anyio


@pytest.fixture
def pipe() -> Generator[tuple[int, int]]:
    source, sink = os.pipe()
    try:
        yield source, sink
    finally:
        os.close(source)
        os.close(sink)


async def everything(reader: Reader) -> bytes:
    found = bytearray()
    async with asyncio.timeout(20):
        while chunk := await reader.next():
            found += chunk
    reader.stop()
    return bytes(found)


async def test_a_pipe_is_read_to_its_end():
    source, sink = os.pipe()
    reader = open_reader(source)
    os.write(sink, b"one ")
    assert await reader.next() == b"one "
    os.write(sink, b"two")
    os.close(sink)
    assert await everything(reader) == b"two"
    os.close(source)


@pytest.mark.parametrize("size", [0, 10, 3_000_000])
async def test_a_file_is_read_to_its_end(tmp_path: Path, size: int):
    (tmp_path / "file").write_bytes(b"x" * size)
    source = os.open(tmp_path / "file", os.O_RDONLY)
    assert len(await everything(open_reader(source))) == size
    os.close(source)


async def test_nothing_at_all_is_the_end():
    source = os.open(os.devnull, os.O_RDONLY)
    assert await everything(open_reader(source)) == b""
    os.close(source)


async def test_whoever_floods_is_held_back_and_loses_nothing(pipe: tuple[int, int]):
    source, sink = pipe
    reader, writer = open_reader(source), Writer(sink)
    data = os.urandom(4_000_000)
    writing = asyncio.create_task(writer.write(data))
    await asyncio.wait([writing], timeout=0.3)
    assert not writing.done()
    found = bytearray()
    async with asyncio.timeout(20):
        while len(found) < len(data):
            found += await reader.next()
    reader.stop()
    await writing
    assert bytes(found) == data


async def test_a_full_pipe_holds_up_the_writer_and_not_the_loop(pipe: tuple[int, int]):
    source, sink = pipe
    os.set_blocking(sink, False)
    with contextlib.suppress(BlockingIOError):
        while os.write(sink, b"x" * 65536):
            """Until it is full."""
    os.set_blocking(sink, True)
    writing = asyncio.create_task(Writer(sink).write(b"small"))
    await asyncio.wait([writing], timeout=0.1)
    assert not writing.done()
    left = b""
    async with asyncio.timeout(20):
        while not left.endswith(b"small"):
            left = await asyncio.to_thread(os.read, source, 65536)
    await writing


@pytest.mark.parametrize("size", [10, 1_000_000])
async def test_that_nobody_reads_any_more_is_an_error(size: int):
    source, sink = os.pipe()
    os.close(source)
    with pytest.raises(BrokenPipeError):
        await Writer(sink).write(b"x" * size)
    os.close(sink)

"""Messages of the protocol, one to a line, over two file descriptors, as the pair of streams that the SDK takes.

What blocks is done by two threads that nothing waits for when the process ends: a client that neither writes, reads
nor closes cannot hold it up. A line that is no message is answered, so that whoever sent it does not wait for ever.
Above: ``stdio``. Below: ``envelope``.
"""

import asyncio
import contextlib
import os
import queue
import threading
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from groundwire.surfaces.mcp.envelope import MAX_LINE, parse_line, too_long

_CHUNK = 65536
_MOST_CHUNKS = 16
"""Read ahead of what is being handled."""


class Streams(NamedTuple):
    """What ``Server.run`` takes."""

    incoming: MemoryObjectReceiveStream[SessionMessage | Exception]
    outgoing: MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def line_streams(source: int, sink: int) -> AsyncGenerator[Streams]:
    """The streams of a conversation; ``incoming`` ends with the input, and everything when nobody reads the output."""
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_read, source, to_server, outgoing.clone())
        tasks.start_soon(_write, from_server, sink, tasks.cancel_scope)
        yield Streams(incoming, outgoing)
        tasks.cancel_scope.cancel()


async def _read(
    source: int,
    to_server: MemoryObjectSendStream[SessionMessage | Exception],
    outgoing: MemoryObjectSendStream[SessionMessage],
) -> None:
    with to_server, outgoing, contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async for line in _lines(source):
            parsed = parse_line(line) if len(line) <= MAX_LINE else too_long(len(line))
            if parsed is None:
                continue
            if parsed.is_reply:
                await outgoing.send(parsed.message)
            else:
                await to_server.send(parsed.message)


async def _write(from_server: MemoryObjectReceiveStream[SessionMessage], sink: int, scope: anyio.CancelScope) -> None:
    writer = _Writer(sink)
    with from_server:
        async for message in from_server:
            line = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await writer.write(line.encode() + b"\n")
            except OSError:
                scope.cancel()  # nobody reads any more
                return


async def _lines(source: int) -> AsyncIterator[bytes]:
    """Lines without their ends. One that is too long comes out cut to just over the limit."""
    held = bytearray()
    async for chunk in _chunks(source):
        *complete, rest = chunk.split(b"\n")
        for piece in complete:
            yield bytes(held + piece)
            held.clear()
        held += rest if len(held) <= MAX_LINE else b""
    if held:
        yield bytes(held)


async def _chunks(source: int) -> AsyncIterator[bytes]:
    reader = _Reader(source)
    while chunk := await reader.next():
        yield chunk


class _Reader:
    """A thread that reads, and is held back by whoever does not take what it read."""

    def __init__(self, source: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._source = source
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._room = threading.Semaphore(_MOST_CHUNKS)
        threading.Thread(target=self._run, name="groundwire mcp input", daemon=True).start()

    async def next(self) -> bytes:
        """The next bytes; none at the end."""
        chunk = await self._chunks.get()
        self._room.release()
        return chunk

    def _run(self) -> None:
        chunk = b"-"
        while chunk:
            self._room.acquire()
            try:
                chunk = os.read(self._source, _CHUNK)
            except OSError:
                chunk = b""
            try:
                self._loop.call_soon_threadsafe(self._chunks.put_nowait, chunk)
            except RuntimeError:  # the loop has ended
                return


class _Writer:
    """A thread that writes one message after the other."""

    def __init__(self, sink: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._sink = sink
        self._waiting: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="groundwire mcp output", daemon=True).start()

    async def write(self, data: bytes) -> None:
        """Returns when it is written. Raises OSError when it cannot be."""
        done: asyncio.Future[None] = self._loop.create_future()
        self._waiting.put((data, done))
        await done

    def _run(self) -> None:
        while True:
            data, done = self._waiting.get()
            failure = _write_all(self._sink, data)
            try:
                self._loop.call_soon_threadsafe(_settle, done, failure)
            except RuntimeError:  # the loop has ended
                return


def _write_all(sink: int, data: bytes) -> OSError | None:
    left = memoryview(data)
    try:
        while left:
            left = left[os.write(sink, left) :]
    except OSError as error:
        return error
    return None


def _settle(done: asyncio.Future[None], failure: OSError | None) -> None:
    if done.done():
        return
    if failure is None:
        done.set_result(None)
    else:
        done.set_exception(failure)

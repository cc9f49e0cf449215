"""Reading and writing descriptors of any kind without holding up the event loop.

The loop does it itself where it is told that nothing will block; a thread that nothing waits for when the process ends
does the rest, so a client that neither writes, reads nor closes cannot hold it up. The descriptors stay as they are:
others may share them. Above: ``lines``, ``stdio``. Below: ``last_words``.
"""

import asyncio
import os
import queue
import select
import threading
from typing import Protocol

from groundwire.surfaces.mcp.last_words import is_hung_up

_CHUNK = 65536
_MOST_CHUNKS = 16
"""Read ahead of what is being handled."""
_SURELY_FITS: int = getattr(select, "PIPE_BUF", 0)
"""What can be written without waiting once ``select`` says so; nothing where it cannot say."""


class Reader(Protocol):
    """Bytes as they come, held back by whoever does not take them."""

    async def next(self) -> bytes:
        """The next bytes; none at the end."""
        ...

    def stop(self) -> None:
        """Read no more."""
        ...


def open_reader(source: int) -> Reader:
    """By the loop, where it can tell when there is something to read: of files, for one, it cannot."""
    try:
        return _WatchedReader(source)
    except (NotImplementedError, OSError):
        return _ThreadReader(source)


class _WatchedReader:
    def __init__(self, source: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._source = source
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._is_held = False
        self._loop.add_reader(source, self._readable)

    async def next(self) -> bytes:
        chunk = await self._chunks.get()
        if self._is_held and self._chunks.empty():
            self._is_held = False
            self._loop.add_reader(self._source, self._readable)
        return chunk

    def stop(self) -> None:
        self._loop.remove_reader(self._source)

    def _readable(self) -> None:
        chunk = _read(self._source)
        self._chunks.put_nowait(chunk)
        self._is_held = bool(chunk) and self._chunks.qsize() >= _MOST_CHUNKS
        if self._is_held or not chunk:
            self._loop.remove_reader(self._source)


class _ThreadReader:
    def __init__(self, source: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._source = source
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._room = threading.Semaphore(_MOST_CHUNKS)
        threading.Thread(target=self._run, name="groundwire mcp input", daemon=True).start()

    async def next(self) -> bytes:
        chunk = await self._chunks.get()
        self._room.release()
        return chunk

    def stop(self) -> None:
        """It ends with the process: nothing can wake it from a read."""

    def _run(self) -> None:
        chunk = b"-"
        while chunk:
            self._room.acquire()
            chunk = _read(self._source)
            try:
                self._loop.call_soon_threadsafe(self._chunks.put_nowait, chunk)
            except RuntimeError:  # the loop has ended
                return


class Writer:
    """Writes one message after the other."""

    def __init__(self, sink: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._sink = sink
        self._waiting: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="groundwire mcp output", daemon=True).start()

    async def write(self, data: bytes) -> None:
        """Returns when it is written; to be called by one at a time. Raises OSError when it cannot be."""
        if len(data) <= _SURELY_FITS and select.select([], [self._sink], [], 0)[1]:
            failure = _write_all(self._sink, data)
            if failure is not None:
                raise failure
            return
        done: asyncio.Future[None] = self._loop.create_future()
        self._waiting.put((data, done))
        await done

    def is_gone(self) -> bool:
        """Whether nobody reads any more, as far as the system tells without a write."""
        return is_hung_up(self._sink)

    def _run(self) -> None:
        while True:
            data, done = self._waiting.get()
            failure = _write_all(self._sink, data)
            try:
                self._loop.call_soon_threadsafe(_settle, done, failure)
            except RuntimeError:  # the loop has ended
                return


def _read(source: int) -> bytes:
    try:
        return os.read(source, _CHUNK)
    except OSError:  # the other end is gone, in a way that is an error
        return b""


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

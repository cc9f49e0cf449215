"""What the tests of this folder share: the small children, a recorder for a transport, and bounded waits."""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

import groundwire.errors
from groundwire.transport.base import Transport
from groundwire.transport.process import ProcessSpec

CHILDREN = Path(__file__).parent / "children"
SOURCES = str(Path(groundwire.errors.__file__).parents[1])


def environment() -> dict[str, str]:
    """Our own, with the sources where a child that imports groundwire finds them."""
    return {**os.environ, "PYTHONPATH": SOURCES}


def child(script: str, *arguments: str) -> ProcessSpec:
    """A child script run by this Python, without the parts of it that take long to start."""
    command = (sys.executable, "-I", "-S", str(CHILDREN / script), *arguments)
    return ProcessSpec(command, str(CHILDREN), environment())


class Received:
    """What came out of a transport."""

    def __init__(self, transport: Transport) -> None:
        self.data = b""
        self.chunks: list[bytes] = []
        self.reasons: list[str] = []
        self._news = asyncio.Event()
        transport.start(self._take, self._end)
        assert not self.data, "delivered from within start"
        assert not self.reasons, "closed from within start"

    async def until(self, condition: Callable[[], bool], seconds: float = 10) -> None:
        """Wait, bounded, until the condition holds; asked again whenever something came."""
        async with asyncio.timeout(seconds):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def line(self) -> str:
        """The first line that came."""
        await self.until(lambda: b"\n" in self.data)
        return self.data.decode().splitlines()[0]

    async def closed(self) -> str:
        """The reason, once it is closed."""
        await self.until(lambda: bool(self.reasons))
        return self.reasons[0]

    def _take(self, data: bytes) -> None:
        assert not self.reasons, "bytes after the end"
        self.data += data
        self.chunks.append(data)
        self._news.set()

    def _end(self, reason: str) -> None:
        self.reasons.append(reason)
        self._news.set()


def lives(pid: int) -> bool:
    """Whether the process runs. One that ended and waits to be reaped by somebody else does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def eventually(condition: Callable[[], bool], seconds: float = 5) -> bool:
    """Whether the condition comes true in time."""
    for _ in _attempts(seconds):
        if condition():
            return True
        await asyncio.sleep(0.005)
    return condition()


def eventually_blocking(condition: Callable[[], bool], seconds: float = 5) -> bool:
    """The same without an event loop."""
    for _ in _attempts(seconds):
        if condition():
            return True
        time.sleep(0.005)
    return condition()


def _attempts(seconds: float) -> Iterator[None]:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        yield

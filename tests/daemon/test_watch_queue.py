"""What a watcher has not read yet: bounded, and made up for."""

import asyncio

import pytest

from groundwire.daemon.watch_messages import Lagging, read_news
from groundwire.daemon.watch_queue import WatchQueue

pytestmark = pytest.mark.anyio


async def test_lines_come_out_as_they_went_in() -> None:
    queue = WatchQueue()
    queue.put(b"a\n")
    queue.put(b"b\n")
    assert (await queue.take(), queue.dropped) == (b"a\nb\n", 0)


async def test_one_who_waits_is_woken() -> None:
    queue = WatchQueue()
    waiting = asyncio.ensure_future(queue.take())
    await asyncio.sleep(0)
    queue.put(b"a\n")
    async with asyncio.timeout(5):
        assert await waiting == b"a\n"


async def test_too_many_lines_are_dropped_and_counted() -> None:
    queue = WatchQueue(most_lines=2)
    for line in (b"a\n", b"b\n", b"c\n", b"d\n"):
        queue.put(line)
    assert (await queue.take(), queue.dropped) == (b"", 4)
    assert read_news(queue.begin_anew()) == Lagging(dropped=4)
    queue.put(b"e\n")
    assert (await queue.take(), queue.dropped) == (b"e\n", 0)


async def test_too_many_bytes_are_dropped() -> None:
    queue = WatchQueue(most_bytes=3)
    queue.put(b"ab\n")
    queue.put(b"c\n")
    assert queue.dropped == 2

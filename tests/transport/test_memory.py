"""The pair of transports in memory behaves as a real stream does."""

import asyncio

import pytest

from groundwire.transport.memory import memory_pair
from tests.transport.children_at_hand import Received

pytestmark = pytest.mark.anyio


async def test_what_one_end_sends_the_other_receives_in_order():
    left, right = memory_pair()
    at_left, at_right = Received(left), Received(right)
    for number in range(100):
        left.send(b"%d " % number)
        right.send(b"%d;" % number)
    await at_left.until(lambda: at_left.data.endswith(b"99;"))
    assert at_right.data == b"".join(b"%d " % number for number in range(100))
    assert at_left.data == b"".join(b"%d;" % number for number in range(100))


async def test_nothing_is_delivered_from_within_send():
    left, right = memory_pair()
    at_right = Received(right)
    left.send(b"later")
    assert at_right.data == b""
    assert left.unsent == 5
    await left.drained()
    assert at_right.data == b"later"
    assert left.unsent == 0


async def test_a_chunk_size_cuts_what_is_delivered():
    left, right = memory_pair(chunk_size=3)
    at_right = Received(right)
    left.send(b"abcdefgh")
    await left.drained()
    assert at_right.chunks == [b"abc", b"def", b"gh"]


async def test_what_was_sent_before_the_peer_started_is_not_lost():
    left, right = memory_pair()
    left.send(b"early")
    await asyncio.sleep(0)
    at_right = Received(right)
    await at_right.until(lambda: bool(at_right.data))
    assert at_right.data == b"early"


async def test_a_stalled_peer_lets_unsent_grow_and_gets_everything_when_it_reads_again():
    left, right = memory_pair()
    at_right = Received(right)
    right.stall()
    left.send(b"x" * 1000)
    left.send(b"y" * 1000)
    drained = asyncio.ensure_future(left.drained())
    await asyncio.sleep(0)
    assert left.unsent == 2000
    assert not drained.done()
    right.unstall()
    await drained
    assert at_right.data == b"x" * 1000 + b"y" * 1000


async def test_a_peer_that_stalls_while_it_receives_gets_no_further_chunk():
    left, right = memory_pair(chunk_size=1)
    seen: list[bytes] = []

    def take_one(data: bytes) -> None:
        seen.append(data)
        right.stall()

    right.start(take_one, lambda _: None)
    left.send(b"abc")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert seen == [b"a"]
    assert left.unsent == 2


async def test_closing_one_end_closes_both_once_after_the_last_bytes():
    left, right = memory_pair()
    at_left, at_right = Received(left), Received(right)
    left.send(b"last")
    await asyncio.gather(left.close(), left.close(), right.close())
    await left.close()
    assert at_right.data == b"last"
    assert at_left.reasons == ["closed by this side"]
    assert at_right.reasons == ["closed by the peer"]


async def test_closing_ends_the_wait_of_a_sender_whose_peer_is_stalled():
    left, right = memory_pair()
    Received(left)
    Received(right)
    right.stall()
    left.send(b"never read")
    drained = asyncio.ensure_future(left.drained())
    await left.close()
    await drained
    assert left.unsent == 0


async def test_after_the_end_send_does_nothing():
    left, right = memory_pair()
    Received(left)
    at_right = Received(right)
    await right.close()
    left.send(b"too late")
    assert left.unsent == 0
    await asyncio.sleep(0)
    assert at_right.data == b""


async def test_a_stream_that_broke_off_tells_both_ends_why():
    left, right = memory_pair()
    at_left, at_right = Received(left), Received(right)
    left.send(b"lost")
    left.break_off("the server exited with code 1")
    await left.close()
    assert at_right.data == b""
    assert at_left.reasons == at_right.reasons == ["the server exited with code 1"]


async def test_an_end_that_starts_after_the_close_still_learns_of_it():
    left, right = memory_pair()
    Received(left)
    await left.close()
    assert await Received(right).closed() == "closed by the peer"

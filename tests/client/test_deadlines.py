"""One timer for all that wait: who waited long enough gives up, and nobody else."""

import asyncio
from collections.abc import Callable

import pytest

from groundwire.client.deadlines import Deadlines

pytestmark = pytest.mark.anyio
LONG = 60.0


class Waiting:
    """Deadlines, and what has expired so far."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self.expired: list[tuple[int, float]] = []
        self.deadlines = Deadlines(lambda each: self.expired.append((each, self._loop.time() - self._began)))

    def wait_for(self, request_id: int, seconds: float) -> None:
        self.deadlines.set(request_id, self._began + seconds)


async def test_whoever_waited_long_enough_gives_up_then_and_others_go_on_waiting():
    waiting = Waiting()
    waiting.wait_for(1, LONG)
    waiting.wait_for(2, 3.0)
    waiting.wait_for(3, 2.0)
    waiting.wait_for(4, 3.0)
    await asyncio.sleep(LONG / 2)
    assert waiting.expired == [(3, pytest.approx(2.0)), (2, pytest.approx(3.0)), (4, pytest.approx(3.0))]
    await asyncio.sleep(LONG)
    assert waiting.expired[3:] == [(1, pytest.approx(LONG))]


async def test_an_answer_in_time_takes_back_the_wait_and_whoever_is_left_still_gives_up():
    waiting = Waiting()
    waiting.wait_for(1, 1.0)
    waiting.wait_for(2, 2.0)
    waiting.deadlines.take_back(1)
    waiting.deadlines.take_back(1)
    await asyncio.sleep(LONG)
    assert waiting.expired == [(2, pytest.approx(2.0))]


async def test_nothing_expires_once_it_is_stopped_and_it_can_be_stopped_twice():
    waiting = Waiting()
    waiting.wait_for(1, 1.0)
    waiting.deadlines.stop()
    waiting.deadlines.stop()
    waiting.wait_for(2, 1.0)
    await asyncio.sleep(LONG)
    assert waiting.expired == []


async def test_those_that_ask_one_after_the_other_set_one_timer(monkeypatch: pytest.MonkeyPatch):
    loop, set_for = asyncio.get_running_loop(), list[float]()
    own = loop.call_at

    def call_at(when: float, ring: Callable[[], None]) -> asyncio.TimerHandle:
        set_for.append(when)
        return own(when, ring)

    monkeypatch.setattr(loop, "call_at", call_at)
    waiting = Waiting()
    for request_id in range(1000):
        waiting.wait_for(request_id, LONG + request_id)
        waiting.deadlines.take_back(request_id)
    assert len(set_for) == 1
    waiting.deadlines.stop()

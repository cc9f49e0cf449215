"""How often it is asked anew: a few times at once, then after rests, and never for longer than it may take."""

import asyncio

import pytest

from groundwire.operations.rounds import AT_ONCE, RESTS_S, Rounds

pytestmark = pytest.mark.anyio


async def rounds_made(seconds: float) -> int:
    rounds, made = Rounds(asyncio.get_running_loop().time() + seconds), 1
    while await rounds.another():
        made += 1
    return made


async def test_who_has_much_time_asks_as_often_as_there_are_rests(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("groundwire.operations.rounds.RESTS_S", (0.001, 0.001))
    assert await rounds_made(60) == AT_ONCE + 2


async def test_who_has_no_time_left_asks_a_few_times_all_the_same_but_rests_never():
    assert await rounds_made(0) == AT_ONCE
    assert await rounds_made(-5) == AT_ONCE


async def test_rests_are_taken_within_a_share_of_the_time():
    enough_for_one = RESTS_S[0] * 4 * 1.5
    assert await rounds_made(enough_for_one) <= AT_ONCE + 1

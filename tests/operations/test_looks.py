"""Questions of one moment look at the disk together, and no question goes by a look from before it was woken."""

import asyncio
from typing import cast

import pytest

from groundwire.operations.looks import Looks
from groundwire.pool.pool import Pool

pytestmark = pytest.mark.anyio


class Disk:
    """Counts the looks at it."""

    def __init__(self) -> None:
        self.looks = 0

    def refresh(self) -> None:
        self.looks += 1


async def test_what_is_asked_in_one_turn_looks_once():
    disk = Disk()
    looks = Looks(cast("Pool", disk))

    async def ask() -> None:
        looks.look()

    await asyncio.gather(*(ask() for _ in range(8)))
    assert disk.looks == 1


async def test_who_is_woken_later_looks_again():
    disk = Disk()
    looks = Looks(cast("Pool", disk))
    looks.look()
    looks.look()
    await asyncio.sleep(0)
    looks.look()
    assert disk.looks == 2


async def test_an_answer_that_came_after_a_look_is_followed_by_another():
    disk = Disk()
    looks, answer = Looks(cast("Pool", disk)), asyncio.get_running_loop().create_future()

    async def wait_for_the_answer() -> None:
        await answer
        looks.look()

    waiting = asyncio.ensure_future(wait_for_the_answer())
    await asyncio.sleep(0)
    looks.look()
    answer.set_result(None)  # in the same turn, but after the look
    await waiting
    assert disk.looks == 2

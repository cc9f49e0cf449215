"""Turns at a server: never more than the limits, nobody starves, and who goes away leaves no hole."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.operations.turns import Turns

AT_A_TIME = 4
OF_ONE_CLIENT = 3

_STEPS = st.lists(
    st.tuples(st.sampled_from(["come", "go", "cancel", "settle"]), st.sampled_from("abcd"), st.integers(0, 30)),
    max_size=60,
)


@dataclass
class Place:
    """Somebody at the server, or on the way there."""

    client: str
    task: "asyncio.Task[None] | None" = None
    is_in: bool = False
    may_go: asyncio.Event = field(default_factory=asyncio.Event)


class World:
    """Clients that come to one server, stay as long as they like, and go or give up."""

    def __init__(self) -> None:
        self.turns = Turns(AT_A_TIME, OF_ONE_CLIENT)
        self.places: list[Place] = []
        self.entered: list[str] = []

    def come(self, client: str, _: int = 0) -> Place:
        place = Place(client)
        place.task = asyncio.create_task(self._stay(place))
        self.places.append(place)
        return place

    def go(self, client: str, which: int) -> None:
        inside = [each for each in self.places if each.is_in and each.client == client]
        if inside:
            inside[which % len(inside)].may_go.set()

    def cancel(self, client: str, which: int) -> None:
        there = [each for each in self.places if each.client == client and not self.is_done(each)]
        if there:
            task = there[which % len(there)].task
            assert task is not None
            task.cancel()

    async def settle(self) -> None:
        """Until everybody is where it can be."""
        for _ in range(12):
            await asyncio.sleep(0)

    def is_done(self, place: Place) -> bool:
        return place.task is not None and place.task.done()

    def inside(self) -> Counter[str]:
        return Counter(place.client for place in self.places if place.is_in)

    def outside(self) -> list[Place]:
        return [place for place in self.places if not place.is_in and not self.is_done(place)]

    async def _stay(self, place: Place) -> None:
        async with self.turns.take("server", place.client):
            place.is_in = True
            self.entered.append(place.client)
            self.check_limits()
            try:
                await place.may_go.wait()
            finally:
                place.is_in = False

    def check_limits(self) -> None:
        inside = self.inside()
        assert inside.total() <= AT_A_TIME
        assert all(number <= OF_ONE_CLIENT for number in inside.values())

    def check_that_nobody_waits_for_nothing(self) -> None:
        inside = self.inside()
        for place in self.outside():
            is_full = inside.total() == AT_A_TIME or inside[place.client] == OF_ONE_CLIENT
            assert is_full, f"{place.client} waits although there is room: {inside}"

    async def end(self) -> None:
        for place in self.places:
            place.may_go.set()
        done = await asyncio.gather(*(place.task for place in self.places if place.task), return_exceptions=True)
        assert all(each is None or isinstance(each, asyncio.CancelledError) for each in done), done


def _run(work: Callable[[World], Coroutine[Any, Any, None]]) -> None:
    async def all_of_it() -> None:
        world = World()
        async with asyncio.timeout(10):
            await work(world)
            await world.end()

    asyncio.run(all_of_it())


@given(_STEPS)
def test_whatever_comes_goes_and_gives_up_the_limits_hold_and_no_place_is_lost(
    steps: list[tuple[str, str, int]],
) -> None:
    async def all_steps(world: World) -> None:
        does: dict[str, Callable[[str, int], object]] = {"come": world.come, "go": world.go, "cancel": world.cancel}
        for name, client, which in steps:
            if name == "settle":
                await world.settle()
                world.check_that_nobody_waits_for_nothing()
            else:
                does[name](client, which)
            world.check_limits()
        await world.settle()
        world.check_that_nobody_waits_for_nothing()

    _run(all_steps)


@given(st.integers(5, 40), st.integers(2, 6))
def test_a_client_waits_for_no_more_than_one_turn_of_each_other_client(greedy: int, others: int) -> None:
    async def crowd(world: World) -> None:
        for client in range(others):
            for _ in range(greedy):
                world.come(f"greedy {client}")
        await world.settle()
        world.come("modest")
        await world.settle()
        before = len(world.entered)
        while "modest" not in world.entered:
            next(place for place in world.places if place.is_in).may_go.set()
            await world.settle()
        assert len(world.entered) - before <= others + 1

    _run(crowd)


def test_one_client_alone_leaves_places_for_others() -> None:
    async def alone(world: World) -> None:
        for _ in range(10):
            world.come("a")
        await world.settle()
        assert world.inside() == {"a": OF_ONE_CLIENT}
        world.come("b")
        await world.settle()
        assert world.inside() == {"a": OF_ONE_CLIENT, "b": 1}

    _run(alone)


@pytest.mark.parametrize("ends", ["leaves first", "cancels first"])
def test_who_is_cancelled_at_the_moment_of_its_turn_leaves_the_place_to_the_next(ends: str) -> None:
    async def moment(world: World) -> None:
        held = [world.come("a") for _ in range(OF_ONE_CLIENT)]
        held.append(world.come("b"))
        await world.settle()
        second, third = world.come("c"), world.come("d")
        await world.settle()
        leave, cancel = held[0].may_go.set, lambda: world.cancel("c", 0)
        for act in (leave, cancel) if ends == "leaves first" else (cancel, leave):
            act()
        await world.settle()
        assert world.is_done(second)
        assert third.is_in

    _run(moment)


def test_a_server_that_nobody_asks_any_more_is_forgotten() -> None:
    async def all_gone(world: World) -> None:
        for client in "abcabcabc":
            world.come(client)
        await world.settle()
        for client in "abc":
            world.cancel(client, 2)
        await world.settle()
        await world.end()
        assert not vars(world.turns)["_servers"]

    _run(all_gone)


def test_servers_do_not_wait_for_each_other() -> None:
    async def two(world: World) -> None:
        for _ in range(10):
            world.come("a")
        await world.settle()

        async def elsewhere() -> str:
            async with world.turns.take("another", "a"):
                return "served"

        asked: Awaitable[str] = elsewhere()
        assert await asyncio.wait_for(asked, 1) == "served"

    _run(two)


def test_while_little_is_going_on_nobody_takes_a_turn():
    turns = Turns(at_a_time=3, of_one_client=2)
    with turns.take_unasked() as first, turns.take_unasked() as second, turns.take_unasked() as third:
        assert (first, second, third) == (True, True, False)
    with turns.take_unasked() as again:
        assert again


@pytest.mark.anyio
async def test_where_turns_are_taken_everybody_takes_one():
    turns = Turns()
    async with turns.take("server", "client"):
        with turns.take_unasked() as is_free:
            assert not is_free
    with turns.take_unasked() as is_free:
        assert is_free

"""A server that is silent while it is asked: busy is waited for, stuck is given up."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest

from groundwire.client.connection import Connection
from groundwire.client.watchdog import CANARY, Patience, Watchdog
from groundwire.errors import RequestTimeout, SessionDead
from tests.client.conversation import conversation, never
from tests.fakes.server import FakeServer

pytestmark = pytest.mark.anyio

PATIENCE = Patience(silence_s=8.0, canary_s=5.0, longest_s=180.0)


def idle() -> float:
    """Processor time of a server that uses none."""
    return 3.0


def unknown() -> None:
    """Of one that runs elsewhere."""


def computing() -> float:
    """Processor time of a server that uses half a core."""
    return now() / 2


def now() -> float:
    return asyncio.get_running_loop().time()


class Watched:
    """A connection with a watchdog on it."""

    def __init__(self, connection: Connection, server: FakeServer, cpu_s: Callable[[], float | None]) -> None:
        self.server = server
        self.began = now()
        self.given_up: list[tuple[float, str]] = []
        self._connection = connection
        self.dog = Watchdog(connection, PATIENCE, cpu_s, self._give_up)

    async def ask(self, method: str = "slow", seconds: float = 1000.0) -> None:
        """Ask, watched, for that long."""
        self.dog.asked()
        await self._connection.request(method, timeout=seconds)

    def _give_up(self, reason: str) -> None:
        self.given_up.append((now() - self.began, reason))
        self._connection.give_up(reason)


@asynccontextmanager
async def watched(cpu_s: Callable[[], float | None]) -> AsyncGenerator[Watched]:
    async with conversation({"slow": never, "quick": 1}) as (connection, server, _):
        held = Watched(connection, server, cpu_s)
        yield held
        held.dog.stop()


async def test_a_server_that_answers_in_time_is_never_probed():
    async with watched(idle) as held:
        await held.ask("quick")
        await asyncio.sleep(1000)
        assert held.server.methods == ["quick"]
        assert held.given_up == []


async def test_a_server_that_works_on_a_question_and_answers_the_canary_is_waited_for_without_end():
    async with watched(idle) as held:
        with pytest.raises(RequestTimeout):
            await held.ask(seconds=600)
        assert held.given_up == []
        canaries = held.server.methods.count(CANARY)
        assert 600 / 10 <= canaries <= 600 / 8


async def test_a_server_that_uses_no_processor_time_and_does_not_answer_is_stuck():
    async with watched(idle) as held:
        held.server.stall()
        with pytest.raises(SessionDead, match="said nothing for 13 s and does not answer"):
            await held.ask()
        assert [at for at, _ in held.given_up] == [13.0]


async def test_a_server_that_computes_and_does_not_answer_is_busy_for_as_long_as_patience_lasts():
    async with watched(computing) as held:
        held.server.stall()
        with pytest.raises(SessionDead, match="does not answer"):
            await held.ask()
        ((at, _),) = held.given_up
        assert PATIENCE.silence_s + PATIENCE.longest_s < at <= PATIENCE.silence_s + PATIENCE.longest_s + 2 * 5


async def test_a_server_whose_processor_time_nobody_knows_has_the_same_patience():
    async with watched(unknown) as held:
        held.server.stall()
        with pytest.raises(SessionDead):
            await held.ask()
        assert held.given_up[0][0] > PATIENCE.longest_s


async def test_any_word_of_the_server_shows_that_it_lives():
    async with watched(idle) as held:
        question = asyncio.ensure_future(held.ask(seconds=100))
        for _ in range(12):
            await asyncio.sleep(7.9)
            held.server.tell("window/logMessage", {"type": 3, "message": "still at it"})
        assert CANARY not in held.server.methods
        with pytest.raises(RequestTimeout):
            await question
        assert held.given_up == []


async def test_one_that_comes_to_itself_while_it_is_probed_is_spared_and_watched_again():
    async with watched(computing) as held:
        held.server.stall()
        question = asyncio.ensure_future(held.ask(seconds=300))
        await asyncio.sleep(30)
        held.server.tell("window/logMessage", {"type": 3, "message": "where was I"})
        await asyncio.sleep(PATIENCE.longest_s - 20)
        assert held.given_up == []
        with pytest.raises(SessionDead):
            await question
        assert held.given_up[0][0] > 30 + PATIENCE.longest_s


async def test_nobody_is_probed_once_the_watch_is_over():
    async with watched(idle) as held:
        held.server.stall()
        question = asyncio.ensure_future(held.ask(seconds=100))
        await asyncio.sleep(10)
        held.dog.stop()
        with pytest.raises(RequestTimeout):
            await question
        assert held.given_up == []

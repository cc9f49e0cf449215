"""A conversation that is loaded when it is first begun."""

import asyncio
from typing import cast

import pytest

from groundwire.background.loading import Late
from groundwire.daemon.greeting import Greeting
from groundwire.daemon.server import Conversation

pytestmark = pytest.mark.anyio

GREETING = Greeting("call", "/root")
READER, WRITER = cast("asyncio.StreamReader", None), cast("asyncio.StreamWriter", None)


class Loaded:
    """Counts how often it was loaded, and how many it talked with."""

    def __init__(self) -> None:
        self.times = 0
        self.talks = 0

    def load(self) -> Conversation:
        self.times += 1
        return self._converse

    async def _converse(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.talks += 1


async def test_nothing_is_loaded_before_somebody_comes() -> None:
    loaded = Loaded()
    Late(loaded.load)
    assert loaded.times == 0


async def test_of_many_who_come_at_once_all_have_the_same_one() -> None:
    loaded = Loaded()
    late = Late(loaded.load)
    await asyncio.gather(*(late.converse(GREETING, READER, WRITER) for _ in range(5)))
    await late.converse(GREETING, READER, WRITER)
    assert (loaded.times, loaded.talks) == (1, 6)


async def test_what_could_not_be_loaded_is_tried_again_by_the_next() -> None:
    loaded = Loaded()
    tries = [loaded.load, _fail]
    late = Late(lambda: tries.pop()())  # noqa: PLW0108  each time the next one
    with pytest.raises(ImportError):
        await late.converse(GREETING, READER, WRITER)
    await late.converse(GREETING, READER, WRITER)
    assert loaded.talks == 1


def _fail() -> Conversation:
    raise ImportError("not today")

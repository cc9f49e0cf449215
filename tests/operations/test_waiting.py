"""Whoever waits is told what for: within the first second, about once a second, and never where it is quick."""

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.operations.operation import Call, no_progress
from groundwire.operations.waiting import JoinedWait, ServerWait, Waiting, spoken
from groundwire.pool.pool import Pool
from tests.fakes.virtual_time import VIRTUAL_TIME

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Callable[[], AbstractEventLoop]]]:
    """A clock that jumps."""
    return VIRTUAL_TIME


class Ear:
    """Hears words, and when."""

    def __init__(self) -> None:
        self._began = asyncio.get_running_loop().time()
        self.heard: list[tuple[float, str]] = []

    def __call__(self, words: str) -> None:
        self.heard.append((round(asyncio.get_running_loop().time() - self._began, 1), words))


def call_of(root: Path, progress: Callable[[str], None]) -> Call:
    return Call(Pool(root), 1e9, progress)


async def test_the_first_words_come_within_a_second_and_then_once_a_second(tmp_path: Path):
    ear, words = Ear(), iter(["starting", "loading 10 %", "loading 90 %"])
    with Waiting(call_of(tmp_path, ear), lambda: next(words)):
        await asyncio.sleep(3)
    await asyncio.sleep(10)
    assert ear.heard == [(0.8, "starting"), (1.8, "loading 10 %"), (2.8, "loading 90 %")]


async def test_what_is_quick_is_not_told_of_even_when_it_fails(tmp_path: Path):
    ear = Ear()

    async def fail() -> None:
        with Waiting(call_of(tmp_path, ear), lambda: "never"):
            await asyncio.sleep(0.5)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    await asyncio.sleep(10)
    assert ear.heard == []


async def test_where_nobody_listens_nothing_is_put_into_words(tmp_path: Path):
    asked: list[str] = []

    def words() -> str:
        asked.append("asked")
        return ""

    with Waiting(call_of(tmp_path, no_progress), words):
        await asyncio.sleep(5)
    assert asked == []


async def test_several_waits_at_once_are_told_as_one(tmp_path: Path):
    ear, joined = Ear(), JoinedWait("asking one, two for symbols")
    call = call_of(tmp_path, ear)
    with joined.told_to(call):
        with (
            Waiting(call_of(tmp_path, joined.hear("one")), lambda: "one is starting"),
            Waiting(call_of(tmp_path, joined.hear("two")), lambda: "two is starting"),
        ):
            await asyncio.sleep(1)
        joined.forget("two")
        await asyncio.sleep(1)
        joined.forget("one")
        await asyncio.sleep(1)
    assert ear.heard == [
        (0.9, "one is starting; two is starting"),
        (1.9, "one is starting"),
        (2.9, "asking one, two for symbols"),
    ]


def test_a_method_is_spoken_of_in_words():
    assert spoken("textDocument/references") == "references"
    assert spoken("textDocument/prepareCallHierarchy") == "prepare call hierarchy"


def test_a_server_that_nobody_has_started_yet_is_starting():
    assert ServerWait("gopls").words() == "gopls is starting"

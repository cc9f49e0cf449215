"""How long changes wait that nobody asks about, on virtual time."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from groundwire.pool.watching import BATCH_S, SOON_S, Watching
from tests.fakes.virtual_time import VIRTUAL_TIME

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is nothing to wait on"),
]


@pytest.fixture
def anyio_backend() -> Any:
    return VIRTUAL_TIME


async def waited(tmp_path: Path, *, is_expected: bool, is_asked: bool = False) -> float:
    """Seconds from a change until it is passed on."""
    file = tmp_path / "a.py"
    file.write_text("text")
    loop, is_told = asyncio.get_running_loop(), asyncio.Event()
    watching = Watching(tmp_path, is_told.set)
    watching.begin()
    try:
        if is_expected:
            watching.edits_expected_until = loop.time() + 60
        file.write_text("longer than before")
        began = loop.time()
        if is_asked:
            await asyncio.sleep(0)  # the kernel's news is read by the loop
            await asyncio.sleep(0)
            watching.has_news_beside({str(file)})
        await is_told.wait()
        return loop.time() - began
    finally:
        watching.end()


async def test_changes_that_nobody_asks_about_wait_for_others(tmp_path: Path):
    assert await waited(tmp_path, is_expected=False) == pytest.approx(BATCH_S)


async def test_changes_are_passed_on_at_once_while_edits_are_expected(tmp_path: Path):
    assert await waited(tmp_path, is_expected=True) == pytest.approx(SOON_S)


async def test_a_question_that_was_faster_does_not_have_to_wait_for_what_can_be_told_after_it(tmp_path: Path):
    assert await waited(tmp_path, is_expected=True, is_asked=True) == pytest.approx(BATCH_S)


async def test_edits_are_expected_no_longer_than_was_said(tmp_path: Path):
    (tmp_path / "a.py").write_text("text")
    loop, is_told = asyncio.get_running_loop(), asyncio.Event()
    watching = Watching(tmp_path, is_told.set)
    watching.begin()
    try:
        watching.edits_expected_until = loop.time() + 60
        await asyncio.sleep(61)
        (tmp_path / "a.py").write_text("longer than before")
        began = loop.time()
        await is_told.wait()
        assert loop.time() - began == pytest.approx(BATCH_S)
    finally:
        watching.end()

"""Progress: only for those who watch, only when it takes long, and gone afterwards."""

import asyncio
import io

import pytest

from groundwire.operations.operation import no_progress
from groundwire.surfaces.cli.progress import progress


class Terminal(io.StringIO):
    def __init__(self) -> None:
        super().__init__()
        self.has_told = asyncio.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if "checking" in text:
            self.has_told.set()
        return super().write(text)


@pytest.mark.anyio
async def test_nothing_is_written_where_nobody_watches() -> None:
    stream = io.StringIO()
    async with progress("checking", stream):
        await asyncio.sleep(0)
    assert stream.getvalue() == ""


@pytest.mark.anyio
async def test_what_is_quick_shows_nothing_on_a_terminal() -> None:
    stream = Terminal()
    async with progress("checking", stream):
        await asyncio.sleep(0)
    assert "checking" not in stream.getvalue()


@pytest.mark.anyio
async def test_what_is_slow_is_told_and_wiped_away() -> None:
    stream = Terminal()
    async with progress("checking 2 files", stream), asyncio.timeout(10):
        await stream.has_told.wait()
    assert "checking 2 files … 1 s" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")


@pytest.mark.anyio
async def test_what_the_work_tells_takes_the_place_of_what_was_to_be_done() -> None:
    stream = Terminal()
    async with progress("asking for refs", stream) as tell, asyncio.timeout(10):
        tell("gopls is starting")
        tell("checking \x1b[2Jthe workspace")
        await stream.has_told.wait()
    assert "checking �[2Jthe workspace … 1 s" in stream.getvalue()
    assert "asking for refs" not in stream.getvalue()


@pytest.mark.anyio
async def test_a_line_is_never_longer_than_the_terminal_is_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    stream = Terminal()
    async with progress("checking " + "x" * 200, stream), asyncio.timeout(10):
        await stream.has_told.wait()
    assert max(len(line) for line in stream.getvalue().split("\r\x1b[K")) < 40


@pytest.mark.anyio
async def test_where_nobody_watches_nobody_listens() -> None:
    async with progress("checking", io.StringIO()) as tell:
        assert tell is no_progress

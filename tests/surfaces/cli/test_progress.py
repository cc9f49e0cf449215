"""Progress: only for those who watch, only when it takes long, and gone afterwards."""

import asyncio
import io

import pytest

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

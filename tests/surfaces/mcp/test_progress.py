"""What an operation tells of its waiting reaches the client that waits."""

import asyncio
from pathlib import Path

import pytest

from tests.surfaces.mcp.conversations import client_of, quick_and_slow

pytestmark = pytest.mark.anyio


async def test_the_words_of_the_operation_are_those_that_the_client_hears(tmp_path: Path):
    heard: list[str | None] = []
    told = asyncio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)
        if message == "asking never_answers for references":
            told.set()

    unanswered = {"file_path": "slow.slow", "line": 1, "column": 1}
    async with quick_and_slow(tmp_path) as (pool, _), client_of(pool) as client:
        call = asyncio.create_task(client.call_tool("find_references", unanswered, progress_callback=hear))
        await asyncio.wait_for(told.wait(), 20)
        call.cancel()
        await asyncio.wait([call])
    assert set(heard) <= {"never_answers is starting", "asking never_answers for references"}

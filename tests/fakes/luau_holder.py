"""Checks a file of a Roblox-like project, prints the ids of all processes that came of it, and waits to be killed.

Run as ``python -m tests.fakes.luau_holder DIRECTORY``. Above: ``tests.pool.test_luau``.
"""

import asyncio
import json
import sys
from pathlib import Path

import psutil

from groundwire.operations.diagnostics.diagnose import check_files
from tests.fakes.luau import LuauProject


async def hold(directory: Path) -> None:
    """Never returns."""
    async with LuauProject(directory).pool() as pool:
        answer = await check_files(pool, [Path("main.luau")])
        family = psutil.Process().children(recursive=True)
        print(json.dumps({"status": answer.status, "pids": [child.pid for child in family]}), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(hold(Path(sys.argv[1])))

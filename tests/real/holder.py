"""Starts a real server in a pool, prints the ids of all processes that came of it, and waits to be killed.

Run as ``python -m tests.real.holder SERVER ROOT FILE``. Above: ``test_kill``.
"""

import asyncio
import json
import sys
from pathlib import Path

import psutil

from groundwire.operations.diagnostics.diagnose import check_files
from tests.real.lightened import light_pool


async def hold(server: str, root: Path, file: str) -> None:
    """Never returns."""
    async with light_pool(root, server) as pool:
        answer = await check_files(pool, [Path(file)], wait_s=90)
        family = psutil.Process().children(recursive=True)
        print(json.dumps({"status": answer.status, "pids": [child.pid for child in family]}), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(hold(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))

"""Tells a client that waits what it waits for, once that takes longer than a second.

Above: ``calls``. Below: ``pool`` (whose servers may be starting or loading).
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from groundwire.operations.operation import no_progress
from groundwire.pool.pool import Pool
from groundwire.pool.status import ServerStatus
from groundwire.protocol.names import shown

_FIRST_AFTER = 1.0
_EVERY = 1.0

Report = Callable[[float, str], Awaitable[None]]
"""Sends seconds passed and what is waited for."""


@asynccontextmanager
async def telling(pool: Pool, doing: str, report: Report | None) -> AsyncGenerator[Callable[[str], None]]:
    """What the work itself tells goes to the callable that is given; without ``report`` nobody listens."""
    if report is None:
        yield no_progress
        return
    waiting = _Waiting(pool, doing)
    task = asyncio.create_task(waiting.tell(report))
    try:
        yield waiting.hear
    finally:
        task.cancel()
        await asyncio.wait([task])  # no word comes after the answer


class _Waiting:
    def __init__(self, pool: Pool, doing: str) -> None:
        self._pool = pool
        self._doing = doing
        self._heard = ""

    def hear(self, message: str) -> None:
        self._heard = shown(message)

    async def tell(self, report: Report) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.sleep(_FIRST_AFTER)
        while True:
            await report(round(loop.time() - began, 1), self._heard or self._of_servers() or self._doing)
            await asyncio.sleep(_EVERY)

    def _of_servers(self) -> str:
        return "; ".join(word for status in self._pool.status() if (word := _of(status)))


def _of(status: ServerStatus) -> str:
    if status.state == "starting":
        return f"{status.server} is starting"
    is_loading = status.state == "active" and status.indexing not in ("", "ready")
    return f"{status.server}: {status.indexing}" if is_loading else ""

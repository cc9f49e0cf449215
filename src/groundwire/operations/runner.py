"""Performing an operation: the one way in for every surface, in this process or in another.

Above: ``surfaces``. Below: ``operation``, ``table``.
"""

import asyncio
from collections.abc import Callable

import msgspec

from groundwire.operations.answer import Answer
from groundwire.operations.operation import A, Call, Operation, R, no_progress
from groundwire.pool.pool import Pool

WAIT_S = 30.0
"""How long an answer may take when nobody says otherwise."""


async def perform(
    pool: Pool,
    operation: Operation[A, R],
    arguments: A,
    *,
    wait_s: float = WAIT_S,
    progress: Callable[[str], None] = no_progress,
) -> Answer[R]:
    """Run it over a pool. Raises a GroundwireError when there is no answer at all."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    call = Call(pool, began + wait_s, progress, operation.name, arguments, began)
    answer = await operation.run(call, arguments)
    pool.tidy()
    note = answer.note or pool.watcher_note
    return msgspec.structs.replace(answer, elapsed_ms=(loop.time() - began) * 1000, note=note)

"""Performing an operation: the one way in for every surface.

Above: ``surfaces``, ``daemon``. Below: ``operation``, ``turns``.
"""

import asyncio
from collections.abc import Callable, Hashable
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path

import msgspec

from groundwire.errors import GroundwireError
from groundwire.operations.answer import Answer
from groundwire.operations.operation import A, Arguments, Call, Operation, R, no_progress
from groundwire.operations.turns import Turns
from groundwire.pool.kept import Kept
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
    client: Kept | None = None,
) -> Answer[R]:
    """Run it over a pool, for one of its clients. Raises a GroundwireError when there is no answer at all."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    call = Call(pool, began + wait_s, progress, operation.name, arguments, began, client)
    async with _turn(call, arguments):
        answer = await operation.run(call, arguments)
    pool.tidy()
    note = answer.note or pool.watcher_note
    return msgspec.structs.replace(answer, elapsed_ms=(loop.time() - began) * 1000, note=note)


def _turn(call: Call, arguments: Arguments) -> AbstractAsyncContextManager[None]:
    """Where there are several clients, each waits for its turn at the server that it is about to ask."""
    if call.client is None:
        return nullcontext()
    return call.pool.kept.get(Turns).take(_server_of(call, arguments), id(call.client))


def _server_of(call: Call, arguments: Arguments) -> Hashable:
    """The server that is meant first; what is about no file in particular waits in a queue of its own."""
    named = getattr(arguments, "file_path", "")
    if not isinstance(named, str) or not named:
        return ""
    try:
        primary = call.pool.route(call.pool.workspace / Path(named)).primary
    except (GroundwireError, OSError, ValueError):  # the operation itself will say what is wrong with it
        return ""
    return (primary.spec.id, primary.root) if primary is not None else ""

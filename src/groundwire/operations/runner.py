"""Performing an operation: the one way in for every surface.

Above: ``surfaces``, ``daemon``. Below: ``operation``, ``turns``, ``silence``.
"""

import asyncio
from collections.abc import Callable, Hashable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Protocol

import msgspec

from groundwire.errors import GroundwireError, RequestTimeout
from groundwire.operations.answer import Answer
from groundwire.operations.operation import A, Arguments, Call, Operation, R, no_progress
from groundwire.operations.silence import Silence
from groundwire.operations.turns import Turns
from groundwire.pool.kept import Kept
from groundwire.pool.pool import Pool

WAIT_S = 30.0
"""How long an answer may take when nobody says otherwise."""


class Runner(Protocol):
    """Who performs operations: this process, or the daemon of the workspace."""

    @property
    def workspace(self) -> Path:
        """Where."""
        ...

    async def run(
        self,
        operation: Operation[A, R],
        arguments: A,
        *,
        wait_s: float = WAIT_S,
        progress: Callable[[str], None] = no_progress,
    ) -> Answer[R]:
        """The answer. Raises a GroundwireError when there is none at all."""
        ...


class LocalRunner:
    """Over a pool of this process."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @property
    def workspace(self) -> Path:
        """The pool's."""
        return self._pool.workspace

    async def run(
        self,
        operation: Operation[A, R],
        arguments: A,
        *,
        wait_s: float = WAIT_S,
        progress: Callable[[str], None] = no_progress,
    ) -> Answer[R]:
        """As ``perform``."""
        return await perform(self._pool, operation, arguments, wait_s=wait_s, progress=progress)


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
    silence = Silence(pool, progress)
    call = Call(pool, began + wait_s, silence.progress, operation.name, arguments, began, client)
    async with AsyncExitStack() as turn:
        await _take_turn(turn, call, arguments)
        turn.enter_context(silence)
        answer = await operation.run(call, arguments)
    pool.tidy()
    note = answer.note or pool.watcher_note
    return msgspec.structs.replace(answer, elapsed_ms=(loop.time() - began) * 1000, note=note)


async def _take_turn(turn: AsyncExitStack, call: Call, arguments: Arguments) -> None:
    """Where there are several clients, each waits for its turn at the server that it is about to ask."""
    if call.client is None:
        return
    place = call.pool.kept.get(Turns).take(_server_of(call, arguments), id(call.client))
    try:
        async with asyncio.timeout_at(call.deadline):
            await turn.enter_async_context(place)
    except TimeoutError:
        raise RequestTimeout("others kept the server busy all the time") from None


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

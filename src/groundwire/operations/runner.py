"""Performing an operation: the one way in for every surface.

Above: ``surfaces``, ``daemon``. Below: ``operation``, ``turns``, ``silence``, ``journal``, ``phases_watch``.
"""

import asyncio
from collections.abc import Callable, Generator, Hashable
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from groundwire.errors import GroundwireError, PermissionDenied, RequestTimeout
from groundwire.operations.answer import Answer
from groundwire.operations.journal import Journal
from groundwire.operations.operation import WAIT_S, A, Arguments, Call, Operation, R, no_progress
from groundwire.operations.path_arguments import arguments_as_meant
from groundwire.operations.serving.silence import Silence
from groundwire.operations.turns import Turns
from groundwire.operations.workflow.phases_watch import pass_phase
from groundwire.pool.kept import Kept
from groundwire.pool.pool import Pool

_DENIED = "`permissions` in the configuration says so: do without it, or ask the user."


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
    arguments = arguments_as_meant(arguments, pool.workspace)
    call = Call(pool, began + wait_s, silence.progress, operation.name, arguments, began, client)
    with _noted(call, operation.effect) as note:
        if not pool.settings.denied.isdisjoint((operation.name, *operation.aliases)):
            raise PermissionDenied(f"{operation.name} is denied here", hint=_DENIED)
        passage = pass_phase(call, operation)
        async with AsyncExitStack() as turn:
            await _take_turn(turn, call, arguments)
            turn.enter_context(silence)
            answer = await operation.run(call, arguments)
        note.outcome = answer.status.value
        passage.done()
    pool.tidy()
    words = "; ".join(filter(None, (answer.note or pool.watcher_note, passage.note)))
    return msgspec.structs.replace(answer, elapsed_ms=note.elapsed_ms, note=words)


@dataclass
class _Note:
    """How a call ended, once it has."""

    outcome: str = "error"
    error: str = "Internal"
    elapsed_ms: float = 0.0


@contextmanager
def _noted(call: Call, effect: str) -> Generator[_Note]:
    """Within it the call is made; its end is in the journal, whatever it is."""
    note = _Note()
    try:
        yield note
        note.error = ""
    except GroundwireError as error:
        note.error = error.kind
        raise
    except asyncio.CancelledError:
        note.outcome, note.error = "cancelled", ""
        raise
    finally:
        note.elapsed_ms = (asyncio.get_running_loop().time() - call.began) * 1000
        call.pool.kept.get(Journal).note_call(
            call.operation,
            effect,
            outcome=note.outcome,
            elapsed_ms=note.elapsed_ms,
            client=call.client.name if call.client is not None else "",
            error=note.error,
        )


async def _take_turn(turn: AsyncExitStack, call: Call, arguments: Arguments) -> None:
    """Where there are several clients, each waits for its turn at the server that it is about to ask."""
    if call.client is None:
        return
    turns = call.pool.kept.get(Turns)
    if turn.enter_context(turns.take_unasked()):
        return
    place = turns.take(_server_of(call, arguments), id(call.client))
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

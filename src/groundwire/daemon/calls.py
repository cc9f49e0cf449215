"""Operations asked of a daemon, one by one: what the command line says to it.

Whoever hangs up takes its questions with it. Every command is the same client: an edit made by one can be undone by the
next. Above: ``background``. Below: ``call_messages``, ``operations``.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from groundwire.daemon.call_messages import LONGEST_LINE, Reply, Request, dump, failure_of, read_request
from groundwire.daemon.greeting import Greeting
from groundwire.errors import GroundwireError, InvalidArgument, Wire
from groundwire.operations.command_table import COMMAND_QUESTIONS
from groundwire.operations.operation import Operation
from groundwire.operations.runner import perform
from groundwire.pool.kept import Kept
from groundwire.pool.pool import Pool

log = logging.getLogger(__name__)

_CHUNK = 65536
_AT_ONCE = 32
"""Questions on one connection."""
_READ_S = 60.0
"""A client that does not take its answer for this long has gone."""
_LONGEST_WAIT_S = 24 * 3600.0


class CallConversation:
    """Over one pool."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._kept = Kept("command line")

    async def converse(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers until the client hangs up, or says what cannot be understood. A defect ends the conversation."""
        lines = _Lines(reader)
        asked: set[asyncio.Task[None]] = set()
        async with asyncio.TaskGroup() as group:
            try:
                while line := await lines.next():
                    request = read_request(line)
                    if len(asked) >= _AT_ONCE:
                        await _say(writer, _refusal(request))
                        continue
                    task = group.create_task(self._answer(request, writer))
                    asked.add(task)
                    task.add_done_callback(asked.discard)
            except Wire as problem:
                log.info("%s said %s", greeting.client, problem)
            for task in asked:
                task.cancel()

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> None:
        def tell(words: str) -> None:
            writer.write(dump(Reply(id=request.id, progress=words)))

        try:
            reply = await self._perform(request, tell)
        except GroundwireError as error:
            reply = Reply(id=request.id, error=failure_of(error))
        await _say(writer, reply)

    async def _perform(self, request: Request, tell: Callable[[str], None]) -> Reply:
        operation = COMMAND_QUESTIONS.get(request.operation) or await asyncio.to_thread(_find, request.operation)
        if operation is None:
            raise InvalidArgument(f"there is no operation {request.operation!r}")
        answer = await perform(
            self._pool,
            operation,
            operation.parse(request.arguments),
            wait_s=min(max(request.wait_s, 0.0), _LONGEST_WAIT_S),
            progress=tell,
            client=self._kept,
        )
        return Reply(id=request.id, answer=answer)


def _find(name: str) -> Operation[Any, Any] | None:
    """The operation of all others."""
    from groundwire.operations.table import OPERATIONS  # noqa: PLC0415  many a daemon is only ever asked to check

    return OPERATIONS.get(name)


class _Lines:
    """What the client says, of any length that a file may have."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._held = bytearray()

    async def next(self) -> bytes:
        """Empty once the client has hung up, in whatever way. Raises Wire."""
        looked_at = 0
        while (end := self._held.find(b"\n", looked_at)) < 0:
            looked_at = len(self._held)
            if looked_at > LONGEST_LINE:
                raise Wire("a question that does not end")
            try:
                chunk = await self._reader.read(_CHUNK)
            except OSError:
                return b""
            if not chunk:
                return b""
            self._held += chunk
        line = bytes(self._held[: end + 1])
        del self._held[: end + 1]
        return line


async def _say(writer: asyncio.StreamWriter, reply: Reply) -> None:
    """A client that is gone, or as good as gone, is hung up on."""
    try:
        writer.write(dump(reply))
        async with asyncio.timeout(_READ_S):
            await writer.drain()
    except OSError:
        writer.close()


def _refusal(request: Request) -> Reply:
    busy = InvalidArgument(f"more than {_AT_ONCE} questions at once", hint="Wait for their answers.")
    return Reply(id=request.id, error=failure_of(busy))

"""Operations performed by the daemon of a workspace.

Above: ``surfaces``. Below: ``call_messages``, ``meeting``.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Self, cast

import msgspec

from groundwire.daemon.call_messages import LONGEST_LINE, Reply, Request, dump, error_of, read_answer, read_reply
from groundwire.daemon.meeting import Link
from groundwire.errors import DaemonUnavailable, Wire
from groundwire.operations.answer import Answer
from groundwire.operations.operation import WAIT_S, A, Operation, R, no_progress

_GRACE_S = 15.0
"""What a daemon may take beyond the time that an answer may take."""


class RemoteRunner:
    """One question after the other on one connection. Use ``over``."""

    def __init__(self, workspace: Path, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._workspace = workspace
        self._reader = reader
        self._writer = writer
        self._ids = count(1)
        self._turn = asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def over(cls, link: Link, workspace: Path) -> AsyncGenerator[Self]:
        """Over a conversation of the kind ``call`` that has begun; hangs up in the end."""
        reader, writer = await asyncio.open_connection(sock=link.socket, limit=LONGEST_LINE)
        try:
            yield cls(workspace, reader, writer)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    @property
    def workspace(self) -> Path:
        """The daemon's."""
        return self._workspace

    async def run(
        self,
        operation: Operation[A, R],
        arguments: A,
        *,
        wait_s: float = WAIT_S,
        progress: Callable[[str], None] = no_progress,
    ) -> Answer[R]:
        """As it would be here. Raises what the operation raises, and DaemonUnavailable where nobody answers."""
        given = cast("dict[str, object]", msgspec.to_builtins(arguments, str_keys=True))
        request = Request(id=next(self._ids), operation=operation.name, arguments=given, wait_s=wait_s)
        # A build may take longer than an answer: it has a limit of its own.
        own_limit = float(getattr(arguments, "timeout_s", 0) or 0)
        try:
            async with asyncio.timeout(max(wait_s, own_limit) + _GRACE_S), self._turn:
                reply = await self._asked(request, progress)
        except TimeoutError:
            raise DaemonUnavailable("the background process did not answer in time") from None
        if reply.error is not None:
            raise error_of(reply.error)
        try:
            return read_answer(operation, reply.answer)
        except Wire as problem:
            raise _not_understood(problem) from None

    async def _asked(self, request: Request, progress: Callable[[str], None]) -> Reply:
        try:
            self._writer.write(dump(request))
            await self._writer.drain()
            while line := await self._reader.readline():
                reply = read_reply(line)
                if reply.id == request.id and reply.is_last:
                    return reply
                if reply.id == request.id:
                    progress(reply.progress)
        except OSError:
            pass  # it is told below, as any other end
        except (ValueError, Wire) as problem:
            raise _not_understood(problem) from None
        raise DaemonUnavailable("the background process ended while it was asked")


def _not_understood(problem: Exception) -> DaemonUnavailable:
    return DaemonUnavailable(
        f"the background process says what is not understood here: {problem}", hint="Try: groundwire daemon restart"
    )

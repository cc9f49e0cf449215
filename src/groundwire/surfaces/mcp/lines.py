"""Messages of the protocol, one to a line, over any bytes, as the pair of streams that the SDK takes.

A line that is no message is answered, so that whoever sent it does not wait for ever.
Above: ``stdio``, ``conversation``. Below: ``envelope``, ``descriptors``,
``last_words``, ``direct_calls``.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple, Protocol

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCMessage

from groundwire.surfaces.mcp.descriptors import Reader
from groundwire.surfaces.mcp.direct_calls import DirectCalls
from groundwire.surfaces.mcp.envelope import MAX_LINE, parse_line, too_long
from groundwire.surfaces.mcp.last_words import Unanswered


class Writer(Protocol):
    """Where lines go."""

    async def write(self, data: bytes) -> None:
        """Returns when more may be written. Raises OSError when nobody reads any more."""
        ...

    def is_gone(self) -> bool:
        """Whether nobody reads any more, as far as that can be seen without writing."""
        ...


class Streams(NamedTuple):
    """What ``Server.run`` takes."""

    incoming: MemoryObjectReceiveStream[SessionMessage | Exception]
    outgoing: MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def line_streams(source: Reader, sink: Writer, direct: DirectCalls | None = None) -> AsyncGenerator[Streams]:
    """The streams of a conversation; everything ends when nobody reads the output.

    ``incoming`` ends with the input, once what was asked is answered: who has said all may still be waiting. What
    ``direct`` takes does not come out of it.
    """
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        talk = _Talk(sink, tasks.cancel_scope, direct)
        tasks.start_soon(talk.read, source, to_server, outgoing.clone())
        tasks.start_soon(talk.write, from_server)
        try:
            yield Streams(incoming, outgoing)
        finally:
            if direct is not None:
                direct.stop()
        tasks.cancel_scope.cancel()


class _Talk:
    """Both directions of one conversation."""

    def __init__(self, sink: Writer, scope: anyio.CancelScope, direct: DirectCalls | None) -> None:
        self._sink = sink
        self._scope = scope
        self._direct = direct
        self._unanswered = Unanswered()
        self._turn = asyncio.Lock()

    async def read(
        self,
        source: Reader,
        to_server: MemoryObjectSendStream[SessionMessage | Exception],
        outgoing: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        with to_server, outgoing, contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async for line in _lines(source):
                if self._direct is not None and self._direct.take(line, self._put):
                    continue
                parsed = parse_line(line) if len(line) <= MAX_LINE else too_long(len(line))
                if parsed is None:
                    continue
                if parsed.is_reply:
                    await outgoing.send(parsed.message)
                else:
                    self._heard(parsed.message.message)
                    await to_server.send(parsed.message)
            await self._unanswered.all_answered(self._sink.is_gone, lambda: self._is_busy)

    async def write(self, from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        with from_server:
            async for message in from_server:
                line = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                await self._put(line.encode() + b"\n")
                self._unanswered.answered(message.message)

    @property
    def _is_busy(self) -> bool:
        return self._direct is not None and self._direct.is_busy

    def _heard(self, message: JSONRPCMessage) -> None:
        self._unanswered.asked(message)
        if self._direct is not None:
            self._direct.heard(message)

    async def _put(self, line: bytes) -> None:
        """One at a time; everything ends when nobody reads any more."""
        try:
            async with self._turn:
                await self._sink.write(line)
        except OSError:
            self._scope.cancel()


async def _lines(source: Reader) -> AsyncIterator[bytes]:
    """Lines without their ends. One that is too long comes out cut to just over the limit."""
    held = bytearray()
    async for chunk in _chunks(source):
        *complete, rest = chunk.split(b"\n")
        for piece in complete:
            yield bytes(held + piece)
            held.clear()
        held += rest if len(held) <= MAX_LINE else b""
    if held:
        yield bytes(held)


async def _chunks(source: Reader) -> AsyncIterator[bytes]:
    try:
        while chunk := await source.next():
            yield chunk
    finally:
        source.stop()

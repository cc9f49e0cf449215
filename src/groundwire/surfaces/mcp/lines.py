"""Messages of the protocol, one to a line, over any bytes, as the pair of streams that the SDK takes.

A line that is no message is answered, so that whoever sent it does not wait for ever.
Above: ``stdio``, ``conversation``. Below: ``envelope``, ``descriptors``, ``last_words``.
"""

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple, Protocol

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from groundwire.surfaces.mcp.descriptors import Reader
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
async def line_streams(source: Reader, sink: Writer) -> AsyncGenerator[Streams]:
    """The streams of a conversation; everything ends when nobody reads the output.

    ``incoming`` ends with the input, once what was asked is answered: who has said all may still be waiting.
    """
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        unanswered = Unanswered()
        tasks.start_soon(_read, source, sink, unanswered, to_server, outgoing.clone())
        tasks.start_soon(_write, from_server, sink, unanswered, tasks.cancel_scope)
        yield Streams(incoming, outgoing)
        tasks.cancel_scope.cancel()


async def _read(
    source: Reader,
    sink: Writer,
    unanswered: Unanswered,
    to_server: MemoryObjectSendStream[SessionMessage | Exception],
    outgoing: MemoryObjectSendStream[SessionMessage],
) -> None:
    with to_server, outgoing, contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async for line in _lines(source):
            parsed = parse_line(line) if len(line) <= MAX_LINE else too_long(len(line))
            if parsed is None:
                continue
            if parsed.is_reply:
                await outgoing.send(parsed.message)
            else:
                unanswered.asked(parsed.message.message)
                await to_server.send(parsed.message)
        await unanswered.all_answered(sink.is_gone)


async def _write(
    from_server: MemoryObjectReceiveStream[SessionMessage],
    sink: Writer,
    unanswered: Unanswered,
    scope: anyio.CancelScope,
) -> None:
    with from_server:
        async for message in from_server:
            line = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await sink.write(line.encode() + b"\n")
            except OSError:
                scope.cancel()  # nobody reads any more
                return
            unanswered.answered(message.message)


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

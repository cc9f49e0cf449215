"""A hook on a daemon's connection: its payload comes, its answer goes, and whether that was printed is waited for.

Whatever fails ends the connection, and the log has why; the process at the other end then says nothing to its host.
Above: ``background``. Below: ``payload``, ``handler``.
"""

import asyncio
import logging
import math

from groundwire.daemon.greeting import Greeting
from groundwire.errors import Wire
from groundwire.pool.pool import Pool
from groundwire.surfaces.hooks.client import LARGEST_PAYLOAD, PRINTED
from groundwire.surfaces.hooks.event import HookEvent
from groundwire.surfaces.hooks.handler import HookHandler, Reply
from groundwire.surfaces.hooks.payload import read_payload

log = logging.getLogger(__name__)

_READING_S = 5.0
_PRINTING_S = 2.0
_LONGEST_WAIT_S = 60.0
_QUICKLY_READ = 256 * 1024


class HookConversation:
    """Options: ``agent``, ``size`` of the payload. A line with the seconds that there are for an answer comes first."""

    def __init__(self, pool: Pool, *, is_verbose: bool = False) -> None:
        self._handler = HookHandler(pool, is_verbose=is_verbose)

    async def converse(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One event and its answer."""
        try:
            async with asyncio.timeout(_READING_S):
                wait_s = _seconds(await reader.readline())
                raw = await reader.readexactly(_size(greeting))
        except asyncio.IncompleteReadError:
            raise Wire("a hook ended before it had said all") from None
        event = await _read(raw, greeting)
        reply = await self._handler.handle(event, wait_s)
        if not await _is_printed(reply, reader, writer):
            log.info("%s did not hear what it was told of %s", event.agent, event.name)
            reply.take_back()


async def _read(raw: bytes, greeting: Greeting) -> HookEvent:
    agent = greeting.options.get("agent", "")
    if len(raw) <= _QUICKLY_READ:
        return read_payload(raw, agent, greeting.environment)
    return await asyncio.to_thread(read_payload, raw, agent, greeting.environment)


async def _is_printed(reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    try:
        async with asyncio.timeout(_PRINTING_S):
            writer.write(reply.output)
            writer.write_eof()
            await writer.drain()
            return await reader.read(1) == PRINTED
    except (TimeoutError, OSError):
        return False


def _size(greeting: Greeting) -> int:
    size = greeting.options.get("size", "")
    if not size.isascii() or not size.isdigit() or int(size) > LARGEST_PAYLOAD:
        raise Wire("a hook does not say how much it has to say")
    return int(size)


def _seconds(line: bytes) -> float:
    try:
        seconds = float(line)
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise Wire("a hook does not say how long it waits")
    return min(seconds, _LONGEST_WAIT_S)

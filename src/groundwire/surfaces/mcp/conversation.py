"""The server on a daemon's connection: the same tools as anywhere, over the one pool of the workspace.

Above: ``background``. Below: ``server``, ``lines``.
"""

import asyncio
import json
from pathlib import Path
from typing import cast

from groundwire.daemon.greeting import Greeting
from groundwire.operations.workflow.phases_kept import record_of
from groundwire.operations.workflow.phases_watch import Phases
from groundwire.pool.kept import Kept
from groundwire.pool.pool import Pool
from groundwire.surfaces.mcp.connection import Peer
from groundwire.surfaces.mcp.direct_calls import DirectCalls
from groundwire.surfaces.mcp.last_words import is_hung_up
from groundwire.surfaces.mcp.lines import line_streams
from groundwire.surfaces.mcp.server import build_server

_CHUNK = 65536


class McpConversation:
    """Options: ``profile``, ``output``, ``repeated`` (a JSON list of request ids), ``cwd`` (a directory below the
    workspace, which files are named from), ``talk`` (the name by which a client goes on with what it had here, with
    this daemon or the next, which keeps such things in ``memory``).
    """

    def __init__(self, pool: Pool, memory: Path | None = None) -> None:
        self._pool = pool
        self._memory = memory

    async def converse(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one client until it hangs up."""
        options = greeting.options
        kept = Kept(greeting.client)
        phases = kept.get(Phases, lambda: Phases(record_of(self._memory, options.get("talk", ""))))
        peer = Peer(kept, _ids(options.get("repeated", "")), list(greeting.notes))
        peer.here = _below(self._pool.workspace, options.get("cwd", ""))
        server = build_server(
            self._pool, profile=options.get("profile", "core"), output=options.get("output", "text"), peer=peer
        )
        async with line_streams(_Reading(reader), _Writing(writer), DirectCalls(server.tools)) as streams:
            await server.run(streams.incoming, streams.outgoing, server.create_initialization_options())
        phases.end()  # it is the client that has gone, not this daemon


class _Reading:
    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    async def next(self) -> bytes:
        try:
            return await self._reader.read(_CHUNK)
        except OSError:  # hung up, in a way that is an error
            return b""

    def stop(self) -> None:
        """The daemon closes the connection."""


class _Writing:
    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    def is_gone(self) -> bool:
        connection = self._writer.get_extra_info("socket")
        return self._writer.is_closing() or is_hung_up(connection.fileno())


def _below(workspace: Path, named: str) -> Path | None:
    """The directory; none for the workspace itself, or where it is not a part of it."""
    here = workspace / named
    return here if here != workspace and here.is_relative_to(workspace) and ".." not in here.parts else None


def _ids(text: str) -> frozenset[str | int]:
    """Ours is the only program that sends them; whatever else it is means none."""
    try:
        found = cast("object", json.loads(text or "[]"))
    except ValueError:
        return frozenset()
    ids = cast("list[object]", found) if isinstance(found, list) else []
    return frozenset(each for each in ids if isinstance(each, str | int))

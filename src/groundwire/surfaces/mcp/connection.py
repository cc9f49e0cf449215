"""What is kept of each client for as long as it is connected.

Above: ``server``, ``tool_handlers``, ``resource_handlers``. Below: ``watching``, ``notices``, ``tools``.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp.server import ServerRequestContext

from groundwire.pool.kept import Kept
from groundwire.surfaces.mcp.notices import Listener
from groundwire.surfaces.mcp.tools import SurfaceTool
from groundwire.surfaces.mcp.watching import Watch


@dataclass
class Peer:
    """Who is at the other end of a daemon's connection."""

    kept: Kept | None = None
    """What its calls remember."""
    repeated: frozenset[str | int] = frozenset()
    """Requests that it puts for the second time, because the daemon that it put them to has ended."""
    notes: list[str] = field(default_factory=list[str])
    """What it should be told with its next answer."""
    here: Path | None = None
    """The directory that it names files from, where that is not the workspace."""
    client: "Client | None" = None
    """What is kept of its connection, while it is connected."""


@dataclass
class Client:
    """``watches`` by address, the tools it was last shown, and what it hears if it wants to be told of what happens."""

    watches: dict[str, Watch] = field(default_factory=dict[str, Watch])
    shown: tuple[SurfaceTool, ...] | None = None
    listener: Listener | None = None


Context = ServerRequestContext[Client, Any]
"""The transport's own part of it does not matter here."""

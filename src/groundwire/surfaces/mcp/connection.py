"""What is kept of each client for as long as it is connected.

Above: ``server``, ``tool_handlers``, ``resource_handlers``. Below: ``watching``, ``tools``.
"""

from dataclasses import dataclass, field
from typing import Any

from mcp.server import ServerRequestContext

from groundwire.surfaces.mcp.tools import SurfaceTool
from groundwire.surfaces.mcp.watching import Watch


@dataclass
class Client:
    """``watches`` by address, and the tools it was last shown."""

    watches: dict[str, Watch] = field(default_factory=dict[str, Watch])
    shown: tuple[SurfaceTool, ...] | None = None


Context = ServerRequestContext[Client, Any]
"""The transport's own part of it does not matter here."""

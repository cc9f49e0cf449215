"""What people want to know of a server: one state out of six, since when, and why.

Above: ``operations`` and ``surfaces``. Below: nothing.
"""

from typing import Literal

import msgspec

State = Literal["starting", "active", "idle", "broken", "disabled", "unavailable"]


class ServerStatus(msgspec.Struct, frozen=True, kw_only=True):
    """One server at one root. ``since_s`` is how long it has been in this state."""

    server: str
    root: str
    state: State
    since_s: float = 0.0
    reason: str = ""
    version: str = ""
    pid: int | None = None
    memory_mb: float | None = None
    restarts: int = 0
    indexing: str = ""
    """``ready``, ``cold`` or how far it is; empty when it does not run."""
    open_documents: int = 0
    stderr_tail: str = ""
    """The last lines of the server; those of its companion come after a line with the companion's name."""
    sidecar: str = ""
    """The state of the companion that runs beside it; empty when there is none."""
    process_of: str = ""
    """The root whose process it shares, and which tells its memory; empty: it has its own."""


class ServerCounts(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to one server at one root since the pool was opened. ``restarts``: starts after a crash."""

    server: str
    root: str
    starts: int = 0
    crashes: int = 0
    restarts: int = 0
    timeouts: int = 0

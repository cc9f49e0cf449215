"""What an answer about the servers of a workspace holds.

Above: ``serving.status``, ``render.status``. Below: ``pool.status``.
"""

from typing import Literal

import msgspec

from groundwire.operations.results.explanation import WithheldValue
from groundwire.operations.results.servers import ExtensionLine
from groundwire.pool.status import ServerStatus


class ServerLine(msgspec.Struct, frozen=True, kw_only=True):
    """A server, what it is for, and what would help it."""

    status: ServerStatus
    """Its root is relative to the workspace, and empty where nobody looked for one."""
    languages: tuple[str, ...] = ()
    role: Literal["primary", "linter"] = "primary"
    remedy: str = ""


class WorkspaceStatus(msgspec.Struct, frozen=True, kw_only=True):
    """All servers of a workspace."""

    workspace: str
    files: int
    servers: tuple[ServerLine, ...]
    withheld: tuple[WithheldValue, ...] = ()
    trust_command: str = ""
    """The command that lets the project decide more, where that would change anything."""
    note: str = ""
    extensions: tuple[ExtensionLine, ...] = ()

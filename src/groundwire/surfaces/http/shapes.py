"""What the status routes answer and take, one shape each; ``openapi`` describes them.

What is added to them later is added at the end, with a default. Above: ``status_routes``, ``actions``, ``openapi``.
Below: ``workspaces``, ``operations``.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from groundwire.operations.answer import Status
from groundwire.operations.results.found import SymbolMatch
from groundwire.operations.results.servers import RestartedServer
from groundwire.surfaces.http.workspaces import WorkspaceView


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the service lives, or takes requests."""

    status: Literal["ok", "ready", "not ready"]


class FrontStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The service itself. ``is_open``: it asks for no token, and then nothing can be changed through it."""

    version: str
    pid: int
    uptime_s: float
    memory_mb: float
    sessions: int
    subscribers: int
    is_open: bool


class ServiceStatus(msgspec.Struct, frozen=True, kw_only=True):
    """Everything at one moment."""

    front: FrontStatus
    workspaces: tuple[WorkspaceView, ...]


class FoundSymbols(msgspec.Struct, frozen=True, kw_only=True):
    """``status`` says how far it is proven: nothing was found only where it is ``confirmed``."""

    status: Status
    reason: str
    total: int
    symbols: tuple[SymbolMatch, ...]


class ServerChoice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One server of a workspace; ``root`` as ``/status`` has it, without it at every root."""

    workspace: Annotated[str, Meta(min_length=1, max_length=4096)]
    server: Annotated[str, Meta(min_length=1, max_length=200)]
    root: Annotated[str, Meta(max_length=4096)] = ""


class RestartShown(msgspec.Struct, frozen=True, kw_only=True):
    """What became of each; ``partial``, with the reason, where one does not run again."""

    status: Status
    reason: str
    servers: tuple[RestartedServer, ...]


class StopShown(msgspec.Struct, frozen=True, kw_only=True):
    """How many were stopped; the next question that needs one starts it again."""

    stopped: int


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong, by kind and in words, and what helps."""

    kind: str
    message: str
    hint: str = ""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """The answer whenever there is no other."""

    error: Problem


class WorkspaceStopped(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="stopped"):
    """Of no daemon, but of the service: none runs there since then, or (``problem``) it cannot be watched."""

    workspace: str
    since: float
    problem: str = ""

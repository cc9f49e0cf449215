"""The results of the operations about servers. Above: ``render.servers``. Below: ``operation``, ``pool.status``."""

from typing import Any, Literal

import msgspec

from groundwire.operations.operation import Result
from groundwire.pool.status import ServerStatus, State

Role = Literal["primary", "linter"]

LogLevel = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]


class ExtensionLine(msgspec.Struct, frozen=True, kw_only=True):
    """An extension that is installed. ``adds`` and ``left_out`` are in words: ``operation count_shapes``."""

    name: str
    package: str
    version: str
    state: Literal["loaded", "off", "failed"]
    reason: str = ""
    """Why it is off, or failed."""
    adds: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """What it offers and is not used, and why."""

    @property
    def needs_attention(self) -> bool:
        """Whether somebody should do something about it."""
        return self.state == "failed" or bool(self.left_out)


class ServerOffer(msgspec.Struct, frozen=True, kw_only=True):
    """What one server can be asked. Every operation is in one of the two lists."""

    server: str
    version: str
    root: str
    role: Role
    """A linter is asked for findings, whatever else it offers."""
    languages: tuple[str, ...]
    supported_tools: tuple[str, ...]
    unsupported_tools: tuple[str, ...]
    capabilities: dict[str, Any]
    """Provider → the options it offers it with, declared at the start or registered since. Any JSON."""


class ServerOffers(Result, frozen=True):
    """Of each server."""

    servers: tuple[ServerOffer, ...]


class LanguageCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many files there are in a language."""

    language: str
    files: int


class InstalledServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server that takes care of a language here. ``path`` is relative to the workspace where it is in there."""

    language: str
    server: str
    path: str
    role: Role
    version: str = ""
    """Empty where its installation does not tell: nothing is run to find out."""


class MissingServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server that would be used if it were there. ``install`` is the command for that, or where to get it."""

    language: str
    server: str
    install: str
    role: Role
    why: str = ""


class WithheldServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server that is not used: switched off, or supplied by a project that is not trusted."""

    language: str
    server: str
    state: Literal["untrusted", "disabled"]
    why: str
    remedy: str = ""


class DetectedServers(Result, frozen=True):
    """The languages of a directory, those with most files first, and their servers."""

    workspace_dir: str
    workspace_languages: tuple[LanguageCount, ...]
    installed_servers: tuple[InstalledServer, ...]
    not_installed: tuple[MissingServer, ...]
    not_used: tuple[WithheldServer, ...] = ()


class ServerState(ServerStatus, frozen=True, kw_only=True):
    """A server, its state, what it is for, and what would help it. The root is relative to the workspace."""

    languages: tuple[str, ...] = ()
    role: Role = "primary"
    remedy: str = ""


class WithheldSetting(msgspec.Struct, frozen=True, kw_only=True):
    """A value of the project's configuration that has no effect before the project is trusted."""

    key: str
    place: str
    effect: str
    """What happens instead."""


class ServerStates(Result, frozen=True):
    """Those that run first, then those that the files of the workspace need."""

    workspace: str
    files: int
    """Whose language is known."""
    running: int
    servers: tuple[ServerState, ...]
    withheld: tuple[WithheldSetting, ...] = ()
    trust_command: str = ""
    extensions: tuple[ExtensionLine, ...] = ()
    """Packages that add to groundwire here."""


class LevelChange(Result, frozen=True):
    """What is logged from now on: this and what is graver."""

    old_level: LogLevel
    level: LogLevel


class RestartedServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server that was stopped or forgiven. ``state`` is how it is now."""

    server: str
    root: str
    was: State
    state: State
    version: str = ""
    reason: str = ""
    """Why it does not run."""


class RestartedServers(Result, frozen=True):
    """Each of them."""

    servers: tuple[RestartedServer, ...]


class ToldServer(msgspec.Struct, frozen=True, kw_only=True):
    """How many of the files one server was told of."""

    server: str
    root: str
    files: int
    state: Literal["told", "starting", "outdated"]
    """``starting``: it is told once it runs. ``outdated``: the next question starts it anew, because of these files."""


class ToldChanges(Result, frozen=True):
    """How many changes were named, and who was told."""

    changes: int
    told: tuple[ToldServer, ...]

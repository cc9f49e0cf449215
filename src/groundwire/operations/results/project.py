"""The result of ``project_overview``. Above: ``render.project``. Below: ``operation``."""

from typing import Literal

import msgspec

from groundwire.operations.operation import Result


class ProjectLanguage(msgspec.Struct, frozen=True, kw_only=True):
    """``share`` is of all files whose language is known, in percent."""

    language: str
    files: int
    share: float


class ProjectServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server that some files need. ``root`` is empty where it cannot be had; ``why`` and ``remedy`` are of that."""

    server: str
    languages: tuple[str, ...]
    role: Literal["primary", "linter"]
    state: Literal["ready", "missing", "untrusted", "disabled"]
    root: str = ""
    why: str = ""
    remedy: str = ""


class EntryPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where a program begins, or what a package gives to others, by the manifest that says so."""

    name: str
    kind: str
    """``script``, ``main``, ``program`` …"""
    target: str
    manifest: str


class ProjectCommand(msgspec.Struct, frozen=True, kw_only=True):
    """How a part of the project is built or tested. ``operation`` does just that; a script is run by its command."""

    does: Literal["build", "test", "script"]
    directory: str
    tool: str
    operation: str = ""
    why_not: str = ""
    """Why it cannot be done as things are."""


class HotFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of source, with what is remarkable about it: the commits that changed it, or its lines."""

    file: str
    number: int


class Convention(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that the project is configured for, or rules that are written down, and where."""

    tool: str
    file: str


class ProjectFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What follows from the files and the history alone, and is kept until they change."""

    entry_points: tuple[EntryPoint, ...] = ()
    conventions: tuple[Convention, ...] = ()
    most_changed: tuple[HotFile, ...] = ()
    commits: int = 0
    """How many were looked at."""
    doubts: tuple[str, ...] = ()


class ProjectOverview(Result, frozen=True):
    """A project at a glance: nothing but what its files, its history and the servers at hand say."""

    workspace: str
    files: int
    """Whose language is known."""
    languages: tuple[ProjectLanguage, ...]
    servers: tuple[ProjectServer, ...]
    entry_points: tuple[EntryPoint, ...]
    commands: tuple[ProjectCommand, ...]
    most_changed: tuple[HotFile, ...]
    """By the number of commits that changed them, of the last ``commits``."""
    commits: int
    largest: tuple[HotFile, ...]
    """By the number of lines."""
    conventions: tuple[Convention, ...]
    remembered: bool = False
    """Whether entry points, history and conventions were known from before: nothing they depend on has changed."""

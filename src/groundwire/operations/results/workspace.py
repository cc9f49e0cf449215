"""What operations that change what groundwire holds answer with: servers, open documents, folders.

Above: ``render``. Below: ``operation``.
"""

from typing import Literal

import msgspec

from groundwire.operations.operation import Result


class StartedServer(msgspec.Struct, frozen=True, kw_only=True):
    """One server at one root, relative to the workspace."""

    server: str
    """Empty where none could be had."""
    languages: tuple[str, ...]
    state: Literal["ready", "loading", "starting", "failed"]
    root: str = ""
    version: str = ""
    address: str = ""
    """Where somebody else runs it."""
    reason: str = ""
    """Why it is not ready, or what is not certain all the same."""


class StartedServers(Result, frozen=True):
    """All that were to be started."""

    servers: tuple[StartedServer, ...]
    ready: int


class OpenedDocument(Result, frozen=True):
    """A document that stays open."""

    file: str
    language: str
    already_open: bool
    """It was kept open before."""


class ClosedDocument(Result, frozen=True):
    """A document that is open no longer."""

    file: str
    closed: bool
    """False: it was not open."""


class WorkspaceFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder of the workspace; ``path`` is relative to the first, absolute outside it."""

    uri: str
    name: str
    path: str


class FolderServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server for an added folder."""

    server: str
    root: str
    state: Literal["joined", "separate", "failed"]
    """It shares the process that ran already; it gets one of its own when it is first needed; there is none."""
    reason: str = ""


class FolderList(Result, frozen=True):
    """All folders, the one that groundwire was started in first."""

    workspace_folders: tuple[WorkspaceFolder, ...]


class AddedFolder(Result, frozen=True):
    """What has become of a folder."""

    added: str
    """Its path; empty: it was part of the workspace already."""
    path: str
    """The folder of the workspace that it is, or lies in."""
    servers: tuple[FolderServer, ...]
    withheld: tuple[str, ...]
    """What its own files want and may not have before it is trusted."""
    workspace_folders: tuple[WorkspaceFolder, ...]


class RemovedFolder(Result, frozen=True):
    """What is left."""

    removed: str
    """Its path; empty: it was no folder of the workspace."""
    path: str
    """What was asked for."""
    workspace_folders: tuple[WorkspaceFolder, ...]

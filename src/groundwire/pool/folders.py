"""A session that may serve several roots: each is a workspace folder with settings and watched files of its own.

Above: ``instance`` and ``joining``. Below: ``client.session``.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import cast

from msgspec import Raw

from groundwire.client.connection import Connection
from groundwire.client.inbound import WATCHED_FILES, lookup_section
from groundwire.client.options import SessionOptions
from groundwire.client.session import IS_WINDOWS, Session
from groundwire.client.sync import close_file, path_of, uri_of
from groundwire.errors import GroundwireError
from groundwire.protocol.globs import Glob, compile_glob
from groundwire.protocol.lsp import (
    ConfigurationItem,
    ConfigurationParams,
    DidChangeWatchedFilesRegistrationOptions,
    FileSystemWatcher,
    RegistrationParams,
    UnregistrationParams,
    WorkspaceFolder,
    decode,
)
from groundwire.protocol.names import shown
from groundwire.transport.base import Transport
from groundwire.workspace.readiness import Gate, GateKind, Readiness
from groundwire.workspace.rules import ReadinessRule

_EVERY_CHANGE = 7


def _sees_everything() -> str:
    return ""


class FolderReadiness(Readiness):
    """The signals of a server, and beside them why what it knows of uses may not be all of the workspace."""

    def __init__(self, rule: ReadinessRule, blind_spot: Callable[[], str]) -> None:
        super().__init__(rule)
        self._blind_spot = blind_spot

    def gate(self, kind: GateKind, now: float) -> Gate:
        """As the signals say; what spans files is then not complete where other folders are not known to be seen."""
        gate = super().gate(kind, now)
        if kind == "diagnostics":
            return gate
        unseen = self._blind_spot() if gate.is_open and not gate.reason else ""
        return Gate(is_open=True, reason=unseen) if unseen else gate

    def own_gate(self, kind: GateKind, now: float) -> Gate:
        """By the signals alone."""
        return super().gate(kind, now)


class FolderSession(Session):
    """A session whose first folder is its root. Folders that join later are answered for like the first.

    ``blind_spot`` says why it may not see all of the workspace; empty when it does.
    """

    def __init__(
        self,
        options: SessionOptions,
        connect: Callable[[], Awaitable[Transport]],
        *,
        blind_spot: Callable[[], str] = _sees_everything,
    ) -> None:
        super().__init__(options, connect)
        if not options.is_ours:
            self.state.server_name = ""  # until it says who it is: what we call it by proves nothing
        self._blind_spot = blind_spot
        self.readiness = self._unready()
        self.joining = asyncio.Lock()
        """One folder at a time: a sign that one was loaded must not be taken for another's."""
        self.is_outdated = False
        """Something changed that the server will only notice when it is started again."""
        self.was_stopped = False
        """It ended, or will, because we wanted it to."""
        self._joined: dict[Path, Mapping[str, object]] = {}
        self._watchers: dict[str, list[FileSystemWatcher]] = {}

    @property
    def roots(self) -> tuple[Path, ...]:
        """What it takes care of."""
        return (self.options.root, *self._joined)

    def takes(self, path: str) -> bool:  # noqa: ARG002  it matters to those that are limited
        """Whether the server is to be shown a file that the one before it had open."""
        return True

    def add_folder(self, root: Path, settings: Mapping[str, object]) -> None:
        """Tell the server of another root. What it said before of having loaded was not about this one."""
        self._joined[root] = settings
        for registration in self._watchers:
            self._watch(registration, root)
        patterns = [(Glob(each, str(root), windows=IS_WINDOWS), _EVERY_CHANGE) for each in self.options.watches]
        self.state.watched.register(_own_id("groundwire", root), patterns)
        self.readiness = self._unready()
        self.readiness.initialized(self.now())
        self.state.documents.tick()
        self.ready_since = self.now()  # what it registers for this root may come late once more
        self._tell_folders(added=[root])

    def remove_folder(self, root: Path) -> None:
        """Tell the server that a root has left, and forget what was open there."""
        if self._joined.pop(root, None) is None or self.life != "ready":
            return
        for registration in (*self._watchers, "groundwire"):
            self.state.watched.unregister(_own_id(registration, root))
        for document in list(self.state.documents):
            if Path(path_of(document.uri)).is_relative_to(root):
                close_file(self, document.uri)
        self.state.documents.tick()
        self._tell_folders(removed=[root])

    def asked(self, method: str, params: Raw) -> object:
        """Peer: a request of the server; three of them are about folders."""
        if method == "workspace/workspaceFolders":
            return [_folder(root) for root in self.roots]
        answer = super().asked(method, params)
        if method == "client/registerCapability":
            self._note_watchers(params)
        elif method == "client/unregisterCapability":
            self._forget_watchers(params)
        elif method == "workspace/configuration" and self._joined:
            return self._configuration(params, answer)
        return answer

    async def _say_goodbye(self, connection: Connection) -> None:
        """``exit`` would end the server itself, not only our conversation with it."""
        if self.options.is_ours:
            await super()._say_goodbye(connection)

    def _unready(self) -> FolderReadiness:
        made = FolderReadiness(self.options.readiness, self._blind_spot)
        self.state.readiness = made
        return made

    def _configuration(self, params: Raw, answer: object) -> object:
        """The session's own answer, except for what a joined folder asks of its own settings."""
        items = decode(params, ConfigurationParams, "workspace/configuration").items
        usual = cast("list[object]", answer)
        return [self._setting(item, own) for item, own in zip(items, usual, strict=True)]

    def _setting(self, item: ConfigurationItem, usual: object) -> object:
        settings = self._settings_at(item.scope_uri or "")
        if settings is None:
            return usual
        unknown: object = {} if self.options.unknown_settings == "object" else None
        return lookup_section(settings, item.section or "", unknown)

    def _settings_at(self, uri: str) -> Mapping[str, object] | None:
        try:
            place = Path(path_of(uri))
        except GroundwireError:  # no file's
            return None
        return next((settings for root, settings in self._joined.items() if place.is_relative_to(root)), None)

    def _note_watchers(self, params: Raw) -> None:
        for registration in decode(params, RegistrationParams, "client/registerCapability").registrations:
            if registration.method != WATCHED_FILES:
                continue
            options = decode(registration.register_options, DidChangeWatchedFilesRegistrationOptions, WATCHED_FILES)
            self._watchers[registration.id] = options.watchers
            for root in self._joined:
                self._watch(registration.id, root)

    def _forget_watchers(self, params: Raw) -> None:
        for item in decode(params, UnregistrationParams, "client/unregisterCapability").items:
            if self._watchers.pop(item.id, None) is not None:
                for root in self._joined:
                    self.state.watched.unregister(_own_id(item.id, root))

    def _watch(self, registration: str, root: Path) -> None:
        """What the server watches in its first folder it watches in this one too."""
        globs = [
            (
                compile_glob(watcher, [str(root)], windows=IS_WINDOWS),
                _EVERY_CHANGE if watcher.kind is None else watcher.kind,
            )
            for watcher in self._watchers[registration]
        ]
        self.state.watched.register(_own_id(registration, root), globs)

    def _tell_folders(self, *, added: list[Path] | None = None, removed: list[Path] | None = None) -> None:
        event = {
            "added": [_folder(root) for root in added or ()],
            "removed": [_folder(root) for root in removed or ()],
        }
        self.notify("workspace/didChangeWorkspaceFolders", {"event": event})


def _folder(root: Path) -> WorkspaceFolder:
    return WorkspaceFolder(uri_of(root), shown(root.name) or "root")


def _own_id(registration: str, root: Path) -> str:
    return f"{registration} at {root}"

"""What a server asks of us or tells us: one table each, method to handler.

Every request of the specification gets a sensible answer, and one that nobody knows gets null: servers take that better
than a failure. Above: ``session``. Below: ``state``, ``protocol``.
"""

import logging
from collections.abc import Callable, Mapping
from typing import cast

import msgspec
from msgspec import Raw

from groundwire.client.edit_requests import APPLY_EDIT, EditRequests
from groundwire.client.options import SessionOptions
from groundwire.client.state import SessionState
from groundwire.protocol.globs import Glob, compile_glob
from groundwire.protocol.lsp import (
    ConfigurationParams,
    DidChangeWatchedFilesRegistrationOptions,
    LogMessageParams,
    MessageActionItem,
    ProgressParams,
    Registration,
    RegistrationParams,
    ShowMessageParams,
    UnregistrationParams,
    WorkDoneProgress,
    WorkDoneProgressBegin,
    WorkDoneProgressEnd,
    WorkspaceFolder,
    decode,
)
from groundwire.protocol.lsp_diagnostics import PublishDiagnosticsParams
from groundwire.protocol.names import shown
from groundwire.protocol.uris import path_to_uri, uri_key
from groundwire.workspace.rules import FileStatus

log = logging.getLogger(__name__)

_NOTHING: Mapping[str, object] = {}
WATCHED_FILES = "workspace/didChangeWatchedFiles"


class Inbound:
    """The server's side of the conversation, applied to the session's state."""

    def __init__(
        self,
        options: SessionOptions,
        state: SessionState,
        now: Callable[[], float],
        windows: bool,
        edit_requests: EditRequests | None = None,
    ) -> None:
        self._options = options
        self._state = state
        self._now = now
        self._windows = windows
        self._file_status = options.settle.file_status
        for number, pattern in enumerate(options.watches):
            glob = Glob(pattern, str(options.root), windows=windows)
            state.watched.register(f"groundwire:{number}", [(glob, 7)])
        self._requests: Mapping[str, Callable[[Raw], object]] = {
            "workspace/configuration": self._configuration,
            "client/registerCapability": self._register,
            "client/unregisterCapability": self._unregister,
            "workspace/workspaceFolders": self._workspace_folders,
            APPLY_EDIT: (edit_requests or EditRequests()).asked,
            "workspace/diagnostic/refresh": self._refresh_diagnostics,
            "window/showMessageRequest": self._show_message_request,
            "window/showDocument": lambda _: {"success": False},
            "window/workDoneProgress/create": _null,
            "workspace/codeLens/refresh": _null,
            "workspace/foldingRange/refresh": _null,
            "workspace/inlayHint/refresh": _null,
            "workspace/inlineValue/refresh": _null,
            "workspace/semanticTokens/refresh": _null,
            "workspace/textDocumentContent/refresh": _null,
        }
        self._notifications: Mapping[str, Callable[[Raw], None]] = {
            "textDocument/publishDiagnostics": self._publish,
            "$/progress": self._progress,
            "window/logMessage": self._log_message,
            "window/showMessage": self._log_message,
        }

    def asked(self, method: str, params: Raw) -> object:
        """The answer to a request of the server."""
        handler = self._requests.get(method)
        if handler is None and method in self._options.answers:
            return self._options.answers[method]
        if handler is None:
            log.debug("%s: unknown request %s answered with null", self._options.server, method)
            return None
        return handler(params)

    def told(self, method: str, params: Raw) -> None:
        """A notification of the server."""
        handler = self._notifications.get(method)
        if handler is not None:
            handler(params)
        elif method in (self._options.readiness.status_method, self._options.readiness.ready_notification):
            readiness = self._state.readiness
            loads = readiness.loads
            readiness.notified(method, _object(params))
            if readiness.loads != loads:
                self._state.documents.tick()  # what was asked before it had loaded may be outdated
        elif self._file_status is not None and method == self._file_status.method:
            self._note_file_status(self._file_status, _object(params))

    def _note_file_status(self, rule: FileStatus, params: Mapping[str, object]) -> None:
        uri = params.get("uri")
        if isinstance(uri, str):
            change = self._state.unchecked_by_itself
            (change.add if params.get(rule.member) in rule.failed else change.discard)(uri_key(uri))

    def _configuration(self, params: Raw) -> list[object]:
        items = decode(params, ConfigurationParams, "workspace/configuration").items
        unknown = _NOTHING if self._options.unknown_settings == "object" else None
        return [lookup_section(self._options.settings, item.section or "", unknown) for item in items]

    def _register(self, params: Raw) -> None:
        for registration in decode(params, RegistrationParams, "client/registerCapability").registrations:
            self._state.capabilities.register(registration)
            if registration.method == "textDocument/diagnostic":
                self._state.refused_pull = False
            if registration.method == WATCHED_FILES:
                self._watch(registration)

    def _watch(self, registration: Registration) -> None:
        options = decode(registration.register_options, DidChangeWatchedFilesRegistrationOptions, WATCHED_FILES)
        roots = [str(self._options.root)]
        globs = [
            (compile_glob(watcher, roots, windows=self._windows), watcher.kind if watcher.kind is not None else 7)
            for watcher in options.watchers
        ]
        self._state.watched.register(registration.id, globs)
        self._state.named_places_at = self._now()

    def _unregister(self, params: Raw) -> None:
        for unregistration in decode(params, UnregistrationParams, "client/unregisterCapability").items:
            self._state.capabilities.unregister(unregistration.id)
            self._state.watched.unregister(unregistration.id)

    def _workspace_folders(self, _: Raw) -> list[WorkspaceFolder]:
        return workspace_folders(self._options, windows=self._windows)

    def _refresh_diagnostics(self, _: Raw) -> None:
        self._state.diagnostics.refresh()

    def _show_message_request(self, params: Raw) -> MessageActionItem | None:
        """Choose what is known to be wanted. Else nobody is there to choose: null means dismissed."""
        self._log_message(params)
        offered = decode(params, ShowMessageParams, "window/showMessageRequest").actions or []
        return next((action for action in offered if action.title in self._options.message_choices), None)

    def _publish(self, params: Raw) -> None:
        published = decode(params, PublishDiagnosticsParams, "textDocument/publishDiagnostics")
        state = self._state
        clock = state.documents.clock
        state.diagnostics.push(published.uri, published.diagnostics, published.version, clock, self._now())
        if state.documents.get(published.uri) is not None:
            state.readiness.gave_diagnostics()

    def _progress(self, params: Raw) -> None:
        progress = decode(params, ProgressParams, "$/progress")
        try:
            value = msgspec.json.decode(progress.value, type=WorkDoneProgress)
        except msgspec.ValidationError:
            return  # a partial result of something we did not ask to be partial
        self._state.readiness.progress(progress.token, value)
        check = self._state.save_check
        if check is None or not check.is_token(progress.token):
            return
        if isinstance(value, WorkDoneProgressBegin):
            check.began(progress.token)
        elif isinstance(value, WorkDoneProgressEnd):
            check.ended(progress.token, self._now())

    def _log_message(self, params: Raw) -> None:
        message = decode(params, LogMessageParams, "window/logMessage").message
        self._state.log.append(message)
        self._state.readiness.logged(message)


def lookup_section(settings: Mapping[str, object], section: str, unknown: object = _NOTHING) -> object:
    """The part of the settings that a dotted section names. Unknown is ``{}``: null makes several servers crash."""
    if not section:
        return settings
    if section in settings:
        return settings[section]
    found: object = settings
    for name in section.split("."):
        members = _members(found)
        if name not in members:
            return unknown
        found = members[name]
    return found


def _members(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def workspace_folders(options: SessionOptions, *, windows: bool) -> list[WorkspaceFolder]:
    """The one folder of this session."""
    return [WorkspaceFolder(path_to_uri(str(options.root), windows=windows), shown(options.root.name) or "root")]


def _null(_: Raw) -> None:
    return None


def _object(params: Raw) -> Mapping[str, object]:
    return _members(msgspec.json.decode(params)) if bytes(params) else {}

"""What a server offers: what it said at initialize merged with what it registered since, behind questions.

Registrations are kept by id: some servers register the same method several times, replace it, or do so many seconds
late. Callers never look inside the capability objects. Above: ``workspace`` and ``client``. Below: ``lsp``.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, cast

import msgspec

from groundwire.protocol.globs import Glob
from groundwire.protocol.lsp import Registration
from groundwire.protocol.positions import PositionEncoding

SyncKind = Literal["none", "full", "incremental"]
SaveKind = Literal["none", "plain", "with-text"]

PROVIDERS: Mapping[str, str] = {
    "textDocument/declaration": "declarationProvider",
    "textDocument/definition": "definitionProvider",
    "textDocument/typeDefinition": "typeDefinitionProvider",
    "textDocument/implementation": "implementationProvider",
    "textDocument/references": "referencesProvider",
    "textDocument/documentHighlight": "documentHighlightProvider",
    "textDocument/hover": "hoverProvider",
    "textDocument/signatureHelp": "signatureHelpProvider",
    "textDocument/completion": "completionProvider",
    "textDocument/documentSymbol": "documentSymbolProvider",
    "textDocument/prepareCallHierarchy": "callHierarchyProvider",
    "textDocument/prepareTypeHierarchy": "typeHierarchyProvider",
    "textDocument/codeAction": "codeActionProvider",
    "textDocument/codeLens": "codeLensProvider",
    "textDocument/formatting": "documentFormattingProvider",
    "textDocument/rangeFormatting": "documentRangeFormattingProvider",
    "textDocument/rename": "renameProvider",
    "textDocument/foldingRange": "foldingRangeProvider",
    "textDocument/selectionRange": "selectionRangeProvider",
    "textDocument/inlayHint": "inlayHintProvider",
    "textDocument/semanticTokens": "semanticTokensProvider",
    "textDocument/diagnostic": "diagnosticProvider",
    "workspace/symbol": "workspaceSymbolProvider",
    "workspace/executeCommand": "executeCommandProvider",
}
"""What a registration names → the capability that offers the same from the start."""

_FORMS: Mapping[str, tuple[str, str]] = {
    "textDocument/semanticTokens/full": ("textDocument/semanticTokens", "full"),
    "textDocument/semanticTokens/range": ("textDocument/semanticTokens", "range"),
}
"""Requests that are offered together under another name → that name, and the option that tells of this one."""

_ENCODINGS: Mapping[str, PositionEncoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}

_NOTHING: Mapping[str, object] = {}

_MOST_REMEMBERED = 1000

_SYNC_KINDS: Mapping[object, SyncKind] = {0: "none", 1: "full", 2: "incremental"}


class ServerCapabilities:
    """Questions about one server. ``changed`` counts registrations, so that a waiter can tell that something is new."""

    def __init__(self, static: Mapping[str, object] | None = None) -> None:
        self._static: Mapping[str, object] = static or {}
        self._dynamic: dict[str, Registration] = {}
        self._decoded: dict[str, object] = {}
        """The options of each registration, decoded once."""
        self._pulls: dict[tuple[str, str], tuple[str | None, ...]] = {}
        self.changed = 0
        self._work_out()

    def __repr__(self) -> str:
        return f"<ServerCapabilities {len(self._static)} static, {len(self._dynamic)} registered>"

    def adopt(self, static: Mapping[str, object]) -> None:
        """Take what the server answered to ``initialize``."""
        self._static = static
        self._note_change()

    def register(self, registration: Registration) -> None:
        """Add a registration; the same id again replaces the old one."""
        self._dynamic[registration.id] = registration
        self._decoded[registration.id] = _plain(registration.register_options)
        self._note_change()

    def unregister(self, registration_id: str) -> Registration | None:
        """Remove a registration, if it is there."""
        self._decoded.pop(registration_id, None)
        removed = self._dynamic.pop(registration_id, None)
        self._note_change()
        return removed

    def supports(self, method: str, *, path: str = "", language: str = "") -> bool:
        """Whether the server answers ``method``, for that document when one is named."""
        if method in _FORMS:
            offered, form = _FORMS[method]
            return any(offer.get(form) not in (None, False) for offer in self._offers(offered, path, language))
        return next(self._offers(method, path, language), None) is not None

    def options(self, method: str) -> Mapping[str, object]:
        """The options of the first offer of ``method``; empty when there are none."""
        return next(self._offers(method, "", ""), _NOTHING)

    def pull_identifiers(self, path: str, language: str) -> tuple[str | None, ...]:
        """The identifiers to pull diagnostics with, each once; empty when the server does not offer pulling."""
        known = self._pulls.get((path, language))
        if known is not None:
            return known
        found: dict[str | None, None] = {}
        for offer in self._offers("textDocument/diagnostic", path, language):
            identifier = offer.get("identifier")
            found[identifier if isinstance(identifier, str) else None] = None
        if len(self._pulls) >= _MOST_REMEMBERED:
            self._pulls.clear()
        return self._pulls.setdefault((path, language), tuple(found))

    def _note_change(self) -> None:
        self.changed += 1
        self._work_out()

    def _work_out(self) -> None:
        """Every edit asks for these several times, and they change a few times in a server's life."""
        self._pulls.clear()
        self.position_encoding: PositionEncoding = self._position_encoding()
        """The unit of this server's columns."""
        self.sync_kind: SyncKind = self._sync_kind()
        """How this server wants changes: with ranges whenever it takes them."""
        self.wants_open_close: bool = self._wants_open_close()
        """Whether ``didOpen`` and ``didClose`` are to be sent."""
        self.save: SaveKind = self._save()
        """Whether ``didSave`` is wanted, and with the text."""

    def _position_encoding(self) -> PositionEncoding:
        chosen = self._static.get("positionEncoding")
        return _ENCODINGS.get(chosen, "utf-16") if isinstance(chosen, str) else "utf-16"

    def _sync_kind(self) -> SyncKind:
        sync = self._static.get("textDocumentSync")
        kind = _table(cast("object", sync)).get("change", 0) if isinstance(sync, dict) else sync
        for registration in self._registered("textDocument/didChange"):
            kind = _table(registration).get("syncKind", kind)
        return _SYNC_KINDS.get(kind, "none") if kind is not None else "none"

    def _wants_open_close(self) -> bool:
        sync = self._static.get("textDocumentSync")
        # Who asks for changes and says nothing of opening needs it all the same: a change is to an open document.
        wanted = _table(cast("object", sync)).get("openClose") if isinstance(sync, dict) else bool(sync)
        if wanted is None:
            wanted = self.sync_kind != "none"
        return bool(wanted) or any(True for _ in self._registered("textDocument/didOpen"))

    def _save(self) -> SaveKind:
        sync = self._static.get("textDocumentSync")
        offers: list[object] = [_table(registration) for registration in self._registered("textDocument/didSave")]
        if isinstance(sync, dict):
            offers.append(_table(cast("object", sync)).get("save"))
        elif sync:
            offers.append(True)
        wanted = [offer for offer in offers if offer is not None and offer is not False]
        if not wanted:
            return "none"
        return "with-text" if any(_table(offer).get("includeText") for offer in wanted) else "plain"

    @property
    def workspace_folders(self) -> bool:
        """Whether the server takes several workspace folders and wants to hear of changes."""
        folders = _table(_table(self._static.get("workspace")).get("workspaceFolders"))
        return bool(folders.get("supported")) and bool(folders.get("changeNotifications"))

    def commands(self) -> frozenset[str]:
        """The commands that ``workspace/executeCommand`` takes."""
        names: set[str] = set()
        for offer in self._offers("workspace/executeCommand", "", ""):
            listed = offer.get("commands")
            if isinstance(listed, list):
                names.update(name for name in cast("list[object]", listed) if isinstance(name, str))
        return frozenset(names)

    def _offers(self, method: str, path: str, language: str) -> Iterator[Mapping[str, object]]:
        provider = self._static.get(PROVIDERS.get(method, ""))
        offers = [provider] if provider is not None and provider is not False else []
        for offer in (*offers, *self._registered(method)):
            options = _table(offer)
            if _selects(options.get("documentSelector"), path, language):
                yield options

    def _registered(self, method: str) -> Iterator[object]:
        for identifier, registration in self._dynamic.items():
            if registration.method == method:
                yield self._decoded[identifier]


def _plain(raw: msgspec.Raw | None) -> object:
    return msgspec.json.decode(raw) if raw else {}


def _table(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _selects(selector: object, path: str, language: str) -> bool:
    """Whether a document selector takes the document; no selector, or no document named, takes it."""
    if not isinstance(selector, list) or not path:
        return True
    return any(_filter_takes(entry, path, language) for entry in cast("list[object]", selector))


def _filter_takes(filter_or_language: object, path: str, language: str) -> bool:
    if isinstance(filter_or_language, str):
        return filter_or_language in (language, "*")
    entry = _table(filter_or_language)
    if entry.get("scheme") not in (None, "file") or entry.get("notebook") is not None:
        return False
    wanted = entry.get("language")
    if wanted is not None and wanted != language:
        return False
    pattern = entry.get("pattern")
    return not isinstance(pattern, str) or Glob(pattern).matches(path)

"""What a client is told that it can ask, and what it says that it understands.

All that any server may serve is offered: which servers a project needs is known only once its files are asked about.
Above: ``server``. Below: ``handles`` (the one command), ``protocol``.
"""

from collections.abc import Mapping

import msgspec

from groundwire import __version__
from groundwire.protocol.positions import PositionEncoding
from groundwire.surfaces.lsp.handles import RUN_COMMAND
from groundwire.surfaces.lsp.json_shapes import Members, inside, items

_ENCODINGS: Mapping[str, PositionEncoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}

_RESOLVED = {"resolveProvider": True}

_OFFERED: Mapping[str, object] = {
    "textDocumentSync": {"openClose": True, "change": 2, "save": True},
    "definitionProvider": True,
    "declarationProvider": True,
    "typeDefinitionProvider": True,
    "implementationProvider": True,
    "referencesProvider": True,
    "hoverProvider": True,
    "signatureHelpProvider": {"triggerCharacters": ["(", ","]},
    "completionProvider": {"triggerCharacters": [".", ":", ">", "/", "@", "<", '"', "'"], **_RESOLVED},
    "documentSymbolProvider": True,
    "workspaceSymbolProvider": True,
    "callHierarchyProvider": True,
    "typeHierarchyProvider": True,
    "documentHighlightProvider": True,
    "codeActionProvider": _RESOLVED,
    "codeLensProvider": _RESOLVED,
    "renameProvider": {"prepareProvider": True},
    "documentFormattingProvider": True,
    "documentRangeFormattingProvider": True,
    "foldingRangeProvider": True,
    "selectionRangeProvider": True,
    "inlayHintProvider": _RESOLVED,
    "diagnosticProvider": {"identifier": "groundwire", "interFileDependencies": True, "workspaceDiagnostics": False},
    "executeCommandProvider": {"commands": [RUN_COMMAND]},
    "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
}


class Features(msgspec.Struct, frozen=True, kw_only=True):
    """What a client understands beyond what all do."""

    encoding: PositionEncoding = "utf-16"
    links: frozenset[str] = frozenset()
    """Methods whose answers may be links."""
    symbol_trees: bool = False
    document_changes: bool = False
    file_operations: frozenset[str] = frozenset()
    applies_edits: bool = False
    progress: bool = False
    refreshes_diagnostics: bool = False


def features_of(params: Members) -> Features:
    """Read ``initialize``."""
    told = params.get("capabilities")
    places = ("definition", "declaration", "typeDefinition", "implementation")
    asked = [str(each) for each in items(inside(told, "general", "positionEncodings"))]
    encodings: list[PositionEncoding] = [
        *(_ENCODINGS[each] for each in asked if each in _ENCODINGS),
        _ENCODINGS["utf-16"],
    ]
    operations = items(inside(told, "workspace", "workspaceEdit", "resourceOperations"))
    return Features(
        encoding=encodings[0],
        links=frozenset(f"textDocument/{each}" for each in places if inside(told, "textDocument", each, "linkSupport")),
        symbol_trees=bool(inside(told, "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")),
        document_changes=bool(inside(told, "workspace", "workspaceEdit", "documentChanges")),
        file_operations=frozenset(str(each) for each in operations),
        applies_edits=bool(inside(told, "workspace", "applyEdit")),
        progress=bool(inside(told, "window", "workDoneProgress")),
        refreshes_diagnostics=bool(inside(told, "workspace", "diagnostics", "refreshSupport")),
    )


def initialize_result(features: Features) -> Members:
    """The answer to ``initialize``."""
    return {
        "capabilities": {"positionEncoding": features.encoding, **_OFFERED},
        "serverInfo": {"name": "groundwire", "version": __version__},
    }

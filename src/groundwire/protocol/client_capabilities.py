"""What we tell every server that we can do: one data structure, and nothing in it that is not honoured.

Above: ``client.session``, which sends it. Below: ``capabilities``, the other direction: what a server offers.
"""

from collections.abc import Mapping

from groundwire.protocol.capabilities import PROVIDERS

_MARKUP = ["markdown", "plaintext"]
_SYMBOL_KINDS = {"valueSet": list(range(1, 27))}
_SYMBOL_TAGS = {"valueSet": [1]}
_DYNAMIC = {"dynamicRegistration": True}
_LINKS = {"dynamicRegistration": True, "linkSupport": True}
_TOKENS = "textDocument/semanticTokens"
_RETRIED = [*(method for method in PROVIDERS if method != _TOKENS), f"{_TOKENS}/full", f"{_TOKENS}/range"]
"""All that is ever asked: semantic tokens are registered under a name that is no request."""

_TEXT_DOCUMENT: dict[str, object] = {
    "synchronization": {"dynamicRegistration": True, "didSave": True, "willSave": False, "willSaveWaitUntil": False},
    "publishDiagnostics": {
        "relatedInformation": True,
        "versionSupport": True,
        "codeDescriptionSupport": True,
        "dataSupport": True,
        "tagSupport": {"valueSet": [1, 2]},
    },
    "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": True},
    "declaration": _LINKS,
    "definition": _LINKS,
    "typeDefinition": _LINKS,
    "implementation": _LINKS,
    "references": _DYNAMIC,
    "documentHighlight": _DYNAMIC,
    "hover": {"dynamicRegistration": True, "contentFormat": _MARKUP},
    "signatureHelp": {
        "dynamicRegistration": True,
        "contextSupport": True,
        "signatureInformation": {
            "documentationFormat": _MARKUP,
            "parameterInformation": {"labelOffsetSupport": True},
            "activeParameterSupport": True,
        },
    },
    "completion": {
        "dynamicRegistration": True,
        "contextSupport": True,
        "completionItem": {
            "documentationFormat": _MARKUP,
            "deprecatedSupport": True,
            "labelDetailsSupport": True,
            "tagSupport": {"valueSet": [1]},
            "resolveSupport": {"properties": ["documentation", "detail"]},
        },
        "completionItemKind": {"valueSet": list(range(1, 26))},
        "completionList": {"itemDefaults": ["commitCharacters", "editRange", "insertTextFormat", "data"]},
    },
    "documentSymbol": {
        "dynamicRegistration": True,
        "hierarchicalDocumentSymbolSupport": True,
        "labelSupport": True,
        "symbolKind": _SYMBOL_KINDS,
        "tagSupport": _SYMBOL_TAGS,
    },
    "callHierarchy": _DYNAMIC,
    "typeHierarchy": _DYNAMIC,
    "codeAction": {
        "dynamicRegistration": True,
        "isPreferredSupport": True,
        "disabledSupport": True,
        "dataSupport": True,
        "resolveSupport": {"properties": ["edit", "command"]},
        "codeActionLiteralSupport": {
            "codeActionKind": {
                "valueSet": [
                    "",
                    "quickfix",
                    "refactor",
                    "refactor.extract",
                    "refactor.inline",
                    "refactor.rewrite",
                    "source",
                    "source.organizeImports",
                    "source.fixAll",
                ]
            }
        },
    },
    "codeLens": _DYNAMIC,
    "formatting": _DYNAMIC,
    "rangeFormatting": _DYNAMIC,
    "rename": {"dynamicRegistration": True, "prepareSupport": True, "prepareSupportDefaultBehavior": 1},
    "foldingRange": {"dynamicRegistration": True, "lineFoldingOnly": False},
    "selectionRange": _DYNAMIC,
    "inlayHint": {"dynamicRegistration": True, "resolveSupport": {"properties": ["tooltip", "label.tooltip"]}},
    "semanticTokens": {
        "dynamicRegistration": True,
        "requests": {"range": True, "full": True},
        "tokenTypes": [
            "namespace", "type", "class", "enum", "interface", "struct", "typeParameter", "parameter", "variable",
            "property", "enumMember", "event", "function", "method", "macro", "keyword", "modifier", "comment",
            "string", "number", "regexp", "operator", "decorator",
        ],
        "tokenModifiers": [
            "declaration", "definition", "readonly", "static", "deprecated", "abstract", "async", "modification",
            "documentation", "defaultLibrary",
        ],
        "formats": ["relative"],
        "overlappingTokenSupport": True,
        "multilineTokenSupport": True,
    },
}  # fmt: skip

_WORKSPACE: dict[str, object] = {
    "applyEdit": True,
    "workspaceEdit": {
        "documentChanges": True,
        "resourceOperations": ["create", "rename", "delete"],
        "failureHandling": "transactional",
        "normalizesLineEndings": False,
    },
    "configuration": True,
    "didChangeConfiguration": _DYNAMIC,
    "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
    "workspaceFolders": True,
    "symbol": {
        "dynamicRegistration": True,
        "symbolKind": _SYMBOL_KINDS,
        "tagSupport": _SYMBOL_TAGS,
        "resolveSupport": {"properties": ["location.range"]},
    },
    "executeCommand": _DYNAMIC,
    # Only what is kept can be refreshed: everything else is asked for anew each time.
    "diagnostics": {"refreshSupport": True},
}

CLIENT_CAPABILITIES: Mapping[str, object] = {
    "general": {
        "positionEncodings": ["utf-8", "utf-16", "utf-32"],
        "staleRequestSupport": {"cancel": True, "retryOnContentModified": _RETRIED},
        "markdown": {"parser": "groundwire", "version": "1"},
    },
    "textDocument": _TEXT_DOCUMENT,
    "workspace": _WORKSPACE,
    "window": {"workDoneProgress": True, "showMessage": {}, "showDocument": {"support": False}},
}


def client_capabilities(experimental: Mapping[str, object] | None = None) -> dict[str, object]:
    """Our capabilities, with the experimental ones that a server wants to see declared."""
    declared = dict(CLIENT_CAPABILITIES)
    if experimental:
        declared["experimental"] = dict(experimental)
    return declared

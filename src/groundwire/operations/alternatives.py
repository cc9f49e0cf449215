"""What else can be asked where a server does not offer what was wanted.

Above: ``question``. Below: ``protocol.capabilities``.
"""

from collections.abc import Mapping

from groundwire.protocol.capabilities import ServerCapabilities

_DEFINITION = ("textDocument/definition", "go_to_definition")
_REFERENCES = ("textDocument/references", "find_references")
_HOVER = ("textDocument/hover", "inspect_symbol")
_SYMBOLS = ("textDocument/documentSymbol", "list_symbols")
_SEARCH = ("workspace/symbol", "find_symbol")

_INSTEAD: Mapping[str, tuple[tuple[str, str], ...]] = {
    "textDocument/definition": (_HOVER, _REFERENCES, _SEARCH),
    "textDocument/declaration": (_DEFINITION,),
    "textDocument/typeDefinition": (_HOVER, _DEFINITION),
    "textDocument/implementation": (_REFERENCES,),
    "textDocument/references": (("textDocument/documentHighlight", "get_document_highlights"),),
    "textDocument/documentHighlight": (_REFERENCES,),
    "textDocument/hover": (_DEFINITION,),
    "textDocument/signatureHelp": (_HOVER,),
    "textDocument/completion": (_SYMBOLS, _SEARCH),
    "textDocument/documentSymbol": (_SEARCH,),
    "workspace/symbol": (_SYMBOLS,),
    "textDocument/prepareCallHierarchy": (_REFERENCES,),
    "textDocument/prepareTypeHierarchy": (("textDocument/implementation", "go_to_implementation"), _REFERENCES),
    "textDocument/inlayHint": (_HOVER,),
    "textDocument/codeLens": (_REFERENCES,),
    "textDocument/foldingRange": (_SYMBOLS,),
    "textDocument/selectionRange": (_SYMBOLS,),
    "textDocument/semanticTokens/full": (_SYMBOLS,),
    "textDocument/semanticTokens/range": (_SYMBOLS,),
}
"""Method → (method, operation that needs it), the nearest first."""


def what_else(method: str, capabilities: ServerCapabilities) -> str:
    """A hint that names the operations that this server can serve instead; empty when there are none."""
    names = [name for needed, name in _INSTEAD.get(method, ()) if capabilities.supports(needed)]
    return f"It can be asked {' or '.join(names)} instead." if names else ""

"""Answers in the forms that this client understands: servers are asked for the richest, which not every client takes.

Above: ``questions``, ``follow_ups``. Below: ``capabilities``, ``workspace_edits``, ``translation``.
"""

from groundwire.surfaces.lsp.capabilities import Features
from groundwire.surfaces.lsp.documents import ClientDocuments
from groundwire.surfaces.lsp.json_shapes import is_list, items, members
from groundwire.surfaces.lsp.methods import METHODS
from groundwire.surfaces.lsp.translation import flat_symbols
from groundwire.surfaces.lsp.workspace_edits import fitted_action, fitted_edit


def fitted(value: object, method: str, features: Features, documents: ClientDocuments, uri: str) -> object:
    """The same answer for this client; ``uri`` is the document it is about."""
    asked = METHODS.get(method)
    if asked is not None and asked.is_links and method not in features.links:
        return _without_links(value)
    if method == "textDocument/documentSymbol" and not features.symbol_trees and is_list(value):
        return flat_symbols(items(value), documents.spelled(uri))
    if method == "textDocument/rename" and value is not None:
        return fitted_edit(value, features, documents)
    if method == "textDocument/codeAction":
        return [fitted_action(each, features, documents) for each in items(value)]
    if method == "codeAction/resolve":
        return fitted_action(value, features, documents)
    return value


def _without_links(value: object) -> object:
    if is_list(value):
        return [_without_links(each) for each in items(value)]
    link = members(value)
    if "targetUri" not in link:
        return value
    return {"uri": link["targetUri"], "range": link.get("targetSelectionRange", link.get("targetRange"))}

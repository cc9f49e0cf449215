"""A server's edit as this client can apply it: with the versions that the client knows, in a form that it takes.

Above: ``questions``, ``execution``. Below: ``documents``, ``capabilities``.
"""

from groundwire.errors import ServerError
from groundwire.protocol.jsonrpc import REQUEST_FAILED
from groundwire.surfaces.lsp.capabilities import Features
from groundwire.surfaces.lsp.documents import ClientDocuments
from groundwire.surfaces.lsp.json_shapes import Members, copied, inside, items, members, text_in


def fitted_edit(edit: object, features: Features, documents: ClientDocuments) -> object:
    """The edit for this client. Raises ServerError where the client could only apply a part of it."""
    found = members(edit)
    if "documentChanges" not in found:
        return edit
    changes = [_with_client_version(members(each), documents) for each in items(found["documentChanges"])]
    kinds = {str(each["kind"]) for each in changes if "kind" in each}
    if features.document_changes and kinds <= features.file_operations:
        return copied(found, [("documentChanges", changes)])
    if kinds:
        raise ServerError(REQUEST_FAILED, f"this edit has to {', '.join(sorted(kinds))} files, which the client cannot")
    by_file: dict[str, list[object]] = {}
    for each in changes:
        by_file.setdefault(text_in(each, "textDocument", "uri"), []).extend(items(each.get("edits")))
    return {"changes": by_file}


def fitted_action(action: object, features: Features, documents: ClientDocuments) -> object:
    """An action with its edit, if it has one, for this client."""
    found = members(action)
    return copied(found, [("edit", fitted_edit(found["edit"], features, documents))]) if "edit" in found else action


def _with_client_version(change: Members, documents: ClientDocuments) -> Members:
    """Servers count versions of their own; the client's is its own, or none where it has the file not open."""
    if "kind" in change or "textDocument" not in change:
        return change
    uri = text_in(change, "textDocument", "uri")
    document = next((each for each in documents if each.uri == uri), None)
    version = document.version if document is not None else None
    return copied(change, [("textDocument", copied(inside(change, "textDocument"), [("version", version)]))])

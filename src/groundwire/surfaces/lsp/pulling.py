"""Diagnostics that a client asks for itself. While they are not known it is told to ask again.

Above: ``server``. Below: ``findings``, ``publishing`` (which falls silent then).
"""

from collections.abc import Awaitable, Sequence

import msgspec

from groundwire.errors import ServerError
from groundwire.operations.answer import Status
from groundwire.protocol.jsonrpc import INVALID_PARAMS, SERVER_CANCELLED
from groundwire.surfaces.lsp.documents import OpenDocument, Unsaved
from groundwire.surfaces.lsp.findings import check
from groundwire.surfaces.lsp.json_shapes import Members, text_in
from groundwire.surfaces.lsp.publishing import Publisher
from groundwire.surfaces.lsp.questions import Client

_WAIT_S = 30.0


def pull(client: Client, publisher: Publisher, params: Members) -> Awaitable[object]:
    """The report of a document as it is at this moment. Raises ServerError where it is not known."""
    publisher.pulled()
    uri = text_in(params, "textDocument", "uri")
    document = client.documents.get(client.documents.file_of(uri))
    if document is None:
        raise ServerError(INVALID_PARAMS, f"{uri} is not open")
    return _report(client, document, client.documents.unsaved())


async def _report(client: Client, document: OpenDocument, unsaved: Sequence[Unsaved]) -> Members:
    found = await check(client, [document], unsaved, _WAIT_S)
    if found and found[0].is_known:
        return {"kind": "full", "items": found[0].diagnostics}
    reason = found[0].reason if found else "the file is not on disk"
    is_worth_asking_again = bool(found) and found[0].status is not Status.UNSUPPORTED
    client.notes.log(f"{document.file.name}: {reason}")
    data = msgspec.json.encode({"retriggerRequest": is_worth_asking_again})
    raise ServerError(SERVER_CANCELLED, f"not known: {reason}", data=data)

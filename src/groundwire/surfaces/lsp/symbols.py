"""Symbols of the whole workspace, of every server of its languages, in one list. They go by the disk.

Above: ``server``. Below: ``operations.workspace_symbols``.
"""

from collections.abc import Awaitable

import msgspec

from groundwire.client.sync import uri_of
from groundwire.errors import ServerError
from groundwire.operations.navigation.workspace_symbols import SymbolFound, find_symbols, range_of
from groundwire.protocol.jsonrpc import REQUEST_FAILED
from groundwire.surfaces.lsp.json_shapes import Members, members, text_in
from groundwire.surfaces.lsp.notes import WARNING
from groundwire.surfaces.lsp.questions import Client, with_stance
from groundwire.surfaces.lsp.reading import to_client_of

WORKSPACE_SYMBOL = "workspace/symbol"
_WAIT_S = 30.0
_MOST_LOCATED = 200
"""Symbols whose place has to be asked for one by one."""


def workspace_symbols(client: Client, params: Members) -> Awaitable[object]:
    """All symbols that fit the query."""
    return with_stance(client, WORKSPACE_SYMBOL, "evidence", lambda: _symbols(client, text_in(params, "query")))


async def _symbols(client: Client, query: str) -> object:
    call = client.call(_WAIT_S)
    found = await find_symbols(call, query)
    doubt = "; ".join(found.doubts)
    if doubt and not found.symbols:
        raise ServerError(REQUEST_FAILED, f"not known: {doubt}")
    if doubt:
        client.notes.log(f"{WORKSPACE_SYMBOL}: there may be more: {doubt}", WARNING)
    located = [each for each in found.symbols if each.told.location.range is not None]
    for each in [each for each in found.symbols if each.told.location.range is None][:_MOST_LOCATED]:
        where = await range_of(call, each)
        if where is not None:
            place = msgspec.structs.replace(each.told.location, range=where)
            located.append(msgspec.structs.replace(each, told=msgspec.structs.replace(each.told, location=place)))
    return [await _shown(client, each) for each in located]


async def _shown(client: Client, found: SymbolFound) -> object:
    told = members(msgspec.json.decode(msgspec.json.encode(found.told)))
    told.pop("data", None)  # nothing is left to be asked
    return await to_client_of(client.documents, told, found.session, uri_of(found.file))

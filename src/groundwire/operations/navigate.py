"""Where a symbol is used.

Above: ``render`` and ``surfaces``. Below: ``pool`` and ``client.ask``.
"""

import asyncio
from pathlib import Path
from typing import NamedTuple

from groundwire.client.ask import Reply, ask_across_files
from groundwire.client.session import Session
from groundwire.client.sync import sync_file
from groundwire.errors import RequestTimeout, ServerUnavailable, SessionDead
from groundwire.operations.answer import Answer, Place, Status
from groundwire.operations.paths import existing_file
from groundwire.operations.places import places_of
from groundwire.pool.pool import Pool
from groundwire.pool.routing import Chosen
from groundwire.protocol.lsp import normalise_locations

_MOST_ROUNDS = 4
"""How often a question is asked again because files changed while it was answered."""


async def find_references(
    pool: Pool, path: Path, line: int, column: int, *, wait_s: float = 30.0
) -> Answer[tuple[Place, ...]]:
    """All uses of the symbol at a 1-based place, with its declaration. Raises typed errors when there is no answer."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    pool.refresh()
    file = existing_file(path, pool.workspace)
    route = pool.route(file)
    if route.primary is None:
        raise ServerUnavailable(f"no server that can navigate takes care of {file.name}")
    spot, deadline = _Spot(file, route.language, line, column), began + wait_s
    session = await _ready(pool, route.primary, deadline)
    try:
        reply, is_current = await _references(pool, session, spot, deadline)
    except SessionDead:  # the server's successor is asked once more
        session = await _ready(pool, route.primary, deadline)
        reply, is_current = await _references(pool, session, spot, deadline)
    incomplete = reply.incomplete if is_current else "files kept changing while the answer was computed"
    places = places_of(session, pool.workspace, normalise_locations(reply.result))
    pool.tidy()
    return Answer(
        value=places,
        status=Status.PARTIAL if incomplete else Status.CONFIRMED,
        reason=incomplete,
        servers=(session.options.server,),
        elapsed_ms=(loop.time() - began) * 1000,
    )


class _Spot(NamedTuple):
    """A place in a file, 1-based."""

    file: Path
    language: str
    line: int
    column: int


async def _references(pool: Pool, session: Session, spot: _Spot, deadline: float) -> tuple[Reply, bool]:
    """The server's answer, and whether the disk still is as it was when it was asked."""
    rounds_left, first = _MOST_ROUNDS, None
    while True:
        rounds_left -= 1
        asked_at = session.now()
        pool.refresh()
        document = sync_file(session, spot.file, spot.language, since=asked_at)
        first = document.text if first is None else first
        encoding = session.state.capabilities.position_encoding
        params = {
            "textDocument": {"uri": document.uri},
            "position": document.lines.to_wire(spot.line, spot.column, encoding),
            "context": {"includeDeclaration": True},
        }
        reply = await ask_across_files(session, "textDocument/references", params, document, deadline)
        pool.refresh()
        is_current = session.state.documents.clock == reply.clock and not pool.is_outdated(session)
        if document.text != first:  # then the place may be another symbol's
            return reply, False
        if is_current or not rounds_left:
            return reply, is_current


async def _ready(pool: Pool, chosen: Chosen, deadline: float) -> Session:
    try:
        return await pool.instance(chosen).ready(deadline)
    except TimeoutError:
        raise RequestTimeout(f"{chosen.spec.id} is still starting") from None

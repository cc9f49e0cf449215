"""Where a symbol is used.

Above: ``render`` and ``surfaces``. Below: ``pool`` and ``client.ask``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from groundwire.client.ask import ask_across_files
from groundwire.client.disk import read_source
from groundwire.client.session import IS_WINDOWS, Session
from groundwire.client.sync import sync_file
from groundwire.errors import GroundwireError, RequestTimeout, ServerUnavailable
from groundwire.operations.answer import Answer, Place, Status
from groundwire.operations.paths import existing_file, shown_path
from groundwire.pool.pool import Pool
from groundwire.pool.routing import Chosen
from groundwire.protocol.lsp import Location, normalise_locations
from groundwire.protocol.positions import Lines
from groundwire.protocol.uris import is_file_uri, uri_to_path


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
    session = await _ready(pool, route.primary, began + wait_s)
    pool.refresh()
    document = sync_file(session, file, route.language)
    position = document.lines.to_wire(line, column, session.state.capabilities.position_encoding)
    params = {
        "textDocument": {"uri": document.uri},
        "position": position,
        "context": {"includeDeclaration": True},
    }
    clock = session.state.documents.clock
    reply = await ask_across_files(session, "textDocument/references", params, document, began + wait_s)
    pool.refresh()  # what changed on disk while the answer was computed
    is_current = session.state.documents.clock == clock
    incomplete = reply.incomplete or ("" if is_current else "files changed while the answer was computed")
    places = _places(pool, session, normalise_locations(reply.result))
    pool.tidy()
    return Answer(
        value=places,
        status=Status.PARTIAL if incomplete else Status.CONFIRMED,
        reason=incomplete,
        servers=(session.options.server,),
        elapsed_ms=(loop.time() - began) * 1000,
    )


async def _ready(pool: Pool, chosen: Chosen, deadline: float) -> Session:
    try:
        return await pool.instance(chosen).ready(deadline)
    except TimeoutError:
        raise RequestTimeout(f"{chosen.spec.id} is still starting") from None


def _places(pool: Pool, session: Session, locations: Sequence[Location]) -> tuple[Place, ...]:
    texts: dict[str, Lines | None] = {}
    encoding = session.state.capabilities.position_encoding
    places: dict[tuple[str, int, int], Place] = {}
    for location in locations:
        if location.uri not in texts:
            texts[location.uri] = _lines(session, location.uri)
        lines = texts[location.uri]
        start, end = location.range.start, location.range.end
        if lines is None:
            human, human_end, text = (start.line + 1, start.character + 1), (end.line + 1, end.character + 1), ""
        else:
            human, human_end = lines.to_human(start, encoding), lines.to_human(end, encoding)
            text = lines.line(start.line).strip() if start.line < lines.line_count else ""
        shown = _shown(pool, location.uri)
        places[(shown, *human)] = Place(
            file=shown, line=human[0], column=human[1], end_line=human_end[0], end_column=human_end[1], text=text
        )
    return tuple(places[key] for key in sorted(places))


def _lines(session: Session, uri: str) -> Lines | None:
    document = session.state.documents.get(uri)
    if document is not None:
        return document.lines
    if not is_file_uri(uri):
        return None
    try:
        return Lines(read_source(Path(uri_to_path(uri, windows=IS_WINDOWS)), session.options.max_file_size))
    except GroundwireError:
        return None


def _shown(pool: Pool, uri: str) -> str:
    return shown_path(Path(uri_to_path(uri, windows=IS_WINDOWS)), pool.workspace) if is_file_uri(uri) else uri

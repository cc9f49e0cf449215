"""Messages between one client and one server, each in its own units, by the texts that the server has now.

Above: ``questions``, ``follow_ups``, ``execution``, ``findings``. Below: ``translation``, ``client``.
"""

import asyncio
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from groundwire.client.disk import read_source
from groundwire.client.session import Session
from groundwire.client.sync import path_of
from groundwire.errors import GroundwireError
from groundwire.operations.question import Asking
from groundwire.protocol.positions import Lines
from groundwire.protocol.uris import is_file_uri
from groundwire.surfaces.lsp.documents import ClientDocuments
from groundwire.surfaces.lsp.json_shapes import Members, inside, items, members
from groundwire.surfaces.lsp.translation import Translation, uris_in

_MOST_AT_ONCE = 100

LinesOf = Callable[[str], Lines | None]


def to_server(documents: ClientDocuments, params: Members, session: Session, uri: str) -> Members:
    """A client's parameters for a server. Where they name no other file they are about ``uri``."""
    target = session.state.capabilities.position_encoding
    lines_of = _lines_of(session, {})
    translation = Translation(documents.encoding, target, lines_of, _spelled_by_us(documents))
    return members(translation.translate(params, uri))


async def to_client(documents: ClientDocuments, value: object, asking: Asking) -> object:
    """A server's answer for the client."""
    return await to_client_of(documents, value, asking.session, asking.document.uri)


async def to_client_of(documents: ClientDocuments, value: object, session: Session, uri: str) -> object:
    """As ``to_client``, of what a server says about a document."""
    is_same = session.state.capabilities.position_encoding == documents.encoding
    if _is_small(value) and (is_same or not _unknown(session, value)):
        return _translated(documents, value, session, uri)
    return await asyncio.to_thread(_translated, documents, value, session, uri)


def _translated(documents: ClientDocuments, value: object, session: Session, uri: str) -> object:
    source = session.state.capabilities.position_encoding
    unknown = _unknown(session, value) if source != documents.encoding else []
    lines_of = _lines_of(session, _read_all(unknown, session.options.max_file_size))
    return Translation(source, documents.encoding, lines_of, documents.spelled).translate(value, uri)


def _unknown(session: Session, value: object) -> list[str]:
    """The files that the server was not told of: it has read them on disk."""
    return [uri for uri in uris_in(value) if is_file_uri(uri) and session.state.documents.get(uri) is None]


def _is_small(value: object) -> bool:
    """Whether it takes no time worth mentioning."""
    lists = (value, *(inside(value, name) for name in ("items", "documentChanges")))
    return sum(len(items(each)) for each in lists) + len(members(inside(value, "changes"))) <= _MOST_AT_ONCE


def _read_all(uris: Iterable[str], max_size: int) -> dict[str, str]:
    texts: dict[str, str] = {}
    for uri in uris:
        try:
            texts[uri] = read_source(Path(path_of(uri)), max_size)
        except GroundwireError:
            continue  # its positions stay as they are
    return texts


def _lines_of(session: Session, texts: dict[str, str]) -> LinesOf:
    @cache
    def lines_of(uri: str) -> Lines | None:
        document = session.state.documents.get(uri)
        if document is not None:
            return document.lines
        return Lines(texts[uri]) if uri in texts else None

    return lines_of


def _spelled_by_us(documents: ClientDocuments) -> Callable[[str], str]:
    """Servers are told of a file under one address, whatever the client's looks like."""
    return lambda uri: documents.uri_of(uri) if is_file_uri(uri) else uri

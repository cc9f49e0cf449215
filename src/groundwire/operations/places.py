"""Locations on the wire as places people can read: workspace paths, 1-based characters, the line of source.

Above: ``navigate``. Below: ``client``, ``protocol``.
"""

from collections.abc import Iterable
from pathlib import Path

from groundwire.client.disk import read_source
from groundwire.client.session import IS_WINDOWS, Session
from groundwire.errors import FileNotFound, GroundwireError
from groundwire.operations.answer import Place
from groundwire.operations.paths import shown_path
from groundwire.protocol.lsp import Location, Position, Range
from groundwire.protocol.positions import Lines
from groundwire.protocol.uris import is_file_uri, uri_to_path


def places_of(session: Session, workspace: Path, locations: Iterable[Location]) -> tuple[Place, ...]:
    """Every location once, by file and place. One in a file that is not there any more is an index out of date."""
    by_file: dict[str, dict[Range, None]] = {}
    for location in locations:
        by_file.setdefault(location.uri, {})[location.range] = None
    found = [place for uri, ranges in by_file.items() for place in _in_file(session, workspace, uri, ranges)]
    return tuple(sorted(found, key=lambda place: (place.file, place.line, place.column)))


def _in_file(session: Session, workspace: Path, uri: str, ranges: Iterable[Range]) -> list[Place]:
    if not is_file_uri(uri):
        return [_place(session, uri, None, each) for each in ranges]
    path = Path(uri_to_path(uri, windows=IS_WINDOWS))
    try:
        lines = _lines(session, uri, path)
    except FileNotFound:
        return []
    shown = shown_path(path, workspace)
    return [_place(session, shown, lines, each) for each in ranges]


def _lines(session: Session, uri: str, path: Path) -> Lines | None:
    document = session.state.documents.get(uri)
    if document is not None:
        return document.lines
    try:
        return Lines(read_source(path, session.options.max_file_size))
    except FileNotFound:
        raise
    except GroundwireError:
        return None  # too large, or unreadable: the place is still right, only its text cannot be shown


def _place(session: Session, file: str, lines: Lines | None, where: Range) -> Place:
    encoding = session.state.capabilities.position_encoding

    def human(position: Position) -> tuple[int, int]:
        return lines.to_human(position, encoding) if lines else (position.line + 1, position.character + 1)

    (line, column), (end_line, end_column) = human(where.start), human(where.end)
    text = lines.line(where.start.line).strip() if lines and where.start.line < lines.line_count else ""
    return Place(file=file, line=line, column=column, end_line=end_line, end_column=end_column, text=text)

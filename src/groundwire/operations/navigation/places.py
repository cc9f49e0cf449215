"""Locations on the wire as places people can read: workspace paths, 1-based characters, the line of source.

Only what is shown is read: of ten thousand uses a page is wanted. Above: the operations. Below: ``client``,
``protocol``.
"""

from collections.abc import Collection, Iterable
from pathlib import Path

from groundwire.client.disk import read_source
from groundwire.client.session import IS_WINDOWS, Session
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Place
from groundwire.operations.arguments import Page, TargetPage
from groundwire.operations.files.paths import shown_path
from groundwire.operations.results.found import Locations
from groundwire.operations.text.text_ranges import word_within
from groundwire.protocol.lsp import Location, Range
from groundwire.protocol.positions import Lines
from groundwire.protocol.uris import is_file_uri, uri_to_path


def locations_of(session: Session, workspace: Path, found: Iterable[Location], page: Page | TargetPage) -> Locations:
    """Every location once, by file and place. One in a file that is not there any more is an index out of date."""
    by_file = _present_files(session, workspace, found)
    present = [(file, span) for file in by_file for span in sorted(file.ranges)]
    shown = present[page.offset : page.offset + page.limit]
    return Locations(
        locations=tuple(file.place(span) for file, span in shown),
        total=len(present),
        files=len({file.shown for file, _ in present}),
        offset=page.offset,
    )


def count_by_file(session: Session, workspace: Path, found: Iterable[Location]) -> dict[str, int]:
    """How many of the locations are in each file, as ``locations_of`` counts them."""
    counts: dict[str, int] = {}
    for file in _present_files(session, workspace, found):
        counts[file.shown] = counts.get(file.shown, 0) + len(file.ranges)
    return counts


def _present_files(session: Session, workspace: Path, found: Iterable[Location]) -> list["_File"]:
    by_uri: dict[str, dict[Range, None]] = {}
    for location in found:
        by_uri.setdefault(location.uri, {})[location.range] = None
    files = [_File(session, workspace, uri, ranges) for uri, ranges in by_uri.items()]
    return sorted((file for file in files if file.exists), key=lambda file: file.shown)


class Places:
    """Places in files as one server knows them; each file is read at most once."""

    def __init__(self, session: Session, workspace: Path) -> None:
        self._session = session
        self._workspace = workspace
        self._files: dict[str, _File] = {}

    def place(self, uri: str, where: Range) -> Place:
        """In people's terms."""
        file = self._files.get(uri)
        if file is None:
            file = self._files[uri] = _File(self._session, self._workspace, uri, ())
        return file.place(where)

    def name_place(self, uri: str, where: Range, name: str) -> Place:
        """The place of a symbol's name, of which some servers tell only where all of it is."""
        self.place(uri, where)
        return self._files[uri].place(self._files[uri].word(name, where))


class _File:
    """One file with the ranges found in it; read when the first of them is shown."""

    def __init__(self, session: Session, workspace: Path, uri: str, ranges: Collection[Range]) -> None:
        self._session = session
        self._uri = uri
        self._path = Path(uri_to_path(uri, windows=IS_WINDOWS)) if is_file_uri(uri) else None
        self._lines: Lines | None = None
        self._is_read = False
        self.ranges = ranges
        self.shown = shown_path(self._path, workspace) if self._path else uri

    @property
    def exists(self) -> bool:
        """What is no file (a library in an archive) cannot be looked for, and counts as there."""
        return self._path is None or self._session.state.documents.get(self._uri) is not None or self._path.exists()

    def place(self, where: Range) -> Place:
        """In people's terms."""
        lines, encoding = self._text(), self._session.state.capabilities.position_encoding
        start, end = where.start, where.end
        if lines is None:
            ends = (start.line + 1, start.character + 1, end.line + 1, end.character + 1, "")
        else:
            ends = lines.span_to_human(where, encoding)
        line, column, end_line, end_column, text = ends
        return Place(
            file=self.shown, line=line, column=column, end_line=end_line, end_column=end_column, text=text.strip()
        )

    def word(self, name: str, where: Range) -> Range:
        """Where the name first stands as a word in the range; the range itself when it does not."""
        lines, encoding = self._text(), self._session.state.capabilities.position_encoding
        return word_within(lines, name, where, encoding) if lines else where

    def _text(self) -> Lines | None:
        if not self._is_read:
            self._is_read = True
            self._lines = self._read()
        return self._lines

    def _read(self) -> Lines | None:
        document = self._session.state.documents.get(self._uri)
        if document is not None:
            return document.lines
        if self._path is None:
            return None
        try:
            return Lines(read_source(self._path, self._session.options.max_file_size))
        except GroundwireError:  # gone since, too large, or unreadable: the place is right, its text cannot be shown
            return None

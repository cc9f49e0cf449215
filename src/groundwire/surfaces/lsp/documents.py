"""The documents that one client has open, and which of them hold text that is not on disk.

A document whose text was seen on disk follows the disk from then on, until the client changes it: agents hold no
buffers, and editors load anew what changed under a buffer without changes of its own. All others are *unsaved*.
Above: ``server``, ``questions``, ``publishing``. Below: ``client.disk``, ``protocol.positions``.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from groundwire.client.disk import read_source
from groundwire.client.sync import path_of, uri_of
from groundwire.errors import FileNotFound, GroundwireError, ServerError
from groundwire.operations.files.paths import located
from groundwire.protocol.jsonrpc import INVALID_PARAMS
from groundwire.protocol.lsp import Range, Shape, TextDocumentContentChangeEvent, TextDocumentItem
from groundwire.protocol.positions import Lines, PositionEncoding
from groundwire.protocol.uris import is_file_uri, uri_key


class DidOpen(Shape, frozen=True):
    text_document: TextDocumentItem


class Identifier(Shape, frozen=True):
    uri: str
    version: int | None = None


class DidChange(Shape, frozen=True):
    text_document: Identifier
    content_changes: list[TextDocumentContentChangeEvent]


class AboutDocument(Shape, frozen=True):
    text_document: Identifier


class OpenDocument(msgspec.Struct, frozen=True):
    """One document as the client has told it. A change makes another one of it: questions keep the one they mean."""

    uri: str
    """As the client spells it."""
    file: Path
    version: int
    text: str
    touched: int
    """Grows with every message about any document."""


class Unsaved(msgspec.Struct, frozen=True):
    """A text that is not on disk. ``is_gone``: there is no file at all."""

    file: Path
    text: str
    is_gone: bool


class ClientDocuments:
    """Of one client. ``max_size``: what is larger on disk counts as different from any text."""

    def __init__(self, workspace: Path, max_size: int) -> None:
        self._workspace = workspace
        self._max_size = max_size
        self._open: dict[str, OpenDocument] = {}
        self._following: set[str] = set()
        self._touches = 0
        self.encoding: PositionEncoding = "utf-16"

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(tuple(self._open.values()))

    def get(self, file: Path) -> OpenDocument | None:
        """The open document of a file."""
        return self._open.get(uri_key(uri_of(file)))

    def spelled(self, uri: str) -> str:
        """A URI as the client spells it."""
        document = self._open.get(uri_key(uri))
        return uri if document is None else document.uri

    def file_of(self, uri: str) -> Path:
        """The file that a URI names. Raises InvalidArgument or FileNotFound for what names none."""
        return located(Path(path_of(uri)), self._workspace)

    def uri_of(self, uri: str) -> str:
        """A URI of the client's as servers are told it."""
        return uri_of(self.file_of(uri))

    def open(self, item: TextDocumentItem) -> OpenDocument | None:
        """Take a document; None for one that can be no file."""
        if not is_file_uri(item.uri):
            return None
        return self._put(OpenDocument(item.uri, self.file_of(item.uri), item.version, item.text, 0))

    def change(self, change: DidChange) -> OpenDocument:
        """Apply changes, one after the other. Raises ServerError for a document that is not open."""
        before = self._known(change.text_document.uri)
        text = before.text
        for each in change.content_changes:
            text = each.text if each.range is None else _replaced(text, each.range, each.text, self.encoding)
        version = before.version + 1 if change.text_document.version is None else change.text_document.version
        return self._put(OpenDocument(before.uri, before.file, version, text, 0))

    def touch(self, uri: str) -> OpenDocument | None:
        """It was saved: worth looking at first."""
        key = self._key(uri)
        if key not in self._open:
            return None
        self._touches += 1
        self._open[key] = msgspec.structs.replace(self._open[key], touched=self._touches)
        return self._open[key]

    def close(self, uri: str) -> OpenDocument | None:
        """Forget it; it is as on disk from now on."""
        self._following.discard(self._key(uri))
        return self._open.pop(self._key(uri), None)

    def unsaved(self) -> tuple[Unsaved, ...]:
        """What is not on disk at this moment."""
        looked_at = (self._look(key, document) for key, document in self._open.items() if key not in self._following)
        return tuple(each for each in looked_at if each is not None)

    def is_behind(self, uri: str) -> bool:
        """Whether the disk holds something else than this document, which follows it."""
        key = self._key(uri)
        if key not in self._following or key not in self._open:
            return False
        try:
            return read_source(self._open[key].file, self._max_size) != self._open[key].text
        except GroundwireError:
            return True

    def _look(self, key: str, document: OpenDocument) -> Unsaved | None:
        try:
            on_disk = read_source(document.file, self._max_size)
        except FileNotFound:
            return Unsaved(document.file, document.text, is_gone=True)
        except GroundwireError:
            return Unsaved(document.file, document.text, is_gone=False)
        if on_disk != document.text:
            return Unsaved(document.file, document.text, is_gone=False)
        self._following.add(key)
        return None

    def _put(self, document: OpenDocument) -> OpenDocument:
        key = uri_key(uri_of(document.file))
        self._touches += 1
        self._open[key] = msgspec.structs.replace(document, touched=self._touches)
        self._following.discard(key)
        return self._open[key]

    def _known(self, uri: str) -> OpenDocument:
        document = self._open.get(self._key(uri))
        if document is None:
            raise ServerError(INVALID_PARAMS, f"{uri} is not open")
        return document

    def _key(self, uri: str) -> str:
        return uri_key(uri_of(self.file_of(uri))) if is_file_uri(uri) else uri


def _replaced(text: str, where: Range, new: str, encoding: PositionEncoding) -> str:
    lines = Lines(text)
    start, end = lines.offset(where.start, encoding), lines.offset(where.end, encoding)
    return text[:start] + new + text[max(start, end) :]

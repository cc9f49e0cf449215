"""The LSP shapes we use, as msgspec structs: snake case here, camel case on the wire.

Unknown fields are ignored and enumerations are plain ``int`` or ``str``, so a newer server never hurts. What may be any
JSON (``data``, ``registerOptions``) stays ``Raw``, which is empty when the field is missing. See also
``lsp_answers`` (hover, symbols), ``lsp_diagnostics``, ``lsp_edits``.

Above: the rest of ``protocol``, ``workspace``, ``client``. Below: ``errors``.
"""

import functools
from typing import TypeVar, cast

import msgspec
from msgspec import Raw

from groundwire import errors
from groundwire.protocol.jsonrpc import UNREADABLE

T = TypeVar("T")


class Shape(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, rename="camel"):
    """Base of every shape. JSON holds no cycles, so none of them needs the cyclic garbage collector."""


class Position(Shape, frozen=True, order=True):
    """0-based line, and 0-based units of the negotiated encoding."""

    line: int
    character: int


class Range(Shape, frozen=True, order=True):
    """Half-open: ``end`` is just after the last character."""

    start: Position
    end: Position


class Location(Shape, frozen=True):
    uri: str
    range: Range


class LocationLink(Shape, frozen=True):
    target_uri: str
    target_range: Range
    target_selection_range: Range
    origin_selection_range: Range | None = None


class WorkspaceFolder(Shape, frozen=True):
    uri: str
    name: str


class TextDocumentIdentifier(Shape, frozen=True):
    uri: str


class VersionedTextDocumentIdentifier(Shape, frozen=True):
    uri: str
    version: int


class TextDocumentItem(Shape, frozen=True):
    uri: str
    language_id: str
    version: int
    text: str


class TextDocumentContentChangeEvent(Shape, frozen=True):
    """Without a range, ``text`` is the whole document."""

    text: str
    range: Range | None = None


class MarkupContent(Shape, frozen=True):
    kind: str
    value: str


class ProgressParams(Shape, frozen=True):
    token: int | str
    value: Raw


class WorkDoneProgressBegin(Shape, frozen=True, tag_field="kind", tag="begin"):
    title: str = ""
    message: str | None = None
    percentage: int | float | None = None
    cancellable: bool | None = None


class WorkDoneProgressReport(Shape, frozen=True, tag_field="kind", tag="report"):
    message: str | None = None
    percentage: int | float | None = None
    cancellable: bool | None = None


class WorkDoneProgressEnd(Shape, frozen=True, tag_field="kind", tag="end"):
    message: str | None = None


WorkDoneProgress = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd


class Registration(Shape, frozen=True):
    id: str
    method: str
    register_options: Raw = Raw()


class RegistrationParams(Shape, frozen=True):
    registrations: list[Registration]


class Unregistration(Shape, frozen=True):
    id: str
    method: str


class UnregistrationParams(Shape, frozen=True):
    """The specification misspells the field; some servers spell it right. Both are read."""

    unregisterations: list[Unregistration] | None = None
    unregistrations: list[Unregistration] | None = None

    @property
    def items(self) -> list[Unregistration]:
        """What is to be unregistered, under either name."""
        return [*(self.unregisterations or ()), *(self.unregistrations or ())]


class ConfigurationItem(Shape, frozen=True):
    scope_uri: str | None = None
    section: str | None = None


class ConfigurationParams(Shape, frozen=True):
    items: list[ConfigurationItem]


class RelativePattern(Shape, frozen=True):
    base_uri: str | WorkspaceFolder
    pattern: str

    @property
    def base(self) -> str:
        """The base as a URI, whichever form it came in."""
        return self.base_uri if isinstance(self.base_uri, str) else self.base_uri.uri


class FileSystemWatcher(Shape, frozen=True):
    """``kind`` is a bit set: 1 created, 2 changed, 4 deleted; all of them when left out."""

    glob_pattern: str | RelativePattern
    kind: int | None = None

    @property
    def kinds(self) -> int:
        """The bit set with its default filled in."""
        return 7 if self.kind is None else self.kind


class DidChangeWatchedFilesRegistrationOptions(Shape, frozen=True):
    watchers: list[FileSystemWatcher]


class FileEvent(Shape, frozen=True):
    """``type``: 1 created, 2 changed, 3 deleted."""

    uri: str
    type: int


class ServerInfo(Shape, frozen=True):
    name: str
    version: str | None = None


class InitializeResult(Shape, frozen=True):
    """``offset_encoding`` is clangd's field from before encodings were negotiated."""

    capabilities: dict[str, object]
    server_info: ServerInfo | None = None
    offset_encoding: str | None = None


class MessageActionItem(Shape, frozen=True):
    title: str


class LogMessageParams(Shape, frozen=True):
    type: int
    message: str


class ShowMessageParams(Shape, frozen=True):
    """Also ``window/showMessageRequest``, which adds the actions."""

    type: int
    message: str
    actions: list[MessageActionItem] | None = None


class ShowDocumentParams(Shape, frozen=True):
    uri: str
    external: bool | None = None
    take_focus: bool | None = None
    selection: Range | None = None


class _AnyLocation(Shape, frozen=True):
    """A location or a link, before it is known which."""

    uri: str | None = None
    range: Range | None = None
    target_uri: str | None = None
    target_range: Range | None = None
    target_selection_range: Range | None = None

    def as_location(self) -> Location | None:
        uri = self.target_uri if self.uri is None else self.uri
        span = self.range or self.target_selection_range or self.target_range
        return None if uri is None or span is None else Location(uri, span)


def decode(raw: bytes, shape: type[T], method: str = "") -> T:
    """Decode ``raw`` (a ``Raw`` too), or raise ``Wire`` naming the method and what is wrong with the shape."""
    try:
        return _decoder(shape).decode(raw)
    except UNREADABLE as problem:
        # A whole number written as 1.0 is still a whole number; only the lax decoder takes it as one.
        try:
            return _lax_decoder(shape).decode(raw)
        except UNREADABLE:
            where = f"{method}: " if method else ""
            raise errors.Wire(f"{where}not the expected shape: {problem}") from problem


def decode_or_none(raw: bytes, shape: type[T], method: str = "") -> T | None:
    """As ``decode``, of an answer that may be null."""
    return None if bytes(raw) == b"null" else decode(raw, shape, method)


def decode_list(raw: bytes, shape: type[T], method: str = "") -> list[T]:
    """A list of ``shape``; null is an empty one."""
    return decode_or_none(raw, list[shape], method) or []


def decode_work_done(value: bytes) -> WorkDoneProgress | None:
    """The work-done part of ``$/progress``, or ``None`` where the value is something else (a partial result)."""
    try:
        return _WORK_DONE.decode(value)
    except UnicodeDecodeError:  # its words are only shown; that work has begun or ended must not be missed
        return decode_work_done(bytes(value).decode(errors="replace").encode())
    except UNREADABLE:
        return None


def normalise_locations(raw: bytes, method: str = "") -> list[Location]:
    """Location, Location[], LocationLink[] or null as a list; of a link, the target's selection range."""
    try:
        return _LOCATIONS.decode(raw)
    except UNREADABLE:
        # To the type checker a union is no class; the decoder takes it all the same.
        found = decode(raw, cast("type[list[_AnyLocation] | _AnyLocation | None]", _ANY_LOCATIONS), method)
    mixed = found if isinstance(found, list) else [] if found is None else [found]
    locations = [location for each in mixed if (location := each.as_location())]
    if len(locations) < len(mixed):
        where = f"{method}: " if method else ""
        raise errors.Wire(f"{where}a location without a uri or a range")
    return locations


@functools.lru_cache(maxsize=256)
def _decoder(shape: type[T]) -> msgspec.json.Decoder[T]:
    return msgspec.json.Decoder(shape)


@functools.lru_cache(maxsize=256)
def _lax_decoder(shape: type[T]) -> msgspec.json.Decoder[T]:
    return msgspec.json.Decoder(shape, strict=False)


_LOCATIONS = msgspec.json.Decoder(list[Location])
_ANY_LOCATIONS = list[_AnyLocation] | _AnyLocation | None
_WORK_DONE: msgspec.json.Decoder[WorkDoneProgress] = msgspec.json.Decoder(WorkDoneProgress)

"""The shapes of hovers and symbols, which servers may answer in several forms; one reading for each.

Above: ``client``, ``operations``. Below: ``lsp``.
"""

import msgspec
from msgspec import Raw

from groundwire.protocol.jsonrpc import UNREADABLE
from groundwire.protocol.lsp import Location, Range, Shape, decode, decode_list, decode_or_none


class MarkedString(Shape, frozen=True):
    """One part of a hover: markup content (``kind``) or the older code block (``language``)."""

    value: str
    kind: str | None = None
    language: str | None = None

    @property
    def text(self) -> str:
        """As markdown; a code block gets its fence."""
        return f"```{self.language}\n{self.value}\n```" if self.language else self.value


class Hover(Shape, frozen=True):
    contents: str | MarkedString | list[str | MarkedString]
    range: Range | None = None

    @property
    def text(self) -> str:
        """The contents in one piece, whichever of the four forms the server chose."""
        parts = self.contents if isinstance(self.contents, list) else [self.contents]
        texts = (part if isinstance(part, str) else part.text for part in parts)
        return "\n\n".join(text for text in texts if text)


def decode_hover(raw: bytes) -> str:
    """The text of an answer to ``textDocument/hover``; null is none."""
    found = decode_or_none(raw, Hover, "textDocument/hover")
    return found.text.strip() if found is not None else ""


class DocumentSymbol(Shape, frozen=True):
    name: str
    kind: int
    range: Range
    selection_range: Range
    detail: str | None = None
    tags: tuple[int, ...] | None = None
    deprecated: bool | None = None
    children: list["DocumentSymbol"] | None = None


class SymbolInformation(Shape, frozen=True):
    name: str
    kind: int
    location: Location
    container_name: str | None = None
    tags: tuple[int, ...] | None = None
    deprecated: bool | None = None


class SymbolLocation(Shape, frozen=True):
    """Where a workspace symbol is; the range may be left for ``workspaceSymbol/resolve``."""

    uri: str
    range: Range | None = None


class WorkspaceSymbol(Shape, frozen=True):
    """Also decodes every ``SymbolInformation``, so one shape serves both answers to ``workspace/symbol``."""

    name: str
    kind: int
    location: SymbolLocation
    container_name: str | None = None
    tags: tuple[int, ...] | None = None
    data: Raw = Raw()


def decode_document_symbols(raw: bytes) -> list[DocumentSymbol] | list[SymbolInformation]:
    """Either answer to ``textDocument/documentSymbol``; null is no symbols."""
    try:
        return _DOCUMENT_SYMBOLS.decode(raw) or []
    except UNREADABLE:
        return decode(raw, list[SymbolInformation], "textDocument/documentSymbol")


def decode_workspace_symbols(raw: bytes) -> list[WorkspaceSymbol]:
    """Either answer to ``workspace/symbol``; null is no symbols."""
    return decode_list(raw, WorkspaceSymbol, "workspace/symbol")


_DOCUMENT_SYMBOLS: msgspec.json.Decoder[list[DocumentSymbol] | None] = msgspec.json.Decoder(list[DocumentSymbol] | None)

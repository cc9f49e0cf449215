"""The symbols of one document as a tree, whichever of its two forms the server chose, each under the keys that people
would name it by.

A server's own name for a symbol may hold more than the name (``(*Store).Get``, ``impl Shape for Square``,
``save(String)``): ``keys_of`` reads it. Above: ``operations``. Below: ``lsp_answers``.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from groundwire.protocol.lsp import Range
from groundwire.protocol.lsp_answers import DocumentSymbol, SymbolInformation

KIND_NAMES = (
    "symbol", "file", "module", "namespace", "package", "class", "method", "property", "field", "constructor", "enum",
    "interface", "function", "variable", "constant", "string", "number", "boolean", "array", "object", "key", "null",
    "enum member", "struct", "event", "operator", "type parameter",
)  # fmt: skip
"""By LSP's ``SymbolKind``; the first is for what no version of it knows."""


def kind_name(kind: int) -> str:
    """The kind in words."""
    return KIND_NAMES[kind] if 0 < kind < len(KIND_NAMES) else KIND_NAMES[0]


class Symbol(msgspec.Struct, frozen=True, kw_only=True):
    """One symbol. ``range`` is all of it, ``selection`` its name."""

    name: str
    kind: int
    range: Range
    selection: Range
    detail: str = ""
    is_deprecated: bool = False
    path: tuple[str, ...] = ()
    """The keys of everything round it, then its own."""
    children: tuple["Symbol", ...] = ()

    @property
    def kind_name(self) -> str:
        """The kind in words."""
        return kind_name(self.kind)

    @property
    def dotted(self) -> str:
        """The path as it can be given back to us."""
        return ".".join(self.path)

    def walk(self) -> Iterator["Symbol"]:
        """It and all below it, in the order of the text."""
        yield self
        for child in self.children:
            yield from child.walk()


def symbol_tree(answer: Sequence[DocumentSymbol] | Sequence[SymbolInformation]) -> tuple[Symbol, ...]:
    """The outermost symbols, in the order of the text."""
    nested = [each for each in answer if isinstance(each, DocumentSymbol)]
    flat = [each for each in answer if isinstance(each, SymbolInformation)]
    return _placed([*nested, *_nest(flat)], ())


def walk(symbols: Sequence[Symbol]) -> Iterator[Symbol]:
    """All symbols, in the order of the text."""
    for symbol in symbols:
        yield from symbol.walk()


def innermost(symbols: Sequence[Symbol], line: int) -> Symbol | None:
    """The smallest symbol whose lines include ``line`` (0-based)."""
    found: Symbol | None = None
    while True:
        symbols = [symbol for symbol in symbols if symbol.range.start.line <= line <= symbol.range.end.line]
        if not symbols:
            return found
        found = min(symbols, key=lambda symbol: symbol.range.end.line - symbol.range.start.line)
        symbols = found.children


_GENERICS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_RECEIVER = re.compile(r"\(\*?([^()]+)\)\.(.+)")
_RUST_IMPL = re.compile(r"impl\b(?:.*\bfor\s+)?\s*(.+)")
_PARAMETERS = re.compile(r"\(.*", re.DOTALL)
_SEPARATORS = re.compile(r"::|[./#]")
_WORDS_BEFORE = re.compile(r"^(?:def|defp|defmodule|function|sub|class|struct|module|namespace)\s+")


def keys_of(name: str) -> tuple[str, ...]:
    """The plain names in a server's name for a symbol: usually one, several where it names its container too."""
    plain = name.strip()
    while (shorter := _GENERICS.sub("", plain)) != plain:
        plain = shorter
    if receiver := _RECEIVER.fullmatch(plain):
        return (receiver[1].strip(), receiver[2])
    if plain.startswith("impl") and (impl := _RUST_IMPL.fullmatch(plain)):
        plain = impl[1]
    plain = _WORDS_BEFORE.sub("", plain)
    plain = _PARAMETERS.sub("", plain).strip() or plain
    parts = tuple(part.strip("&* ") for part in _SEPARATORS.split(plain))
    return tuple(part for part in parts if part) or (name,)


def _placed(symbols: Sequence[DocumentSymbol], above: tuple[str, ...]) -> tuple[Symbol, ...]:
    ordered = sorted(symbols, key=lambda symbol: (symbol.range.start, symbol.selection_range.start))
    return tuple(_symbol(symbol, (*above, *keys_of(symbol.name))) for symbol in ordered)


def _symbol(symbol: DocumentSymbol, path: tuple[str, ...]) -> Symbol:
    return Symbol(
        name=symbol.name,
        kind=symbol.kind,
        range=symbol.range,
        selection=symbol.selection_range,
        detail=symbol.detail or "",
        is_deprecated=bool(symbol.deprecated) or 1 in (symbol.tags or ()),
        path=path,
        children=_placed(symbol.children or (), path),
    )


def _document_symbol(flat: SymbolInformation) -> DocumentSymbol:
    where = flat.location.range
    return DocumentSymbol(flat.name, flat.kind, where, where, tags=flat.tags, deprecated=flat.deprecated, children=[])


def _nest(flat: Sequence[SymbolInformation]) -> list[DocumentSymbol]:
    """What lies within another belongs to it; where ranges are only names, the container's name tells."""
    outermost: list[DocumentSymbol] = []
    around: list[DocumentSymbol] = []
    named: dict[str, DocumentSymbol] = {}
    for information in sorted(flat, key=lambda each: (each.location.range.start, _backwards(each.location.range))):
        symbol = _document_symbol(information)
        while around and not _holds(around[-1].range, symbol.range):
            around.pop()
        parent = around[-1] if around else named.get(information.container_name or "")
        siblings = outermost if parent is None or parent.children is None else parent.children
        siblings.append(symbol)
        around.append(symbol)
        named[symbol.name] = symbol
    return outermost


def _backwards(span: Range) -> tuple[int, int]:
    return -span.end.line, -span.end.character


def _holds(outer: Range, inner: Range) -> bool:
    return outer != inner and outer.start <= inner.start and inner.end <= outer.end

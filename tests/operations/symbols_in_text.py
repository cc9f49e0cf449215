"""Symbols of a small text, each given by the text that it spans, as a server would tell them."""

import re
from typing import NamedTuple

from groundwire.operations.editing.symbol_spans import Located, SymbolText
from groundwire.operations.text.masked_text import Masked
from groundwire.operations.text.syntaxes import syntax_of
from groundwire.protocol.lsp_answers import DocumentSymbol
from groundwire.protocol.positions import Lines
from groundwire.protocol.symbol_tree import Symbol, symbol_tree, walk


class Spot(NamedTuple):
    """A symbol by the text of its range; ``kind`` by LSP's numbers."""

    name: str
    whole: str
    kind: int = 12
    inside: tuple["Spot", ...] = ()


def tree_of(text: str, *spots: Spot) -> tuple[Symbol, ...]:
    """Each stands where its text first does behind the one before it, or within the one it is in."""
    lines = Lines(text)

    def placed(spot: Spot, after: int) -> tuple[DocumentSymbol, int]:
        start = text.index(spot.whole, after)
        end = start + len(spot.whole)
        name = re.compile(rf"(?<!\w){re.escape(spot.name)}(?!\w)").search(text, start)
        assert name is not None
        children: list[DocumentSymbol] = []
        inner = start + 1
        for each in spot.inside:
            child, inner = placed(each, inner)
            children.append(child)
        selection = lines.range(name.start(), name.end(), "utf-16")
        return DocumentSymbol(
            spot.name, spot.kind, lines.range(start, end, "utf-16"), selection, children=children
        ), end

    at, found = 0, list[DocumentSymbol]()
    for spot in spots:
        symbol, at = placed(spot, at)
        found.append(symbol)
    return symbol_tree(found)


def located(text: str, language: str, dotted: str, *spots: Spot) -> Located:
    """The symbol of that path in the text."""
    tree = tree_of(text, *spots)
    symbol = next(each for each in walk(tree) if each.dotted == dotted)
    return SymbolText(Masked(text, syntax_of(language)), tree, "utf-16").locate(symbol)

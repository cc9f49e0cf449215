"""The symbols of a file: all of them, where one is, and its source.

Above: ``table``. Below: ``targets``, ``source``.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import FilePage, Target
from groundwire.operations.files.paths import shown_path
from groundwire.operations.navigation.places import Places
from groundwire.operations.navigation.source import source_at
from groundwire.operations.navigation.targets import DOCUMENT_SYMBOL, ask_at, ask_symbols, name_position
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.question import Asking, answer_of, ask_about
from groundwire.operations.results.found import FileSymbols, Locations, SymbolEntry, SymbolSource
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.symbol_tree import Symbol

_WORD = re.compile(r"\w+")


class ListSymbols(FilePage, frozen=True):
    """A file, and how much of its symbols is wanted."""

    format: Annotated[
        Literal["tree", "outline"], Meta(description="tree: nested; outline: one after the other, by path.")
    ] = "tree"
    depth: Annotated[int, Meta(ge=0, description="Levels to show; 0 means all.")] = 0
    limit: Annotated[int, Meta(ge=1, le=10_000, description="Most symbols to show.")] = 500


class GoToSymbol(Arguments, frozen=True):
    """A symbol by name."""

    symbol_path: Annotated[str, Meta(description="Class.method, file.py::Class.method, name[2].")]


@operation(
    "The symbols of a file with their lines, nested or as a flat outline.",
    needs=(DOCUMENT_SYMBOL,),
    aliases=("get_document_symbols",),
    command="symbols",
)
async def list_symbols(call: Call, arguments: ListSymbols) -> Answer[FileSymbols]:
    """What a file holds."""

    async def ask(asking: Asking) -> tuple[Reply[tuple[Symbol, ...]], str]:
        return await ask_symbols(asking), ""

    heard = await ask_about(call, Path(arguments.file_path), ask)
    outline = _Outline(heard.asking, arguments)
    shown = outline.tree(heard.result, 1) if arguments.format == "tree" else outline.flat(heard.result, 1)
    symbols = FileSymbols(
        file=shown_path(heard.asking.file, call.pool.workspace),
        symbols=tuple(shown),
        total=outline.seen,
        offset=arguments.offset,
    )
    return answer_of(heard, symbols)


class _Outline:
    """The symbols that are shown: those on the page, and in a tree also what they are in."""

    def __init__(self, asking: Asking, wanted: ListSymbols) -> None:
        self._asking = asking
        self._depth = wanted.depth
        self._page = range(wanted.offset, wanted.offset + wanted.limit)
        self.seen = 0

    def tree(self, symbols: Iterable[Symbol], depth: int) -> Iterator[SymbolEntry]:
        for symbol in symbols:
            is_on_page = self._count()
            children = tuple(self.tree(symbol.children, depth + 1)) if depth != self._depth else ()
            if is_on_page or children:
                yield self._entry(symbol, depth, children)

    def flat(self, symbols: Iterable[Symbol], depth: int) -> Iterator[SymbolEntry]:
        for symbol in symbols:
            if self._count():
                yield self._entry(symbol, depth, ())
            if depth != self._depth:
                yield from self.flat(symbol.children, depth + 1)

    def _count(self) -> bool:
        self.seen += 1
        return self.seen - 1 in self._page

    def _entry(self, symbol: Symbol, depth: int, children: tuple[SymbolEntry, ...]) -> SymbolEntry:
        line, column = self._asking.document.lines.to_human(name_position(symbol, self._asking), self._asking.encoding)
        return SymbolEntry(
            name=symbol.name,
            kind=symbol.kind_name,
            path=symbol.dotted,
            line=line,
            column=column,
            start_line=symbol.range.start.line + 1,
            end_line=symbol.range.end.line + 1,
            detail=symbol.detail,
            deprecated=symbol.is_deprecated,
            children=children,
            hidden=sum(1 for _ in symbol.walk()) - 1 if depth == self._depth else 0,
        )


@operation("Where the symbol of a given path is.", needs=(DOCUMENT_SYMBOL,), command="goto")
async def go_to_symbol(call: Call, arguments: GoToSymbol) -> Answer[Locations]:
    """The place of a symbol."""

    async def ask(asking: Asking, position: Position) -> Reply[Range]:
        return Reply(_word_at(asking, position), "", asking.session.state.documents.world)

    heard = await ask_at(call, Target(symbol=arguments.symbol_path), ask)
    place = Places(heard.asking.session, call.pool.workspace).place(heard.asking.document.uri, heard.result)
    return answer_of(heard, Locations(locations=(place,), total=1, files=1))


def _word_at(asking: Asking, position: Position) -> Range:
    lines, encoding = asking.document.lines, asking.encoding
    start = lines.offset(position, encoding)
    word = _WORD.match(lines.text, start)
    return lines.range(start, word.end() if word else start, encoding)


@operation(
    "The whole source of the symbol at a place or of a given name, with its comments and decorators.",
    needs=(DOCUMENT_SYMBOL,),
    command="source",
)
async def get_symbol_source(call: Call, arguments: Target) -> Answer[SymbolSource]:
    """The source of one symbol."""
    heard = await ask_at(call, arguments, source_at(call.pool.workspace))
    return answer_of(heard, heard.result)

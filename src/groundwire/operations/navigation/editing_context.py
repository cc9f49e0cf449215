"""All to know before a file is edited, in one call: its symbols, who calls them and what they call, its imports.

An answer has an etag unless it may be another although nothing changed: given back, it is enough to say that nothing
has. All parts are about one world. Above: ``table``. Below: ``symbol_uses``, ``targets``, ``quoted_lines``.
"""

import asyncio
import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple
from weakref import WeakKeyDictionary

from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.client.session import Session
from groundwire.operations.answer import Answer, Status
from groundwire.operations.arguments import FilePage
from groundwire.operations.files.paths import shown_path
from groundwire.operations.navigation.places import Places
from groundwire.operations.navigation.symbol_uses import CALLABLE, SymbolUses, shown_callees, shown_callers, uses_of
from groundwire.operations.navigation.targets import DOCUMENT_SYMBOL, ask_symbols, name_position
from groundwire.operations.operation import Call, operation
from groundwire.operations.pages import page_of
from groundwire.operations.question import Asking, Heard, ask_about
from groundwire.operations.results.context import ContextSymbol, EditingContext, ImportStatement
from groundwire.operations.results.hierarchy import MissingPart
from groundwire.operations.text.quoted_lines import import_statements, statement_at
from groundwire.protocol.hashing import content_hash
from groundwire.protocol.symbol_tree import Symbol

_AT_ONCE = 8
_MOST_IMPORTS = 200
_NO_USES = SymbolUses()
_TYPES = frozenset({5, 10, 11, 23})
"""Class, enum, interface and struct, by LSP's numbers."""

_LIVES: WeakKeyDictionary[Session, str] = WeakKeyDictionary()
"""A name for each life of a server, which no other life in this process or another has."""


class GetEditingContext(FilePage, frozen=True):
    """A file, and what is known of it already."""

    if_none_match: Annotated[
        str, Meta(description="The etag of an earlier answer: if that still holds, only this is said.")
    ] = ""
    limit: Annotated[int, Meta(ge=1, le=500, description="Most symbols to show.")] = 50


class _Asked(NamedTuple):
    """The symbols on the page with their uses, of so many; None: the answer of before still holds."""

    symbols: Sequence[tuple[Symbol, SymbolUses]] | None
    total: int
    etag: str


@operation(
    "All to know before editing a file: symbols with signatures, callers (tests apart), callees, imports.",
    needs=(DOCUMENT_SYMBOL,),
    command="context",
)
async def get_editing_context(call: Call, arguments: GetEditingContext) -> Answer[EditingContext]:
    """What a file is bound up with."""

    async def ask(asking: Asking) -> tuple[Reply[_Asked], str]:
        world, etag = asking.session.state.documents.world, _etag(asking, arguments)
        if arguments.if_none_match == etag and not call.pool.watcher_note:
            return Reply(_Asked(None, 0, etag), "", world), ""
        reply = await ask_symbols(asking)
        outside = list(_outside_functions(reply.result))
        uses = await _ask_uses(asking, page_of(outside, arguments))
        return Reply(_Asked(uses, len(outside), etag), reply.incomplete, world), ""

    heard = await ask_about(call, Path(arguments.file_path), ask)
    return _answer(call, heard, arguments)


def _outside_functions(symbols: Iterable[Symbol]) -> Iterator[Symbol]:
    """All but what is local to a function."""
    for symbol in symbols:
        yield symbol
        if symbol.kind not in CALLABLE:
            yield from _outside_functions(symbol.children)


async def _ask_uses(asking: Asking, symbols: Sequence[Symbol]) -> list[tuple[Symbol, SymbolUses]]:
    """Those of the first symbol by themselves: what must be done before any such answer is then done for all."""
    limit = asyncio.Semaphore(_AT_ONCE)

    async def ask(symbol: Symbol) -> SymbolUses:
        async with limit:
            return await uses_of(asking, symbol)

    asked = [symbol for symbol in symbols if symbol.kind in CALLABLE | _TYPES or len(symbol.path) == 1]
    found = [await ask(symbol) for symbol in asked[:1]]
    found += await asyncio.gather(*map(ask, asked[1:]))
    by_symbol = {id(symbol): uses for symbol, uses in zip(asked, found, strict=True)}
    return [(symbol, by_symbol.get(id(symbol), _NO_USES)) for symbol in symbols]


def _etag(asking: Asking, arguments: GetEditingContext) -> str:
    """Differs whenever an answer might: with the file, with what the server was told of others, with its life."""
    session, state = asking.session, asking.session.state
    life = _LIVES.setdefault(session, secrets.token_hex(8))
    told = f"{state.documents.world} {state.readiness.loads} {asking.document.uri} {asking.document.hash}"
    return content_hash(f"{life} {told} {arguments.limit} {arguments.offset}")


def _answer(call: Call, heard: Heard[_Asked], arguments: GetEditingContext) -> Answer[EditingContext]:
    asked, servers = heard.result, (heard.asking.session.options.server,)
    file = shown_path(heard.asking.file, call.pool.workspace)
    if asked.symbols is None:
        same = EditingContext(file=file, etag=asked.etag, not_modified=True)
        status = Status.PARTIAL if heard.incomplete else Status.CONFIRMED
        return Answer(value=same, status=status, reason=heard.incomplete, servers=servers)
    missing = _missing(asked.symbols)
    reasons = [heard.incomplete, *(f"{part.part}: {part.reason}" for part in missing)]
    reason = "; ".join(filter(None, reasons))
    is_settled = not heard.incomplete and all(part.status is Status.UNSUPPORTED for part in missing)
    context = EditingContext(
        file=file,
        etag=asked.etag if is_settled and not call.pool.watcher_note else "",
        symbols=tuple(_shown(call, heard.asking, asked.symbols)),
        total=asked.total,
        offset=arguments.offset,
        imports=_imports(heard.asking),
        missing=missing,
    )
    return Answer(value=context, status=Status.PARTIAL if reason else Status.CONFIRMED, reason=reason, servers=servers)


def _missing(symbols: Sequence[tuple[Symbol, SymbolUses]]) -> tuple[MissingPart, ...]:
    """What could not be had, each reason once with all symbols that it is the reason for."""
    by_reason: dict[tuple[Status, str], list[str]] = {}
    for symbol, uses in symbols:
        if uses.problem:
            by_reason.setdefault((uses.status, uses.problem), []).append(symbol.dotted)
    return tuple(
        MissingPart(part=f"callers of {', '.join(names)}", status=status, reason=reason)
        for (status, reason), names in by_reason.items()
    )


def _shown(call: Call, asking: Asking, symbols: Sequence[tuple[Symbol, SymbolUses]]) -> Iterator[ContextSymbol]:
    places, lines = Places(asking.session, call.pool.workspace), asking.document.lines
    for symbol, uses in symbols:
        position = name_position(symbol, asking)
        line, column = lines.to_human(position, asking.encoding)
        last = max(min(symbol.range.end.line + 1, lines.line_count), line)
        yield ContextSymbol(
            name=symbol.name,
            kind=symbol.kind_name,
            path=symbol.dotted,
            line=line,
            column=column,
            start_line=symbol.range.start.line + 1,
            end_line=last,
            signature=" ".join(text.strip() for text in statement_at(lines, line - 1)),
            callers=shown_callers(uses, places, call.pool.workspace),
            callees=shown_callees(uses, places, call.pool.workspace),
        )


def _imports(asking: Asking) -> tuple[ImportStatement, ...]:
    found = import_statements(asking.document.lines, asking.document.language)
    return tuple(ImportStatement(line=number + 1, text=text) for number, text in found)[:_MOST_IMPORTS]

"""Symbols of the whole workspace by name, ranked: the workspace's own before those of libraries.

Above: ``table``. Below: ``workspace_symbols``, ``symbol_ranks``.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.arguments import Page
from groundwire.operations.files.paths import shown_path
from groundwire.operations.navigation.places import Places
from groundwire.operations.navigation.workspace_symbols import WORKSPACE_SYMBOL, SymbolFound, find_symbols, range_of
from groundwire.operations.operation import Call, operation
from groundwire.operations.pages import page_of
from groundwire.operations.results.found import SymbolMatch, SymbolMatches
from groundwire.operations.text.symbol_ranks import rank
from groundwire.protocol.lsp import Position, Range
from groundwire.protocol.symbol_tree import KIND_NAMES, keys_of, kind_name


class FindSymbol(Page, frozen=True, kw_only=True):
    """A name, and which symbols of it are wanted."""

    query: Annotated[
        str, Meta(description="Name or part of it: exact, beginning, words (gsn for getSymbolName); empty: all.")
    ]
    kinds: Annotated[tuple[str, ...], Meta(description="Only these kinds, such as class, function, method.")] = ()


@operation(
    "Symbols of the whole workspace by name, from every server, the best first.",
    needs=(WORKSPACE_SYMBOL,),
    aliases=("get_workspace_symbols",),
    command="search",
)
async def find_symbol(call: Call, arguments: FindSymbol) -> Answer[SymbolMatches]:
    """What the workspace holds under a name."""
    keys = keys_of(arguments.query) if arguments.query.strip() else ("",)
    kinds = _known_kinds(arguments.kinds)
    found = await find_symbols(call, keys[-1])
    wanted = [symbol for symbol in found.symbols if not kinds or kind_name(symbol.kind) in kinds]
    ordered = sorted(_once(wanted), key=lambda symbol: _order(symbol, keys, call.pool.workspace))
    shown = page_of(ordered, arguments)
    matches = SymbolMatches(
        symbols=tuple([await _match(call, symbol) for symbol in shown]), total=len(ordered), offset=arguments.offset
    )
    status, reason = (Status.PARTIAL, "; ".join(found.doubts)) if found.doubts else (Status.CONFIRMED, "")
    if not found.servers:
        status, reason = Status.UNKNOWN, reason or "no server takes care of any file of the workspace"
    return Answer(value=matches, status=status, reason=reason, servers=found.servers)


def _known_kinds(kinds: tuple[str, ...]) -> frozenset[str]:
    wanted = frozenset(kind.strip().casefold().replace("_", " ") for kind in kinds)
    for kind in sorted(wanted - set(KIND_NAMES)):
        raise InvalidArgument(f"no symbol is of the kind {kind!r}", hint=f"Kinds: {', '.join(KIND_NAMES[1:])}.")
    return wanted


def _once(symbols: Iterable[SymbolFound]) -> list[SymbolFound]:
    """Two servers, or one at two roots, may know the same symbol."""
    return list({(found.name, found.kind, found.file, found.told.location.range): found for found in symbols}.values())


def _order(found: SymbolFound, keys: tuple[str, ...], workspace: Path) -> tuple[bool, bool, int, int, str, Range]:
    above = tuple(key.casefold() for key in keys[:-1])
    is_elsewhere = bool(above) and tuple(key.casefold() for key in found.path[:-1])[-len(above) :] != above
    name = found.path[-1]
    where = found.told.location.range or Range(Position(0, 0), Position(0, 0))
    return (
        not found.file.is_relative_to(workspace),
        is_elsewhere,
        rank(keys[-1], name),
        len(name) if keys[-1] else 0,  # of all symbols none fits better than another: they come by file
        str(found.file),
        where,
    )


async def _match(call: Call, found: SymbolFound) -> SymbolMatch:
    match = SymbolMatch(
        name=found.name,
        kind=kind_name(found.kind),
        path=".".join(found.path),
        file=shown_path(found.file, call.pool.workspace),
    )
    try:
        where = await range_of(call, found)
    except GroundwireError:  # the symbol is there, and its file is known; its place would have been a convenience
        where = None
    if where is None:
        return match
    places = Places(found.session, call.pool.workspace)
    place = places.name_place(found.told.location.uri, where, found.path[-1])
    return msgspec.structs.replace(
        match,
        line=place.line,
        column=place.column,
        end_line=place.end_line,
        end_column=place.end_column,
        text=place.text,
    )

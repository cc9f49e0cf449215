"""Symbols by name in all of the workspace: every server that navigates in one of its languages is asked, at each of its
roots, and what one of them cannot tell is said.

Above: ``targets``, ``symbols``. Below: ``survey``, ``question``.
"""

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.client.ask import ask_across_files
from groundwire.client.session import IS_WINDOWS
from groundwire.client.sync import sync_file
from groundwire.errors import CapabilityMissing, GroundwireError
from groundwire.operations.operation import Call
from groundwire.operations.paths import shown_path
from groundwire.operations.survey import survey
from groundwire.operations.symbol_paths import SymbolPath
from groundwire.pool.routing import Chosen
from groundwire.protocol.lsp import Range
from groundwire.protocol.lsp_answers import WorkspaceSymbol, decode_workspace_symbols
from groundwire.protocol.positions import PositionEncoding
from groundwire.protocol.symbol_tree import keys_of
from groundwire.protocol.uris import is_file_uri, uri_to_path

WORKSPACE_SYMBOL = "workspace/symbol"
_MOST_CLOSE = 5


class SymbolFound(msgspec.Struct, frozen=True, kw_only=True):
    """A symbol somewhere in the workspace, as its server told it."""

    name: str
    kind: int
    file: Path
    path: tuple[str, ...]
    """The keys of what it is said to be in, then its own."""
    range: Range | None
    encoding: PositionEncoding
    server: str


class SymbolsFound(msgspec.Struct, frozen=True, kw_only=True):
    """What all servers know. ``doubts``: why there may be more, each in words; empty when this is all."""

    symbols: tuple[SymbolFound, ...]
    servers: tuple[str, ...]
    doubts: tuple[str, ...]


class _Server(NamedTuple):
    chosen: Chosen
    sample: Path
    language: str


async def find_symbols(call: Call, query: str) -> SymbolsFound:
    """Ask every server of the workspace for symbols that fit ``query`` by its own rule."""
    call.pool.refresh()
    seen = await asyncio.to_thread(survey, call.pool.workspace, call.pool.catalog)
    servers, doubts = _servers(call, [(found.language, found.samples) for found in seen.languages])
    answers = await asyncio.gather(*(_ask(call, server, query) for server in servers))
    return SymbolsFound(
        symbols=tuple(symbol for found, _ in answers for symbol in found),
        servers=tuple(dict.fromkeys(server.chosen.spec.id for server in servers)),
        doubts=tuple(
            dict.fromkeys([*doubts, *(doubt for _, doubt in answers if doubt), *([seen.note] if seen.note else [])])
        ),
    )


def _servers(call: Call, languages: Iterable[tuple[str, Sequence[Path]]]) -> tuple[list[_Server], list[str]]:
    """Each server once a root, with a file to show it: several know no project before they have seen one."""
    found: dict[tuple[str, Path], _Server] = {}
    doubts: list[str] = []
    for language, samples in languages:
        for sample in samples:
            try:
                chosen = call.pool.route(sample).primary
            except GroundwireError as error:
                doubts.append(f"{language}: {error.message}")
                break
            if chosen is not None:
                found.setdefault((chosen.spec.id, chosen.root), _Server(chosen, sample, language))
    return list(found.values()), doubts


async def _ask(call: Call, server: _Server, query: str) -> tuple[list[SymbolFound], str]:
    name = server.chosen.spec.id
    try:
        session = await call.pool.instance(server.chosen).ready(call.deadline)
        document = sync_file(session, server.sample, server.language)
        reply = await ask_across_files(session, WORKSPACE_SYMBOL, {"query": query}, document, call.deadline)
        symbols = decode_workspace_symbols(reply.result)
    except TimeoutError:
        return [], f"{name} is still starting"
    except CapabilityMissing:
        return [], f"{name} does not search the workspace for symbols"
    except GroundwireError as error:
        return [], f"{name}: {error.message}"
    encoding = session.state.capabilities.position_encoding
    found = [_found(symbol, name, encoding) for symbol in symbols if is_file_uri(symbol.location.uri)]
    return found, f"{name}: {reply.incomplete}" if reply.incomplete else ""


def _found(symbol: WorkspaceSymbol, server: str, encoding: PositionEncoding) -> SymbolFound:
    container = keys_of(symbol.container_name) if symbol.container_name else ()
    return SymbolFound(
        name=symbol.name,
        kind=symbol.kind,
        file=Path(uri_to_path(symbol.location.uri, windows=IS_WINDOWS)),
        path=(*container, *keys_of(symbol.name)),
        range=symbol.location.range,
        encoding=encoding,
        server=server,
    )


class SymbolFiles(NamedTuple):
    """The files, relative to the workspace, that hold a symbol; else names close to it, and why it may still exist."""

    files: list[str]
    close: list[str]
    doubt: str


async def files_with_symbol(call: Call, path: SymbolPath) -> SymbolFiles:
    """Where a symbol of this path is; by its last name alone where no server tells what it is in."""
    found = await find_symbols(call, path.keys[-1])
    own = [symbol for symbol in found.symbols if symbol.file.is_relative_to(call.pool.workspace)]
    named = [symbol for symbol in own if symbol.path[-1] == path.keys[-1]]
    whole = [symbol for symbol in named if symbol.path[-len(path.keys) :] == path.keys]
    files = dict.fromkeys(shown_path(symbol.file, call.pool.workspace) for symbol in whole or named)
    close = dict.fromkeys(".".join(symbol.path) for symbol in own)
    doubt = f"; that is not certain: {found.doubts[0]}" if found.doubts else ""
    return SymbolFiles(list(files), list(close)[:_MOST_CLOSE], doubt)

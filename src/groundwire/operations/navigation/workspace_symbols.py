"""Symbols by name in all of the workspace: every server that navigates in one of its languages is asked, at each of its
roots, and what one of them cannot tell is said.

Above: ``targets``, ``search``. Below: ``survey``, ``question``, ``waiting``.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Raw

from groundwire.client.ask import Reply, ask_across_files
from groundwire.client.session import IS_WINDOWS, Session
from groundwire.errors import CapabilityMissing, GroundwireError
from groundwire.operations.files.paths import shown_path
from groundwire.operations.files.survey import Survey, survey
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking, ask_server
from groundwire.operations.text.symbol_paths import SymbolPath
from groundwire.operations.waiting import JoinedWait, Waiting
from groundwire.pool.routing import Chosen
from groundwire.protocol.lsp import Range, decode
from groundwire.protocol.lsp_answers import WorkspaceSymbol, decode_workspace_symbols
from groundwire.protocol.names import is_text
from groundwire.protocol.symbol_tree import keys_of
from groundwire.protocol.uris import is_file_uri, uri_to_path

WORKSPACE_SYMBOL = "workspace/symbol"
RESOLVE = "workspaceSymbol/resolve"
_USUAL_LIMITS = frozenset({100, 128, 200, 250, 256, 300, 400, 500, 512, 1000, 1024, 2000, 2048, 5000, 10_000})
_AT_ITS_LIMIT = "it gave {} symbols, which may be as many as it ever gives; ask for more of the name"
_LISTS_NOTHING = "it lists nothing without a name; ask for one"
_MOST_CLOSE = 5
_LETTERS_TO_GUESS_BY = 3


class SymbolFound(msgspec.Struct, frozen=True, kw_only=True):
    """A symbol somewhere in the workspace, as its server told it."""

    name: str
    kind: int
    file: Path
    path: tuple[str, ...]
    """The keys of what it is said to be in, then its own."""
    told: WorkspaceSymbol
    session: Session


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
    """Ask every server of the workspace for symbols that fit ``query`` by its own rule; an empty one is for all."""
    call.pool.refresh()
    with Waiting(call, lambda: "looking for the languages of the workspace"):
        seen = await asyncio.to_thread(_survey, call)
    languages = [(found.language, found.samples) for each in seen for found in each.languages]
    servers, doubts = _servers(call, languages)
    answers = await _ask_all(call, servers, query)
    return SymbolsFound(
        symbols=tuple(symbol for found, _ in answers for symbol in found),
        servers=tuple(dict.fromkeys(server.chosen.spec.id for server in servers)),
        doubts=tuple(
            dict.fromkeys(
                [*doubts, *(doubt for _, doubt in answers if doubt), *(each.note for each in seen if each.note)]
            )
        ),
    )


def _survey(call: Call) -> list[Survey]:
    """Every folder, by what holds for it."""
    folders = call.pool.folders
    return [survey(folder, folders.terms_at(folder).catalog) for folder in folders]


def _servers(call: Call, languages: Iterable[tuple[str, Sequence[Path]]]) -> tuple[list[_Server], list[str]]:
    """Each server once a root, with a file to show it: several know no project before they have seen one."""
    found: dict[tuple[str, Path], _Server] = {}
    doubts: list[str] = []
    for language, samples in languages:
        for sample in samples if not call.pool.catalog.is_data(language) else ():
            try:
                chosen = call.pool.route(sample).primary
            except GroundwireError as error:
                doubts.append(f"{language}: {error.message}")
                if is_text(str(sample)):  # else it may be about this name alone
                    break
                continue
            if chosen is not None:
                found.setdefault((chosen.spec.id, chosen.root), _Server(chosen, sample, language))
    return list(found.values()), doubts


async def _ask_all(call: Call, servers: Sequence[_Server], query: str) -> list[tuple[list[SymbolFound], str]]:
    wait = JoinedWait(f"asking {', '.join(dict.fromkeys(server.chosen.spec.id for server in servers))} for symbols")

    async def ask(server: _Server) -> tuple[list[SymbolFound], str]:
        key = f"{server.chosen.spec.id} {server.chosen.root}"
        try:
            return await _ask(replace(call, progress=wait.hear(key)), server, query)
        finally:
            wait.forget(key)

    with wait.told_to(call):
        return await asyncio.gather(*map(ask, servers))


async def _ask(call: Call, server: _Server, query: str) -> tuple[list[SymbolFound], str]:
    name = server.chosen.spec.id

    async def put(asking: Asking) -> tuple[Reply[Raw], str]:
        asking.waiting.method, params = WORKSPACE_SYMBOL, {"query": query}
        return await ask_across_files(asking.session, WORKSPACE_SYMBOL, params, asking.document, asking.deadline), ""

    try:
        heard = await ask_server(call, server.chosen, server.sample, server.language, put)
        symbols = decode_workspace_symbols(heard.result)
    except CapabilityMissing:
        return [], f"{name} does not search the workspace for symbols"
    except GroundwireError as error:
        return [], f"{name}: {error.message}"
    found = [_found(symbol, heard.asking.session) for symbol in symbols if is_file_uri(symbol.location.uri)]
    doubt = heard.incomplete or _doubt_of(query, len(symbols))
    return found, f"{name}: {doubt}" if doubt else ""


def _doubt_of(query: str, count: int) -> str:
    """Why a number of symbols may not be all of them."""
    if not query and not count:
        return _LISTS_NOTHING
    return _AT_ITS_LIMIT.format(count) if count in _USUAL_LIMITS else ""


def _found(symbol: WorkspaceSymbol, session: Session) -> SymbolFound:
    container = keys_of(symbol.container_name) if symbol.container_name else ()
    return SymbolFound(
        name=symbol.name,
        kind=symbol.kind,
        file=Path(uri_to_path(symbol.location.uri, windows=IS_WINDOWS)),
        path=(*container, *keys_of(symbol.name)),
        told=symbol,
        session=session,
    )


async def range_of(call: Call, found: SymbolFound) -> Range | None:
    """Where in its file it is; a server may leave that to be asked when it is wanted."""
    told, session = found.told, found.session
    if told.location.range is not None or not session.state.capabilities.options(WORKSPACE_SYMBOL).get(
        "resolveProvider"
    ):
        return told.location.range
    answer = await session.request(RESOLVE, told, timeout=max(call.deadline - session.now(), 0.001))
    return decode(answer, WorkspaceSymbol, RESOLVE).location.range


class SymbolFiles(NamedTuple):
    """The files, relative to the workspace, that hold a symbol; else names close to it, and why it may still exist."""

    files: list[str]
    close: list[str]
    doubt: str


async def files_with_symbol(call: Call, path: SymbolPath) -> SymbolFiles:
    """Where a symbol of this path is; by its last name alone where no server tells what it is in, in any case last."""
    found = await find_symbols(call, path.keys[-1])
    own = _own(found, call)
    named = _named(own, path)
    if not named and not own:  # servers differ in what they take for close; the first letters are close enough to all
        own = _own(await find_symbols(call, path.keys[-1][:_LETTERS_TO_GUESS_BY].lower()), call)
        named = _named(own, path)
    whole = [symbol for symbol in named if symbol.path[-len(path.keys) :] == path.keys]
    files = dict.fromkeys(shown_path(symbol.file, call.pool.workspace) for symbol in whole or named)
    return SymbolFiles(list(files), _close(path, own), found.doubts[0] if found.doubts else "")


def _own(found: SymbolsFound, call: Call) -> list[SymbolFound]:
    return [symbol for symbol in found.symbols if call.pool.folders.holder(symbol.file) is not None]


def _named(symbols: Iterable[SymbolFound], path: SymbolPath) -> list[SymbolFound]:
    named = [symbol for symbol in symbols if symbol.path[-1].casefold() == path.keys[-1].casefold()]
    return [symbol for symbol in named if symbol.path[-1] == path.keys[-1]] or named


def _close(path: SymbolPath, symbols: Iterable[SymbolFound]) -> list[str]:
    by_name: dict[str, str] = {}
    for symbol in symbols:
        by_name.setdefault(symbol.path[-1], ".".join(symbol.path))
    return [by_name[name] for name in get_close_matches(path.keys[-1], by_name, n=_MOST_CLOSE, cutoff=0.5)]

"""Who uses the symbols of files: all are asked for at once, bounded for each server, and each says how far it is known.

All that is heard of one file is about one world (``question``); whether several files are about the same one is looked
at in the end. Above: ``blast_radius``, ``detect_changes``, ``tests_for_file``. Below: ``question``, ``navigate``.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from groundwire.client.ask import Reply
from groundwire.client.session import Session
from groundwire.errors import CapabilityMissing, GroundwireError, RequestTimeout, Wire
from groundwire.operations.answer import Status
from groundwire.operations.navigation.navigate import references_at
from groundwire.operations.navigation.targets import ask_symbols, name_position
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking, ask_about
from groundwire.operations.waiting import JoinedWait, Waiting
from groundwire.protocol.lsp import Location, Position
from groundwire.protocol.symbol_tree import Symbol, walk
from groundwire.protocol.uris import uri_key

AT_ONCE = 16
"""Requests for uses to one server."""
_FILES_AT_ONCE = 64
_NO_TIME = "there was no time left to ask for its uses"
CHANGED = "files changed while the uses were looked for"
CONTAINERS = frozenset({1, 2, 3, 4, 5, 10, 11, 19, 23})
"""Files, modules, namespaces, packages, types and blocks of them, by LSP's numbers: what is in them is declared for
others."""


class Picked(NamedTuple):
    """A symbol whose uses are wanted."""

    symbol: Symbol
    is_exported: bool


Pick = Callable[[Asking, Sequence[Symbol]], Sequence[Picked]]
"""Chooses among the symbols of a file."""


class SymbolUses(NamedTuple):
    """``uses`` are those outside of the symbol itself. ``reason``: why there may be more; empty when confirmed."""

    picked: Picked
    position: Position
    uses: tuple[Location, ...]
    status: Status
    reason: str = ""

    @property
    def symbol(self) -> Symbol:
        """Whose uses they are."""
        return self.picked.symbol


class FileUses(NamedTuple):
    """What was heard of one file. ``doubt``: why it may have more symbols."""

    file: Path
    asking: Asking
    tree: tuple[Symbol, ...]
    symbols: tuple[SymbolUses, ...]
    world: int
    doubt: str = ""

    @property
    def session(self) -> Session:
        """Who was asked."""
        return self.asking.session


class Unheard(NamedTuple):
    """A file of which nothing could be heard."""

    file: Path
    error: GroundwireError


class UsesSearch:
    """The search of one call: how much was asked for by now, and how much at once."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._wait = JoinedWait("looking for symbols")
        self._slots: dict[Session, asyncio.Semaphore] = {}
        self._files = asyncio.Semaphore(_FILES_AT_ONCE)
        self._asked = 0
        self._wanted = 0

    async def ask_all(self, wanted: Sequence[tuple[Path, Pick]]) -> list[FileUses | Unheard]:
        """Each file, in the order given. One about which more is known meanwhile than was heard is asked again."""
        with Waiting(self._call, self._words):
            found = await asyncio.gather(*(self._ask(file, pick) for file, pick in wanted))
            old = [number for number, each in enumerate(found) if not self.is_current(each)]
            again = await asyncio.gather(*(self._ask(*wanted[number]) for number in old))
        for number, each in zip(old, again, strict=True):
            found[number] = each
        return [each if self.is_current(each) else _outdated(each) for each in found]

    def _words(self) -> str:
        if not self._asked:
            return self._wait.words()
        return f"asked for the uses of {self._asked:,} of {self._wanted:,} symbols"

    def is_current(self, heard: FileUses | Unheard) -> bool:
        """Whether nothing that was told since may make it another answer."""
        self._call.pool.refresh()
        return isinstance(heard, Unheard) or heard.session.state.documents.world == heard.world

    async def _ask(self, file: Path, pick: Pick) -> FileUses | Unheard:
        call = replace(self._call, progress=self._wait.hear(str(file)))

        async def put(asking: Asking) -> tuple[Reply[tuple[Sequence[Symbol], list[SymbolUses]]], str]:
            world = asking.session.state.documents.world
            reply = await ask_symbols(asking)
            uses = await self._uses_of(asking, pick(asking, reply.result), _declared(reply.result, asking))
            return Reply((reply.result, uses), reply.incomplete, world), ""

        async with self._files:
            try:
                heard = await ask_about(call, file, put)
            except GroundwireError as error:
                return Unheard(file, error)
            finally:
                self._wait.forget(str(file))
        tree, uses = heard.result
        world = heard.asking.session.state.documents.world
        return FileUses(heard.asking.file, heard.asking, tuple(tree), tuple(uses), world, heard.incomplete)

    async def _uses_of(
        self, asking: Asking, picked: Sequence[Picked], declared: Mapping[str, Collection[Position]]
    ) -> list[SymbolUses]:
        """Where a server is not ready, those of the first symbol by themselves: it is then ready for all others."""
        slots = self._slots.setdefault(asking.session, asyncio.Semaphore(AT_ONCE))
        self._wanted += len(picked)

        async def ask(each: Picked) -> SymbolUses:
            async with slots:
                found = await _references(asking, each, declared.get(each.symbol.path[-1], ()))
                self._asked += 1
                return found

        found = [] if _is_ready(asking.session) else [await ask(each) for each in picked[:1]]
        return [*found, *await asyncio.gather(*map(ask, picked[len(found) :]))]


def _is_ready(session: Session) -> bool:
    state = session.state
    is_checked = not state.unchecked and not state.changed_includes
    return is_checked and session.state.readiness.gate("references", session.now()).is_open


async def _references(asking: Asking, picked: Picked, declared: Collection[Position]) -> SymbolUses:
    position = name_position(picked.symbol, asking)
    if asking.session.now() >= asking.deadline:
        return SymbolUses(picked, position, (), Status.UNKNOWN, _NO_TIME)
    try:
        # A server that takes imports for declarations gives both, and its symbols tell them apart without a question.
        is_mixed = asking.session.options.readiness.takes_imports_for_declarations
        reply = await references_at(include_declaration=is_mixed)(asking, position)
    except CapabilityMissing as error:
        return SymbolUses(picked, position, (), Status.UNSUPPORTED, error.message)
    except (RequestTimeout, Wire) as error:
        return SymbolUses(picked, position, (), Status.UNKNOWN, error.message)
    own, span = uri_key(asking.document.uri), picked.symbol.range
    uses = tuple(
        location
        for location in dict.fromkeys(reply.result)
        if uri_key(location.uri) != own
        or not (span.start <= location.range.start < span.end or (is_mixed and location.range.start in declared))
    )
    status = Status.PARTIAL if reply.incomplete else Status.CONFIRMED
    return SymbolUses(picked, position, uses, status, reply.incomplete)


def _declared(tree: Sequence[Symbol], asking: Asking) -> dict[str, set[Position]]:
    """Where each name is declared, where that must be told from uses."""
    names: dict[str, set[Position]] = {}
    if asking.session.options.readiness.takes_imports_for_declarations:
        for symbol in walk(tree):
            names.setdefault(symbol.path[-1], set()).add(name_position(symbol, asking))
    return names


def _outdated(heard: FileUses | Unheard) -> FileUses | Unheard:
    """As it was heard, which is not proven any more."""
    if isinstance(heard, Unheard):
        return heard
    symbols = tuple(
        each if each.reason else each._replace(status=Status.PARTIAL, reason=CHANGED) for each in heard.symbols
    )
    return heard._replace(symbols=symbols, doubt=heard.doubt or CHANGED)


def declared_for_others(symbols: Sequence[Symbol], around: tuple[Symbol, ...] = ()) -> Iterator[tuple[Symbol, ...]]:
    """Every symbol but what is local to a function or a value, behind all that it is in."""
    for symbol in symbols:
        yield (*around, symbol)
        if symbol.kind in CONTAINERS:
            yield from declared_for_others(symbol.children, (*around, symbol))

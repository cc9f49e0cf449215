"""Users of users: followed level by level, bounded in depth and number, and it is said where that cut something off.

Above: ``blast_radius``. Below: ``impact``, ``impact_places``.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.client.session import IS_WINDOWS
from groundwire.operations.impact.places import UsePlaces, container_in
from groundwire.operations.impact.users import FileUses, Pick, Picked, SymbolUses, Unheard, UsesSearch
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking
from groundwire.operations.results.impact import IndirectCaller
from groundwire.protocol.lsp import Location
from groundwire.protocol.symbol_tree import Symbol
from groundwire.protocol.uris import is_file_uri, uri_to_path

_DEEPEST = 5
_MOST = 300


class Indirect(NamedTuple):
    """``doubt``: why there may be more."""

    callers: tuple[IndirectCaller, ...]
    test_files: frozenset[str]
    doubt: str = ""


class _Use(NamedTuple):
    """A place, and what is used there."""

    place: Location
    of: str


async def follow_users(
    call: Call, search: UsesSearch, places: UsePlaces, heard: Sequence[tuple[FileUses, SymbolUses]]
) -> Indirect:
    """Who uses those that use the symbols, and so on; tests end the way."""
    return await _Following(call, search, places).follow(heard)


class _Following:
    def __init__(self, call: Call, search: UsesSearch, places: UsePlaces) -> None:
        self._call = call
        self._search = search
        self._places = places
        self._seen: set[tuple[Path, str, int]] = set()
        self._callers: list[IndirectCaller] = []
        self._tests: set[str] = set()
        self._doubts: dict[str, None] = {}

    async def follow(self, heard: Sequence[tuple[FileUses, SymbolUses]]) -> Indirect:
        for file, found in heard:
            self._seen.add(_key(file, found.symbol))
        uses = [use for _, found in heard for use in self._onward(found)]
        for depth in range(1, _DEEPEST + 1):
            if not uses or len(self._seen) > _MOST + len(heard):
                break
            uses = await self._level(uses, depth)
        if uses:
            self._doubts[f"users of users were followed {_DEEPEST} levels deep and {_MOST} in number"] = None
        return Indirect(tuple(self._callers), frozenset(self._tests), "; ".join(self._doubts))

    async def _level(self, uses: Sequence[_Use], depth: int) -> list[_Use]:
        """The symbols in which these stand, and where those are used."""
        by_file: dict[Path, list[_Use]] = {}
        for use in uses:
            if is_file_uri(use.place.uri):
                by_file.setdefault(Path(uri_to_path(use.place.uri, windows=IS_WINDOWS)), []).append(use)
        found = await self._search.ask_all([(file, self._standing_round(own)) for file, own in by_file.items()])
        onward: list[_Use] = []
        for each in found:
            if isinstance(each, Unheard):
                self._doubts[f"{each.file.name}: {each.error.message}"] = None
                continue
            for symbol in each.symbols:
                if symbol.reason:
                    self._doubts[f"users of {symbol.symbol.dotted}: {symbol.reason}"] = None
                self._seen.add(_key(each, symbol.symbol))
                if depth > 1:
                    self._note(each, symbol, by_file.get(each.file, ()), depth)
                onward += self._onward(symbol)
        return onward

    def _onward(self, found: SymbolUses) -> Iterable[_Use]:
        present = self._places.present(found)
        self._tests.update(map(self._places.file, present.tests))
        return [_Use(use, found.symbol.dotted) for use in present.others]

    def _standing_round(self, uses: Sequence[_Use]) -> Pick:
        def pick(asking: Asking, tree: Sequence[Symbol]) -> list[Picked]:
            around = (container_in(tree, use.place.range.start.line) for use in uses)
            new = {id(each): each for each in around if each is not None}
            return [
                Picked(each, is_exported=False)
                for each in new.values()
                if (asking.file, each.dotted, each.range.start.line) not in self._seen
            ]

        return pick

    def _note(self, heard: FileUses, found: SymbolUses, uses: Iterable[_Use], depth: int) -> None:
        symbol, span = found.symbol, found.symbol.range
        via = next((use.of for use in uses if span.start.line <= use.place.range.start.line <= span.end.line), "")
        line, column = heard.asking.document.lines.to_human(found.position, heard.asking.encoding)
        self._callers.append(
            IndirectCaller(
                name=symbol.dotted,
                kind=symbol.kind_name,
                file=self._places.file(Location(heard.asking.document.uri, symbol.range)),
                line=line,
                column=column,
                depth=depth,
                via=via,
            )
        )


def _key(heard: FileUses, symbol: Symbol) -> tuple[Path, str, int]:
    return heard.file, symbol.dotted, symbol.range.start.line

"""Uses in people's terms: which of them are tests, and which symbol each of them stands in.

Above: ``blast_radius``, ``detect_changes``, ``tests_for_file``. Below: ``impact``, ``places``, ``test_files``.
"""

import asyncio
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from groundwire.client.ask import Reply
from groundwire.client.disk import read_source
from groundwire.client.session import Session
from groundwire.client.sync import path_of
from groundwire.errors import GroundwireError
from groundwire.operations.files.paths import shown_path
from groundwire.operations.impact.users import AT_ONCE, CONTAINERS, FileUses, SymbolUses
from groundwire.operations.navigation.places import Places
from groundwire.operations.navigation.targets import ask_symbols
from groundwire.operations.operation import Call, no_progress
from groundwire.operations.question import Asking, ask_about
from groundwire.operations.results.context import Caller
from groundwire.operations.results.impact import AffectedSymbol
from groundwire.operations.text.masked_text import Masked
from groundwire.operations.text.syntaxes import RUST, ZIG
from groundwire.operations.text.test_files import is_test_file
from groundwire.protocol.lsp import Location, Range
from groundwire.protocol.symbol_tree import Symbol
from groundwire.protocol.uris import is_file_uri, uri_key

_MOST_USERS, _FEWEST_SHOWN, _MOST_SHOWN = 100, 2, 20
"""Users that are shown: in all, and of one symbol at least and at most, of tests and of others each."""
_MOST_TREES = 16
"""Files that are opened only to name what a use stands in."""
_LARGEST = 1024 * 1024

_TESTS_WITHIN = {
    ".rs": (
        RUST,
        re.compile(
            r"\#\[\s*cfg\s*\(\s*(?:test\b|all\s*\(\s*test\b)[^\]]*\]\s*(?:\#\[[^\]]*\]\s*)*(?:pub\s+)?mod\s+\w+\s*\{"
            r"|\#\[\s*(?:\w+::)*test\b[^\]]*\]\s*(?:\#\[[^\]]*\]\s*)*(?:pub\s+)?(?:async\s+)?fn\s+\w+[^{;]*\{"
        ),
    ),
    ".zig": (ZIG, re.compile(r"\btest\b[^{};()]*\{")),
}
"""Languages whose tests stand in the files that they test: what begins one, up to its bracket."""


_ENDINGS_WITHIN = tuple(_TESTS_WITHIN)

_is_test = lru_cache(maxsize=20_000)(is_test_file)


class UsePlaces:
    """Tells of uses what they are; each file is looked at once."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._below = f"{call.pool.workspace}{os.sep}"
        self._files: dict[str, tuple[str, bool, Sequence[range]]] = {}
        self._places: dict[Session, Places] = {}
        self._trees: dict[str, tuple[Symbol, ...]] = {}
        self._present: dict[int, PresentUses] = {}

    def file(self, use: Location) -> str:
        """The name of its file."""
        return self._file(use.uri)[0]

    def is_test(self, use: Location) -> bool:
        """Whether it stands in a test."""
        _, is_test, regions = self._file(use.uri)
        return is_test or any(use.range.start.line in region for region in regions)

    def is_own_test(self, heard: FileUses, found: SymbolUses) -> bool:
        """Whether a symbol is part of a test itself."""
        return self.is_test(Location(heard.asking.document.uri, found.symbol.range))

    def present(self, found: SymbolUses) -> "PresentUses":
        """By file and place. A use in a file that is not there any more is an index out of date."""
        known = self._present.get(id(found))
        if known is None:
            known = self._present[id(found)] = self._sorted_out(found)
        return known

    def _sorted_out(self, found: SymbolUses) -> "PresentUses":
        placed: list[tuple[str, Range, bool, Location]] = []
        for use in found.uses:
            file, is_test, regions = self._file(use.uri)
            if file:
                is_test = is_test or any(use.range.start.line in region for region in regions)
                placed.append((file, use.range, is_test, use))
        placed.sort(key=lambda each: each[:2])
        return PresentUses(
            found,
            [use for _, _, is_test, use in placed if is_test],
            [use for _, _, is_test, use in placed if not is_test],
            frozenset(file for file, _, _, _ in placed),
        )

    async def read_trees(self, heard: Iterable[FileUses], uses: Iterable[Location]) -> None:
        """Have the servers tell what these stand in, as far as that is cheap: it only adds names."""
        for each in heard:
            self._trees[uri_key(each.asking.document.uri)] = each.tree
        wanted = dict.fromkeys(use.uri for use in uses if is_file_uri(use.uri) and uri_key(use.uri) not in self._trees)
        limit = asyncio.Semaphore(AT_ONCE)
        await asyncio.gather(*(self._read_tree(uri, limit) for uri in list(wanted)[:_MOST_TREES]))

    def affected(self, heard: FileUses, found: SymbolUses, symbols: int = 1) -> AffectedSymbol:
        """The symbol with its users; the more ``symbols`` are shown, the fewer of these."""
        symbol, (_, tests, others, _) = found.symbol, self.present(found)
        most = min(max(_MOST_USERS // max(symbols, 1), _FEWEST_SHOWN), _MOST_SHOWN)
        line, column = heard.asking.document.lines.to_human(found.position, heard.asking.encoding)
        test_ends, other_ends = self._ends(tests), self._ends(others)
        return AffectedSymbol(
            name=symbol.name,
            kind=symbol.kind_name,
            path=symbol.dotted,
            file=shown_path(heard.file, self._call.pool.workspace),
            line=line,
            column=column,
            exported=found.picked.is_exported,
            status=found.status,
            reason=found.reason,
            test_uses=len(tests),
            non_test_uses=len(others),
            test_callers=tuple(self._caller(end, heard.session) for end in test_ends[:most]),
            non_test_callers=tuple(self._caller(end, heard.session) for end in other_ends[:most]),
            hidden=sum(max(len(ends) - most, 0) for ends in (test_ends, other_ends)),
        )

    def container(self, use: Location) -> Symbol | None:
        """The innermost symbol, declared for others, that the use stands in; None where that is not known."""
        return container_in(self._trees.get(uri_key(use.uri), ()), use.range.start.line)

    def _ends(self, uses: Sequence[Location]) -> list["_End"]:
        """Each user once, with all its uses."""
        ends: dict[tuple[str, int], _End] = {}
        for use in uses:
            around = self.container(use)
            key = (use.uri, around.range.start.line if around is not None else -1)
            ends.setdefault(key, _End(around, [])).uses.append(use)
        return list(ends.values())

    def _caller(self, end: "_End", session: Session) -> Caller:
        places = self._places.setdefault(session, Places(session, self._call.pool.workspace))
        place = places.place(end.uses[0].uri, end.uses[0].range)
        return Caller(
            file=place.file,
            line=place.line,
            column=place.column,
            name=end.around.dotted if end.around is not None else "",
            kind=end.around.kind_name if end.around is not None else "",
            text=place.text,
            count=len(end.uses),
        )

    async def _read_tree(self, uri: str, limit: asyncio.Semaphore) -> None:
        async def put(asking: Asking) -> tuple[Reply[tuple[Symbol, ...]], str]:
            return await ask_symbols(asking), ""

        async with limit:
            try:
                heard = await ask_about(replace(self._call, progress=no_progress), Path(path_of(uri)), put)
            except GroundwireError:  # then the use is shown without the name of what it stands in
                return
            self._trees[uri_key(uri)] = heard.result

    def _file(self, uri: str) -> tuple[str, bool, Sequence[range]]:
        """The name to show, empty where the file is gone; whether it holds tests, and where, if only there."""
        known = self._files.get(uri)
        if known is None:
            known = self._files[uri] = self._looked_at(uri)
        return known

    def _looked_at(self, uri: str) -> tuple[str, bool, Sequence[range]]:
        if not is_file_uri(uri):
            return uri, False, ()
        path = path_of(uri)
        if not os.path.exists(path):  # noqa: PTH110  hundreds of files: the name alone is enough
            return "", False, ()
        inside = path.removeprefix(self._below)
        shown = inside.replace(os.sep, "/") if inside != path else shown_path(Path(path), self._call.pool.workspace)
        return shown, _is_test(shown), tests_within(Path(path)) if path.endswith(_ENDINGS_WITHIN) else ()


class PresentUses(NamedTuple):
    """Those of one symbol in files that are there."""

    of: SymbolUses
    tests: list[Location]
    others: list[Location]
    files: frozenset[str]


class _End(NamedTuple):
    around: Symbol | None
    uses: list[Location]


def container_in(tree: Sequence[Symbol], line: int) -> Symbol | None:
    """The innermost symbol, declared for others, whose lines include this one (0-based)."""
    found: Symbol | None = None
    while holding := [each for each in tree if each.range.start.line <= line <= each.range.end.line]:
        found = min(holding, key=lambda each: each.range.end.line - each.range.start.line)
        tree = found.children if found.kind in CONTAINERS else ()
    return found


def tests_within(file: Path) -> Sequence[range]:
    """The lines (0-based) of tests that stand among other code, where a language has them there."""
    known = _TESTS_WITHIN.get(file.suffix)
    if known is None:
        return ()
    syntax, beginning = known
    try:
        masked = Masked(read_source(file, _LARGEST), syntax)
    except GroundwireError:  # its uses then count as no tests, and so never as tested
        return ()
    regions: list[range] = []
    for found in beginning.finditer(masked.code):
        closing = masked.partner(found.end() - 1)
        end = closing if closing is not None else len(masked.code)
        regions.append(range(masked.code.count("\n", 0, found.start()), masked.code.count("\n", 0, end) + 1))
    return regions

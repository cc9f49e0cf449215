"""Who sees a change without naming what was changed: the users of whatever takes its type from it, and their users.

By references all the way, bounded, and it is said where that cut something off.
Above: ``dependents``. Below: ``carriers``, ``question``, ``navigate``.
"""

import asyncio
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.client.ask import Reply
from groundwire.client.disk import read_source
from groundwire.client.session import IS_WINDOWS
from groundwire.errors import CapabilityMissing, GroundwireError
from groundwire.operations.navigation.navigate import references_now
from groundwire.operations.navigation.targets import ask_symbols
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking, ask_about
from groundwire.operations.reporting.carriers import Carrier, Source, carriers_of, is_called
from groundwire.operations.reporting.everything import MOST_DEPENDENTS
from groundwire.operations.reporting.stretched import stretched
from groundwire.protocol.lsp import Location, Position, Range
from groundwire.protocol.symbol_tree import Symbol
from groundwire.protocol.uris import is_file_uri, uri_to_path

FEW_CARRIERS, MOST_CARRIERS = 64, 1_000
"""How many names are followed: where everybody could be looked at instead, and where not."""
_MOST_ROUNDS = 50
_AT_A_TIME = 8
_MOST_OUTLINES = 500
_MOST_TEXTS = 3
"""Of one file: what it is now, what it was when it was last reported, and what it was in between."""
_LARGEST = 1024 * 1024


class Use(NamedTuple):
    """A place that sees the change. ``only_heirs``: if it is in what makes a type from another."""

    file: Path
    range: Range
    is_type: bool
    only_heirs: bool = False
    unless_called: bool = False
    """Calls of what was changed give what they gave."""


class Users(NamedTuple):
    """Files, in the order in which they were found, and why there may be more."""

    files: tuple[Path, ...] = ()
    doubt: str = ""
    is_cut: bool = False
    """There were more names than were to be followed."""


async def find_indirect(call: Call, uses: Sequence[Use], until: float | None, most: int = MOST_CARRIERS) -> Users:
    """The files of those who use what the given uses are in, and so on; those of the given uses are not among them."""
    return await _Following(call, most).follow(uses, until)


def source_of(call: Call, asking: Asking, symbols: Sequence[Symbol]) -> Source:
    """The document that is asked about, with what is known of its language."""
    catalog = call.pool.folders.terms_at(asking.file).catalog
    symbols = stretched(asking.document.lines, symbols, asking.encoding)
    spec = catalog.languages.get(asking.document.language)
    if spec is None:
        return Source(asking.document.lines, symbols, asking.encoding, (), (), is_structural=True)
    how = spec.result_marks, spec.result_words, spec.is_structural, spec.has_overloads
    return Source(asking.document.lines, symbols, asking.encoding, *how)


def uses_in(
    call: Call,
    locations: Iterable[Location],
    *,
    is_type: bool,
    only_heirs: bool = False,
    unless_called: bool = False,
) -> list[Use]:
    """Those in files of the workspace that are there."""
    spans: dict[str, list[Range]] = {}
    for location in locations:
        spans.setdefault(location.uri, []).append(location.range)
    files = {uri: file for uri in spans if (file := _path_of(uri)) is not None and _is_present(call, file)}
    how = is_type, only_heirs, unless_called
    return [Use(file, span, *how) for uri, file in files.items() for span in spans[uri]]


@lru_cache(maxsize=1024)
def _path_of(uri: str) -> Path | None:
    """The same files are met again and again, and a path knows its hash from the second time on."""
    return Path(uri_to_path(uri, windows=IS_WINDOWS)) if is_file_uri(uri) else None


def _is_present(call: Call, file: Path) -> bool:
    return call.pool.folders.holder(file) is not None and os.path.isfile(file)  # noqa: PTH113 - a third of ``is_file``


class Outlines:
    """The symbols of files that were looked at lately, each with its text: whenever a file has that, it has those."""

    def __init__(self) -> None:
        # Each with what it had lately, the latest first.
        self._known: dict[Path, tuple[Source, ...]] = {}
        self._carriers: dict[Path, tuple[Source, dict[Use, tuple[Carrier, ...]]]] = {}

    def carriers(self, source: Source, use: Use) -> tuple[Carrier, ...]:
        """What a use goes on through: found once for each outline."""
        known = self._carriers.get(use.file)
        if known is None or known[0] is not source:
            known = self._carriers[use.file] = source, {}
            _forget_oldest(self._carriers)
        found = known[1]
        if use not in found:
            found[use] = tuple(_carriers(source, use))
        return found[use]

    def get(self, file: Path) -> Source | None:
        """None where it has to be asked for, or cannot be read."""
        if file not in self._known:
            return None
        try:
            return self.of_text(file, read_source(file, _LARGEST))
        except GroundwireError:
            return None

    def of_text(self, file: Path, text: str) -> Source | None:
        """That of the file when it had this text, if it was asked for and is not long ago."""
        return next((source for source in self._known.get(file, ()) if source.lines.text == text), None)

    async def ask(self, call: Call, asking: Asking) -> Reply[Source]:
        """That of the document as the server was told: of the same text it is the same."""
        known, world = self.of_text(asking.file, asking.document.text), asking.session.state.documents.world
        if known is not None and known.encoding == asking.encoding:
            return Reply(known, "", world)
        symbols = await ask_symbols(asking)
        source = source_of(call, asking, symbols.result)
        if not symbols.incomplete:
            self._remember(asking.file, source)
        return symbols.having(source)

    def _remember(self, file: Path, source: Source) -> None:
        """The oldest are forgotten."""
        earlier = self._known.pop(file, ())
        self._known[file] = (source, *earlier)[:_MOST_TEXTS]
        _forget_oldest(self._known)


class _Following:
    """One search. A place is looked at once for each way in which the change can get there."""

    def __init__(self, call: Call, most: int) -> None:
        self._call = call
        self._most = most
        self._seen: set[tuple[Path, Position, bool, bool, bool]] = set()
        self._asked: set[tuple[Path, Carrier]] = set()
        self._left = most
        self._doubts: dict[str, None] = {}
        self._turns = asyncio.Semaphore(_AT_A_TIME)

    async def follow(self, uses: Sequence[Use], until: float | None) -> Users:
        files: dict[Path, None] = {}
        try:
            async with asyncio.timeout_at(until):
                await self._follow(uses, files)
        except TimeoutError:
            self._doubts["there was no time left to find out who takes a type from what was changed"] = None
        return Users(tuple(files), "; ".join(self._doubts), is_cut=self._left < 0)

    async def _follow(self, uses: Sequence[Use], files: dict[Path, None]) -> None:
        for _ in range(_MOST_ROUNDS):
            by_file = self._by_file(uses)
            if not by_file or self._left < 0:
                break
            found = await asyncio.gather(*(self._through(file, own) for file, own in by_file.items()))
            files.update((file, None) for file, each in zip(by_file, found, strict=True) if each is not None)
            uses = [use for each in found for use in each or ()]
            files.update((use.file, None) for use in uses if not use.only_heirs)
            if len(files) > MOST_DEPENDENTS:
                self._doubts["what takes its type from what was changed is in more files than are checked"] = None
                break
        else:
            self._doubts["what takes its type from what was changed goes on and on"] = None

    def _by_file(self, uses: Sequence[Use]) -> dict[Path, list[Use]]:
        new: dict[Path, list[Use]] = {}
        for use in uses:
            key = use.file, use.range.start, use.is_type, use.only_heirs, use.unless_called
            if key not in self._seen:
                self._seen.add(key)
                new.setdefault(use.file, []).append(use)
        return new

    async def _through(self, file: Path, uses: Sequence[Use]) -> list[Use] | None:
        """The uses of what takes its type from these. None: it is nothing to this file."""
        outlines = self._call.pool.kept.get(Outlines)
        outline = outlines.get(file)
        if outline is not None and not any(outlines.carriers(outline, use) for use in uses):
            return None

        async def put(asking: Asking) -> tuple[Reply[list[Use] | None], str]:
            known = await outlines.ask(self._call, asking)
            carriers = [each for use in uses for each in outlines.carriers(known.result, use)]
            if not carriers:
                return Reply(None, known.incomplete, known.world), ""
            found = await asyncio.gather(*(self._uses_of(asking, each) for each in self._new(file, carriers)))
            incomplete = next((reply.incomplete for reply in (known, *found) if reply.incomplete), "")
            return Reply([use for reply in found for use in reply.result], incomplete, known.world), ""

        try:
            async with self._turns:
                heard = await ask_about(self._call, file, put)
        except CapabilityMissing as error:
            self._doubts[error.message] = None
            return None
        except GroundwireError as error:
            self._doubts[f"what takes its type from what was changed is not known in {file.name}: {error.message}"] = (
                None
            )
            return []
        if heard.incomplete:
            self._doubts[heard.incomplete] = None
        return heard.result

    def _new(self, file: Path, carriers: Sequence[Carrier]) -> list[Carrier]:
        new = [each for each in dict.fromkeys(carriers) if (file, each) not in self._asked]
        taken = new[: max(self._left, 0)]
        self._left -= len(new)
        self._asked.update((file, each) for each in taken)
        if len(taken) < len(new):
            doubt = f"only the uses of {self._most:,} symbols that take their types from it were looked for"
            self._doubts[doubt] = None
        return taken

    async def _uses_of(self, asking: Asking, carrier: Carrier) -> Reply[list[Use]]:
        reply = await references_now(asking, carrier.position, include_declaration=True)
        only_heirs = carrier.only_heirs
        return reply.having(uses_in(self._call, reply.result, is_type=carrier.is_type, only_heirs=only_heirs))


def _carriers(source: Source, use: Use) -> Iterator[Carrier]:
    if use.unless_called and is_called(source, use.range):
        return iter(())
    return carriers_of(source, use.range, is_type=use.is_type, only_heirs=use.only_heirs)


def _forget_oldest(kept: dict[Path, Any]) -> None:
    if len(kept) > _MOST_OUTLINES:
        del kept[next(iter(kept))]

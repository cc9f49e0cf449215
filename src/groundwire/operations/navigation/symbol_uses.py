"""Who uses a symbol of a file and what it calls: by the call hierarchy where that is offered, else by its references.

Above: ``editing_context``. Below: ``hierarchy``, ``navigate``, ``places``, ``test_files``.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.client.session import IS_WINDOWS
from groundwire.errors import CapabilityMissing, NoSuchSymbol, RequestTimeout, ServerError, Wire
from groundwire.operations.answer import Status
from groundwire.operations.files.paths import shown_path
from groundwire.operations.navigation.hierarchy import ItemCalls, calls_at
from groundwire.operations.navigation.navigate import references_at
from groundwire.operations.navigation.places import Places
from groundwire.operations.navigation.targets import name_position
from groundwire.operations.question import Asking
from groundwire.operations.results.context import Caller, SymbolCallers
from groundwire.operations.text.test_files import is_test_file
from groundwire.protocol.lsp import Location, Position, Range
from groundwire.protocol.symbol_tree import Symbol, kind_name
from groundwire.protocol.uris import is_file_uri, uri_to_path

CALLABLE = frozenset({6, 9, 12})
"""Method, constructor and function, by LSP's numbers."""

_MOST_SHOWN = 20
"""Of each kind of callers, and of callees."""


class SymbolUses(msgspec.Struct, frozen=True, kw_only=True):
    """What was heard of one symbol; None for what was not asked. ``problem``: why it may not be all."""

    incoming: Sequence[ItemCalls] | None = None
    references: Sequence[Location] | None = None
    outgoing: Sequence[ItemCalls] | None = None
    problem: str = ""
    status: Status = Status.CONFIRMED


async def uses_of(asking: Asking, symbol: Symbol) -> SymbolUses:
    """Ask for them. What cannot be had is in ``problem``."""
    try:
        position = name_position(symbol, asking)
        called = await _calls(asking, position) if symbol.kind in CALLABLE else None
        return called or await _references(asking, position)
    except CapabilityMissing as error:
        return SymbolUses(problem=error.message, status=Status.UNSUPPORTED)
    except (RequestTimeout, Wire) as error:
        return SymbolUses(problem=error.message, status=Status.UNKNOWN)


async def _calls(asking: Asking, position: Position) -> SymbolUses | None:
    """None where the server has no hierarchy of calls, or none of this symbol."""
    try:
        reply = await calls_at("both")(asking, position)
    except (CapabilityMissing, NoSuchSymbol, ServerError):
        return None
    status = Status.PARTIAL if reply.incomplete else Status.CONFIRMED
    found = reply.result
    return SymbolUses(incoming=found.incoming, outgoing=found.outgoing, problem=reply.incomplete, status=status)


async def _references(asking: Asking, position: Position) -> SymbolUses:
    reply = await references_at(include_declaration=False)(asking, position)
    status = Status.PARTIAL if reply.incomplete else Status.CONFIRMED
    return SymbolUses(references=reply.result, problem=reply.incomplete, status=status)


def shown_callers(uses: SymbolUses, places: Places, workspace: Path) -> SymbolCallers | None:
    """In people's terms, those of tests apart. Only files that are shown are read."""
    if uses.incoming is None and uses.references is None:
        return None
    calls = [_End(call.item.name, call.item.kind, call.uri, call.ranges) for call in uses.incoming or ()]
    found = [*calls, *_by_file(uses.references or ())]
    tests = [end for end in found if is_test_file(_shown_file(end.uri, workspace))]
    others = [end for end in found if end not in tests]
    return SymbolCallers(
        test_callers=tuple(_caller(end, places) for end in tests[:_MOST_SHOWN]),
        non_test_callers=tuple(_caller(end, places) for end in others[:_MOST_SHOWN]),
        hidden=sum(max(len(side) - _MOST_SHOWN, 0) for side in (tests, others)),
    )


def shown_callees(uses: SymbolUses, places: Places, workspace: Path) -> tuple[Caller, ...] | None:
    """Where what is called is declared. Only of the workspace: what libraries hold is no concern of one who edits."""
    if uses.outgoing is None:
        return None
    items = [call.item for call in uses.outgoing if _is_own(call.item.uri, workspace)]
    ends = (_End(item.name, item.kind, item.uri, (item.selection_range,)) for item in items[:_MOST_SHOWN])
    return tuple(_caller(end, places) for end in ends)


class _End(NamedTuple):
    """Who or what is at the other end of calls; ``name`` is empty and ``kind`` 0 where only places are known."""

    name: str
    kind: int
    uri: str
    ranges: Sequence[Range]


def _by_file(references: Iterable[Location]) -> list[_End]:
    """One in a file that is not there any more is an index out of date."""
    ranges: dict[str, list[Range]] = {}
    for location in dict.fromkeys(references):
        ranges.setdefault(location.uri, []).append(location.range)
    return [_End("", 0, uri, sorted(own)) for uri, own in sorted(ranges.items()) if _is_there(uri)]


def _caller(end: _End, places: Places) -> Caller:
    place = places.place(end.uri, end.ranges[0] if end.ranges else Range(Position(0, 0), Position(0, 0)))
    return Caller(
        file=place.file,
        line=place.line,
        column=place.column,
        name=end.name,
        kind=kind_name(end.kind) if end.kind else "",
        text=place.text,
        count=len(end.ranges),
    )


def _is_there(uri: str) -> bool:
    return not is_file_uri(uri) or _path(uri).exists()


def _is_own(uri: str, workspace: Path) -> bool:
    return is_file_uri(uri) and _path(uri).is_relative_to(workspace)


def _shown_file(uri: str, workspace: Path) -> str:
    return shown_path(_path(uri), workspace) if is_file_uri(uri) else uri


def _path(uri: str) -> Path:
    return Path(uri_to_path(uri, windows=IS_WINDOWS))

"""Uses that were asked for before, given again while nothing that they depend on has changed (``cache.vault`` says why
that is right).

Two things are kept. Under a position in a file: where the uses are; whoever asks for uses, be it for one symbol or for
two hundred, finds them there. Under the words of a question: which position it meant, so that one that was asked before
is answered without any server, be it that none runs. Only what was confirmed is kept, and only if all of it lies in
files of the workspace. Above: ``navigate``. Below: ``reference_cache``, ``cached_places``.
"""

import zlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.cache.content import short_hash
from groundwire.cache.store import Entry
from groundwire.client.ask import Reply
from groundwire.client.sync import path_of, uri_of
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Answer, Status
from groundwire.operations.arguments import Target, TargetPage
from groundwire.operations.files.paths import existing_file, shown_path
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking
from groundwire.operations.references.cached_places import Span, Uses, shown_uses
from groundwire.operations.references.reference_cache import ReferenceCache, Ticket, reference_cache
from groundwire.operations.results.found import Locations
from groundwire.operations.text.symbol_paths import parse_symbol_path
from groundwire.pool.routing import Chosen
from groundwire.protocol.lsp import Location, Position, Range
from groundwire.protocol.positions import PositionEncoding
from groundwire.protocol.uris import is_file_uri

FROM_CACHE = "from the cache"
_IMPORTED = "from the cache, imported"


class Spot(msgspec.Struct, frozen=True, array_like=True):
    """What a question meant."""

    file: str
    line: int
    character: int
    encoding: PositionEncoding
    note: str = ""


class Traced:
    """One asking for uses: which position it was for, and whether the cache had the answer."""

    def __init__(self) -> None:
        self.spot: Spot | None = None
        self.entry: Entry | None = None
        self.ticket: Ticket | None = None

    @property
    def note(self) -> str:
        """Where the answer comes from, if not from a server."""
        return from_cache(self.entry) if self.entry is not None else ""


def from_cache(*entries: Entry) -> str:
    """In words."""
    return _IMPORTED if any(entry.is_imported for entry in entries) else FROM_CACHE


class _Known(NamedTuple):
    cache: ReferenceCache
    ticket: Ticket
    question: bytes


async def recall_or_ask(
    asking: Asking,
    position: Position,
    ask: Callable[[], Awaitable[Reply[list[Location]]]],
    *,
    include_declaration: bool,
    traced: Traced | None = None,
) -> Reply[list[Location]]:
    """The uses of what is at a position: as they were found before, or as the server says now."""
    traced = traced or Traced()
    spot = traced.spot = _spot(asking, position)
    known = await _known(asking, spot, include_declaration=include_declaration) if spot is not None else None
    if known is None or asking.call is None:
        return await ask()
    traced.ticket = known.ticket
    documents = asking.session.state.documents
    world = documents.world
    entry = await known.cache.find(known.ticket, known.question)
    uses = _uses(known.cache, entry)
    if uses is not None and _is_undisturbed(asking, known, world):
        traced.entry = entry
        return Reply(_located(uses, asking.call.pool.workspace), "", world)
    reply = await ask()
    if not reply.incomplete and reply.world == world and _is_undisturbed(asking, known, world):
        _keep(asking, known, reply.result)
    return reply


async def recall(call: Call, target: TargetPage, *, include_declaration: bool) -> Answer[Locations] | None:
    """The answer to a question that was asked before; None: a server has to be asked."""
    cache, found = reference_cache(call.pool), _routed(call, target)
    if cache is None or found is None:
        return None
    file, chosen = found
    ticket = await cache.ticket(call, chosen)
    spotted = await cache.find(ticket, _words(target, file)) if ticket is not None else None
    spot = _spotted(spotted)
    if ticket is None or spotted is None or spot is None:
        return None
    entry = await cache.find(ticket, _question(spot, include_declaration=include_declaration))
    uses = _uses(cache, entry)
    if entry is None or uses is None:
        return None
    value = shown_uses(call.pool.workspace, uses, spot.encoding, target, call.pool.settings.max_file_size)
    if not cache.is_current(ticket):
        return None
    note = "; ".join(filter(None, (spot.note, from_cache(spotted, entry))))
    return Answer(value=value, status=Status.CONFIRMED, servers=(chosen.spec.id,), note=note)


def remember(call: Call, target: Target, traced: Traced, note: str) -> None:
    """Which position the words meant, once the answer was confirmed."""
    cache, found, spot, ticket = reference_cache(call.pool), _routed(call, target), traced.spot, traced.ticket
    if cache is None or found is None or spot is None or ticket is None or not cache.is_current(ticket):
        return
    spot = msgspec.structs.replace(spot, note=note)
    cache.keep(ticket, _words(target, found[0]), msgspec.msgpack.encode(spot))


async def _known(asking: Asking, spot: Spot, *, include_declaration: bool) -> _Known | None:
    """What the cache is asked with; None where it may not be: the server is shown other content than the disk's."""
    cache = reference_cache(asking.call.pool) if asking.call is not None else None
    instance = asking.waiting.instance
    if cache is None or asking.call is None or instance is None or asking.session.interlude.is_on:
        return None
    ticket = await cache.ticket(asking.call, instance.chosen, asking.session)
    text = short_hash(asking.document.text.encode("utf-8", "surrogateescape"))
    if ticket is None or cache.vault.world.content_of(spot.file) != text:
        return None
    return _Known(cache, ticket, _question(spot, include_declaration=include_declaration))


def _is_undisturbed(asking: Asking, known: _Known, world: int) -> bool:
    """Whether neither the disk nor what the server was told has changed since the ticket was given out."""
    session = asking.session
    if asking.call is None or session.interlude.is_on or not known.cache.is_current(known.ticket):
        return False
    return session.state.documents.world == world and not asking.call.pool.is_outdated(session)


def _keep(asking: Asking, known: _Known, found: list[Location]) -> None:
    instance, call = asking.waiting.instance, asking.call
    by_file: dict[str, list[Span]] = {}
    for location in found:
        file = _relative(location.uri, call.pool.workspace) if call is not None else None
        if file is None or known.cache.vault.world.content_of(file) is None:
            return
        start, end = location.range.start, location.range.end
        by_file.setdefault(file, []).append((start.line, start.character, end.line, end.character))
    known.cache.keep(known.ticket, known.question, zlib.compress(msgspec.msgpack.encode(by_file)))
    if instance is not None:
        known.cache.learn_version(instance.chosen, asking.session)


def _spotted(entry: Entry | None) -> Spot | None:
    """What was kept; None for what nobody here has kept in this form, or would put words of others into the answer."""
    try:
        spot = msgspec.msgpack.decode(entry.body, type=Spot) if entry is not None else None
    except msgspec.MsgspecError:
        return None
    return None if spot is not None and spot.note and entry is not None and entry.is_imported else spot


def _uses(cache: ReferenceCache, entry: Entry | None) -> Uses | None:
    """What was kept; None for what has not this form, or names anything but files of the workspace."""
    if entry is None:
        return None
    try:
        uses = msgspec.msgpack.decode(zlib.decompress(entry.body), type=dict[str, list[Span]])
    except (msgspec.MsgspecError, zlib.error):
        return None
    return uses if all(cache.vault.world.content_of(file) is not None for file in uses) else None


def _located(uses: Uses, workspace: Path) -> list[Location]:
    return [
        Location(uri_of(workspace / file), Range(Position(span[0], span[1]), Position(span[2], span[3])))
        for file, spans in uses.items()
        for span in spans
    ]


def _spot(asking: Asking, position: Position) -> Spot | None:
    if asking.call is None:
        return None
    file = _relative(asking.document.uri, asking.call.pool.workspace)
    return Spot(file, position.line, position.character, asking.encoding) if file is not None else None


def _relative(uri: str, workspace: Path) -> str | None:
    if not is_file_uri(uri):
        return None
    path = Path(path_of(uri))
    return shown_path(path, workspace) if path.is_relative_to(workspace) else None


def _routed(call: Call, target: Target) -> tuple[str, Chosen] | None:
    """The file that is named, and its server. What is wrong with it is for the one to say who asks the server."""
    workspace = call.pool.workspace
    try:
        path = parse_symbol_path(target.symbol, lambda text: (workspace / text).is_file()) if target.symbol else None
        named = (path.file if path is not None else None) or target.file_path
        if not named:
            return None
        file = existing_file(Path(named), workspace)
        primary = call.pool.route(file).primary
    except (GroundwireError, OSError, ValueError):
        return None
    return (shown_path(file, workspace), primary) if primary is not None else None


def _words(target: Target, file: str) -> bytes:
    """The question without how much of the answer is wanted."""
    fields = (target.line, target.column, target.text, target.position_pattern)
    scope = (target.line_scope_start, target.line_scope_end)
    return msgspec.json.encode(["words", target.symbol, file, *fields, *scope])


def _question(spot: Spot, *, include_declaration: bool) -> bytes:
    return msgspec.json.encode(["uses", spot.file, spot.line, spot.character, spot.encoding, include_declaration])

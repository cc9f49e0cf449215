"""Who calls whom, and what derives from what. Each question is a first one, what is meant, and then those about it.

Above: ``table``, ``explore``. Below: ``targets``, ``places``.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.errors import NoSuchSymbol
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import TargetPage
from groundwire.operations.navigation.places import Places
from groundwire.operations.navigation.targets import AskAt, ask_at
from groundwire.operations.operation import Call, operation
from groundwire.operations.pages import Paged, page_of
from groundwire.operations.question import Asking, answer_of
from groundwire.operations.results.hierarchy import CallHierarchy, CallNode, Calls, Node, TypeHierarchy, Types
from groundwire.protocol.lsp import Position, Range, decode_list
from groundwire.protocol.lsp_questions import HierarchyItem, IncomingCall, OutgoingCall
from groundwire.protocol.symbol_tree import kind_name

PREPARE_CALLS = "textDocument/prepareCallHierarchy"
PREPARE_TYPES = "textDocument/prepareTypeHierarchy"
_INCOMING = "callHierarchy/incomingCalls"
_OUTGOING = "callHierarchy/outgoingCalls"
_SUPERTYPES = "typeHierarchy/supertypes"
_SUBTYPES = "typeHierarchy/subtypes"


class FindCallers(TargetPage, frozen=True):
    """A function, and which calls are wanted."""

    direction: Annotated[
        Literal["incoming", "outgoing", "both"], Meta(description="incoming: who calls it; outgoing: what it calls.")
    ] = "both"


class FindTypes(TargetPage, frozen=True):
    """A type, and which of its relatives are wanted."""

    direction: Annotated[
        Literal["supertypes", "subtypes", "both"],
        Meta(description="supertypes: what it derives from; subtypes: what derives from it."),
    ] = "both"


class ItemCalls(NamedTuple):
    """One end of calls: who, and the places of the calls with the file that they are in."""

    item: HierarchyItem
    uri: str
    ranges: tuple[Range, ...]


class CallsHeard(NamedTuple):
    """What the server told; None for what was not asked."""

    items: list[HierarchyItem]
    incoming: list[ItemCalls] | None = None
    outgoing: list[ItemCalls] | None = None


class TypesHeard(NamedTuple):
    """What the server told; None for what was not asked."""

    items: list[HierarchyItem]
    supertypes: list[HierarchyItem] | None = None
    subtypes: list[HierarchyItem] | None = None


@operation(
    "Who calls a function and what it calls, with the place and line of every call.",
    needs=(PREPARE_CALLS,),
    aliases=("call_hierarchy",),
    command="calls",
)
async def find_callers(call: Call, arguments: FindCallers) -> Answer[CallHierarchy]:
    """Calls in both directions."""
    return await _calls(call, arguments, arguments.direction)


@operation("Who calls a function, with the place and line of every call.", needs=(PREPARE_CALLS,), command="callers")
async def callers(call: Call, arguments: TargetPage) -> Answer[CallHierarchy]:
    """Incoming calls only."""
    return await _calls(call, arguments, "incoming")


async def _calls(call: Call, arguments: TargetPage, direction: str) -> Answer[CallHierarchy]:
    heard = await ask_at(call, arguments, calls_at(direction))
    places = Places(heard.asking.session, call.pool.workspace)
    found = heard.result
    hierarchy = CallHierarchy(
        symbols=tuple(_node(item, places) for item in found.items),
        incoming=None if found.incoming is None else shown_calls(found.incoming, arguments, places),
        outgoing=None if found.outgoing is None else shown_calls(found.outgoing, arguments, places),
    )
    return answer_of(heard, hierarchy)


def calls_at(direction: str) -> AskAt[CallsHeard]:
    """Asks for the calls of the function at a position. Raises NoSuchSymbol when there is none."""

    async def ask(asking: Asking, position: Position) -> Reply[CallsHeard]:
        prepared = await _prepare(asking, position, PREPARE_CALLS, "nothing that can be called")
        items = prepared.result
        incoming = None if direction == "outgoing" else await _incoming(asking, items)
        outgoing = None if direction == "incoming" else await _outgoing(asking, items)
        return prepared.having(CallsHeard(items, incoming, outgoing))

    return ask


async def _prepare(asking: Asking, position: Position, method: str, nothing: str) -> Reply[list[HierarchyItem]]:
    reply = await asking.workspace_question(method, {"position": position})
    items = decode_list(reply.result, HierarchyItem, method)
    if not items:
        line, column = asking.document.lines.to_human(position, asking.encoding)
        raise NoSuchSymbol(
            f"at {asking.file.name}:{line}:{column} there is {nothing}",
            hint="Name the symbol, or a place on its name. find_references finds uses of anything.",
            doubt=reply.incomplete,
        )
    return reply.having(items)


async def _incoming(asking: Asking, items: Sequence[HierarchyItem]) -> list[ItemCalls]:
    found: list[ItemCalls] = []
    for item in items:
        raw = await asking.follow_up(_INCOMING, {"item": item})
        found += [
            ItemCalls(call.from_, call.from_.uri, tuple(call.from_ranges))
            for call in decode_list(raw, IncomingCall, _INCOMING)
        ]
    return _by_place(found)


async def _outgoing(asking: Asking, items: Sequence[HierarchyItem]) -> list[ItemCalls]:
    found: list[ItemCalls] = []
    for item in items:
        raw = await asking.follow_up(_OUTGOING, {"item": item})
        found += [
            ItemCalls(call.to, item.uri, tuple(call.from_ranges)) for call in decode_list(raw, OutgoingCall, _OUTGOING)
        ]
    return _by_place(found)


def _by_place(calls: Iterable[ItemCalls]) -> list[ItemCalls]:
    """Each end once, with all of its calls: servers may tell of one function several times."""
    merged: dict[tuple[str, Range, str, str], dict[Range, None]] = {}
    items: dict[tuple[str, Range, str, str], HierarchyItem] = {}
    for call in calls:
        key = (call.item.uri, call.item.selection_range, call.item.name, call.uri)
        items.setdefault(key, call.item)
        merged.setdefault(key, {}).update(dict.fromkeys(call.ranges))
    return [ItemCalls(items[key], key[3], tuple(sorted(merged[key]))) for key in sorted(merged)]


def shown_calls(calls: Sequence[ItemCalls], page: Paged, places: Places) -> Calls:
    """A page of them in people's terms."""
    return Calls(
        calls=tuple(_call_node(call, places) for call in page_of(calls, page)),
        total=len(calls),
        sites=sum(len(call.ranges) for call in calls),
        offset=page.offset,
    )


def _call_node(call: ItemCalls, places: Places) -> CallNode:
    node = _node(call.item, places)
    return CallNode(
        name=node.name,
        kind=node.kind,
        file=node.file,
        line=node.line,
        column=node.column,
        detail=node.detail,
        text=node.text,
        sites=tuple(places.place(call.uri, where) for where in call.ranges),
    )


def _node(item: HierarchyItem, places: Places) -> Node:
    place = places.place(item.uri, item.selection_range)
    return Node(
        name=item.name,
        kind=kind_name(item.kind),
        file=place.file,
        line=place.line,
        column=place.column,
        detail=item.detail or "",
        text=place.text,
    )


@operation(
    "What a type derives from directly, and what derives directly from it.", needs=(PREPARE_TYPES,), command="types"
)
async def type_hierarchy(call: Call, arguments: FindTypes) -> Answer[TypeHierarchy]:
    """Supertypes and subtypes."""
    heard = await ask_at(call, arguments, _types_at(arguments.direction))
    places = Places(heard.asking.session, call.pool.workspace)
    found = heard.result
    hierarchy = TypeHierarchy(
        symbols=tuple(_node(item, places) for item in found.items),
        supertypes=None if found.supertypes is None else _shown_types(found.supertypes, arguments, places),
        subtypes=None if found.subtypes is None else _shown_types(found.subtypes, arguments, places),
    )
    return answer_of(heard, hierarchy)


def _types_at(direction: str) -> AskAt[TypesHeard]:
    async def ask(asking: Asking, position: Position) -> Reply[TypesHeard]:
        prepared = await _prepare(asking, position, PREPARE_TYPES, "no type")
        items = prepared.result
        supertypes = None if direction == "subtypes" else await _relatives(asking, items, _SUPERTYPES)
        subtypes = None if direction == "supertypes" else await _relatives(asking, items, _SUBTYPES)
        return prepared.having(TypesHeard(items, supertypes, subtypes))

    return ask


async def _relatives(asking: Asking, items: Sequence[HierarchyItem], method: str) -> list[HierarchyItem]:
    found: dict[tuple[str, Range, str], HierarchyItem] = {}
    for item in items:
        for other in decode_list(await asking.follow_up(method, {"item": item}), HierarchyItem, method):
            found.setdefault((other.uri, other.selection_range, other.name), other)
    return [found[key] for key in sorted(found)]


def _shown_types(types: Sequence[HierarchyItem], page: Paged, places: Places) -> Types:
    nodes = tuple(_node(item, places) for item in page_of(types, page))
    return Types(types=nodes, total=len(types), offset=page.offset)

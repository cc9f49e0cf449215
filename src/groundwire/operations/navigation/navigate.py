"""From a symbol to where it is declared, defined, implemented and used.

Above: ``table``, ``explore``. Below: ``targets``, ``places``, ``cached_references``.
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.operations.answer import Answer, Status
from groundwire.operations.arguments import TargetPage
from groundwire.operations.navigation.places import locations_of
from groundwire.operations.navigation.targets import AskAt, ask_at
from groundwire.operations.operation import Call, operation
from groundwire.operations.question import Asking, answer_of
from groundwire.operations.references.cached_references import Traced, recall, recall_or_ask, remember
from groundwire.operations.results.found import Locations
from groundwire.protocol.lsp import Location, Position, normalise_locations

DEFINITION = "textDocument/definition"
DECLARATION = "textDocument/declaration"
TYPE_DEFINITION = "textDocument/typeDefinition"
IMPLEMENTATION = "textDocument/implementation"
REFERENCES = "textDocument/references"

_NO_MORE: Mapping[str, object] = {}


class FindReferences(TargetPage, frozen=True):
    """A place in the code, and how much of a long answer is wanted."""

    include_declaration: Annotated[bool, Meta(description="The declaration itself too.")] = False


@operation("Where a symbol is defined, with the line of source.", needs=(DEFINITION,), command="def")
async def go_to_definition(call: Call, arguments: TargetPage) -> Answer[Locations]:
    """Its definition."""
    return await _find(call, arguments, _locations_at(DEFINITION))


@operation("Where a symbol is declared (in C and C++: its header).", needs=(DECLARATION,), command="decl")
async def go_to_declaration(call: Call, arguments: TargetPage) -> Answer[Locations]:
    """Its declaration."""
    return await _find(call, arguments, _locations_at(DECLARATION))


@operation("Where the type of a symbol is defined.", needs=(TYPE_DEFINITION,), command="type-def")
async def go_to_type_definition(call: Call, arguments: TargetPage) -> Answer[Locations]:
    """The definition of its type."""
    return await _find(call, arguments, _locations_at(TYPE_DEFINITION))


@operation("What implements an interface, a trait or an abstract method.", needs=(IMPLEMENTATION,), command="impl")
async def go_to_implementation(call: Call, arguments: TargetPage) -> Answer[Locations]:
    """What implements it."""
    return await _find(call, arguments, _locations_at(IMPLEMENTATION))


@operation(
    "Everywhere a symbol is used, grouped by file, with the lines; complete, or it says why not.",
    needs=(REFERENCES,),
    aliases=("get_references",),
    command="refs",
)
async def find_references(call: Call, arguments: FindReferences) -> Answer[Locations]:
    """All uses."""
    include_declaration = arguments.include_declaration
    known = await recall(call, arguments, include_declaration=include_declaration)
    if known is not None:
        return known
    traced = Traced()
    answer = await _find(call, arguments, references_at(include_declaration=include_declaration, traced=traced))
    if answer.status is Status.CONFIRMED:
        remember(call, arguments, traced, answer.note)
    return msgspec.structs.replace(answer, note="; ".join(filter(None, (answer.note, traced.note))))


def references_at(*, include_declaration: bool, traced: Traced | None = None) -> AskAt[list[Location]]:
    """Asks for all uses of what is at a position, or finds them where they were kept."""
    ask = _uses_at(include_declaration=include_declaration)

    async def ask_once(asking: Asking, position: Position) -> Reply[list[Location]]:
        return await recall_or_ask(
            asking, position, lambda: ask(asking, position), include_declaration=include_declaration, traced=traced
        )

    return ask_once


def _uses_at(*, include_declaration: bool) -> AskAt[list[Location]]:
    async def ask(asking: Asking, position: Position) -> Reply[list[Location]]:
        rule = asking.session.options.readiness
        if include_declaration or not rule.takes_imports_for_declarations:
            return await references_now(asking, position, include_declaration=include_declaration)
        everything = await references_now(asking, position, include_declaration=True)
        defined = await definitions_at(asking, position)
        own = frozenset(defined.result)
        uses = [location for location in everything.result if location not in own]
        return everything.then(defined.having(uses))

    return ask


async def definitions_at(asking: Asking, position: Position) -> Reply[list[Location]]:
    """Asks where what is at a position is defined."""
    return await _locations_at(DEFINITION)(asking, position)


async def references_now(asking: Asking, position: Position, *, include_declaration: bool) -> Reply[list[Location]]:
    """Asks the server for all uses: right after an edit nothing that was kept would fit, and looking costs more."""
    ask = _locations_at(REFERENCES, {"context": {"includeDeclaration": include_declaration}})
    return await ask(asking, position)


def _locations_at(method: str, more: Mapping[str, object] = _NO_MORE) -> AskAt[list[Location]]:
    async def ask(asking: Asking, position: Position) -> Reply[list[Location]]:
        reply = await asking.workspace_question(method, {"position": position, **more})
        return reply.having(normalise_locations(reply.result, method))

    return ask


async def _find(call: Call, arguments: TargetPage, ask: AskAt[list[Location]]) -> Answer[Locations]:
    heard = await ask_at(call, arguments, ask)
    return answer_of(heard, locations_of(heard.asking.session, call.pool.workspace, heard.result, arguments))

"""From a symbol to where it is declared, defined, implemented and used.

Above: ``table``. Below: ``targets``, ``places``.
"""

from typing import Annotated

from msgspec import Meta

from groundwire.client.ask import Reply
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import TargetPage
from groundwire.operations.operation import Call, operation
from groundwire.operations.places import locations_of
from groundwire.operations.question import Asking, answer_of
from groundwire.operations.results import Locations
from groundwire.operations.targets import ask_at
from groundwire.protocol.lsp import Position, normalise_locations

DEFINITION = "textDocument/definition"
DECLARATION = "textDocument/declaration"
TYPE_DEFINITION = "textDocument/typeDefinition"
IMPLEMENTATION = "textDocument/implementation"
REFERENCES = "textDocument/references"


class FindReferences(TargetPage, frozen=True):
    """A place in the code, and how much of a long answer is wanted."""

    include_declaration: Annotated[bool, Meta(description="The declaration itself too.")] = False


@operation("Where a symbol is defined, with the line of source.", needs=(DEFINITION,), command="def")
async def go_to_definition(call: Call, arguments: TargetPage) -> Answer[Locations]:
    """Its definition."""
    return await _find(call, arguments, DEFINITION)


@operation("Where a symbol is declared (in C and C++: its header).", needs=(DECLARATION,), command="decl")
async def go_to_declaration(call: Call, arguments: TargetPage) -> Answer[Locations]:
    """Its declaration."""
    return await _find(call, arguments, DECLARATION)


@operation("Where the type of a symbol is defined.", needs=(TYPE_DEFINITION,), command="type-def")
async def go_to_type_definition(call: Call, arguments: TargetPage) -> Answer[Locations]:
    """The definition of its type."""
    return await _find(call, arguments, TYPE_DEFINITION)


@operation("What implements an interface, a trait or an abstract method.", needs=(IMPLEMENTATION,), command="impl")
async def go_to_implementation(call: Call, arguments: TargetPage) -> Answer[Locations]:
    """What implements it."""
    return await _find(call, arguments, IMPLEMENTATION)


@operation(
    "Everywhere a symbol is used, grouped by file, with the lines; complete, or it says why not.",
    needs=(REFERENCES,),
    aliases=("get_references",),
    command="refs",
)
async def find_references(call: Call, arguments: FindReferences) -> Answer[Locations]:
    """All uses."""
    return await _find(call, arguments, REFERENCES, {"context": {"includeDeclaration": arguments.include_declaration}})


async def _find(
    call: Call, arguments: TargetPage, method: str, more: dict[str, object] | None = None
) -> Answer[Locations]:
    async def ask(asking: Asking, position: Position) -> Reply:
        return await asking.workspace_question(method, {"position": position, **(more or {})})

    heard = await ask_at(call, arguments, ask)
    found = normalise_locations(heard.result, method)
    return answer_of(heard, locations_of(heard.asking.session, call.pool.workspace, found, arguments))

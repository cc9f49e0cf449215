"""A tool as a client sees it: a name and a closed schema that lead to an operation.

Above: ``profiles``. Below: ``operations``, ``output_schemas``.
"""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple, TypeVar, cast

import msgspec
from mcp_types import Tool, ToolAnnotations

from groundwire.errors import InvalidArgument
from groundwire.operations.operation import A, Arguments, Operation, R
from groundwire.operations.table import AnyOperation
from groundwire.render.page import HARD_CAP
from groundwire.surfaces.mcp.output_schemas import output_schema

G = TypeVar("G", bound=Arguments)

_LONGEST_NAME = 200
"""Of an argument: whatever is longer is no misspelling of one, and is not looked for among them."""


_MAX_CHARS = "max_chars"
_LEAST_CHARS = 200
_Budget = Annotated[int, msgspec.Meta(ge=_LEAST_CHARS, le=HARD_CAP, description="Longest text.")]


class Bound(NamedTuple):
    """An operation and its arguments, checked, and how long the text of the answer may be."""

    operation: AnyOperation
    arguments: Arguments
    max_chars: int = HARD_CAP


@dataclass(frozen=True)
class SurfaceTool:
    """One entry of a profile. ``operations`` are those it can lead to."""

    name: str
    summary: str
    schema: Mapping[str, object]
    operations: tuple[AnyOperation, ...]
    lead: Callable[[Mapping[str, object]], Bound]
    aliases: tuple[str, ...] = ()

    def bind(self, given: Mapping[str, object]) -> Bound:
        """The operation that is meant, with its arguments. Raises InvalidArgument."""
        for name, value in given.items():
            if len(name) > _LONGEST_NAME:
                raise InvalidArgument(f"{self.name} has no argument with a name of {len(name):,} characters")
            if not is_text(name) or (isinstance(value, str) and not is_text(value)):
                raise InvalidArgument(f"{self.name}: {name!a} holds half a character", hint="Send well-formed Unicode.")
        return self.lead(given)

    @property
    def needs(self) -> frozenset[str]:
        """LSP methods of which a server must offer one; none when it can do without any server."""
        if any(not operation.needs for operation in self.operations):
            return frozenset()
        return frozenset(method for operation in self.operations for method in operation.needs)


def is_text(value: str) -> bool:
    """Whether it can be sent on: JSON can spell a lone half of a surrogate pair, which is no character."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def tool_of(operation: AnyOperation, unlisted: Container[str] = ()) -> SurfaceTool:
    """An operation under its own name, with its own arguments and a budget for the text.

    ``unlisted`` arguments are understood, but not shown.
    """
    schema = _shown_schema(operation)
    own = {
        name: shown for name, shown in cast("dict[str, object]", schema["properties"]).items() if name not in unlisted
    }
    return SurfaceTool(
        name=operation.name,
        summary=operation.summary,
        schema={**schema, "properties": {**own, _MAX_CHARS: msgspec.json.schema(_Budget)}},
        operations=(operation,),
        lead=lambda given: _within_budget(operation, given),
        aliases=operation.aliases,
    )


def _shown_schema(operation: Operation[A, R]) -> dict[str, object]:
    """Without a word on the arguments as a whole: the tool has its summary, and every argument a description."""
    return {name: value for name, value in operation.schema().items() if name != "description"}


def _within_budget(operation: AnyOperation, given: Mapping[str, object]) -> Bound:
    arguments = operation.parse({name: value for name, value in given.items() if name != _MAX_CHARS})
    wanted = given.get(_MAX_CHARS)
    if wanted is None:
        return Bound(operation, arguments)
    try:
        return Bound(operation, arguments, msgspec.convert(wanted, _Budget, strict=False))
    except (msgspec.ValidationError, RecursionError):
        hint = f"A number from {_LEAST_CHARS} to {HARD_CAP:,}."
        raise InvalidArgument(f"{operation.name}: {_MAX_CHARS} is no such number", hint=hint) from None


def tool_like(
    name: str, summary: str, operation: Operation[A, R], given: type[G], translate: Callable[[G], A]
) -> SurfaceTool:
    """An operation under another name, with other arguments, which ``translate`` turns into its own."""
    # Only its schema and its checks are used: they speak of the names that the client knows.
    spoken = cast("Operation[G, R]", replace(cast("AnyOperation", operation), name=name, arguments=given, aliases=()))
    return SurfaceTool(
        name=name,
        summary=summary,
        schema=_shown_schema(spoken),
        operations=(operation,),
        lead=lambda members: Bound(operation, translate(spoken.parse(members))),
    )


def listed(tool: SurfaceTool, *, with_output: bool) -> Tool:
    """The tool as ``tools/list`` shows it."""
    return Tool(
        name=tool.name,
        description=tool.summary,
        input_schema=dict(tool.schema),
        output_schema=output_schema(tool.operations) if with_output else None,
        annotations=_annotations(tool),
    )


def _annotations(tool: SurfaceTool) -> ToolAnnotations:
    """Those that the protocol does not take for granted: every byte of them is read by a model.

    What only reads destroys nothing, and what writes is taken to destroy.
    """
    effects = {operation.effect for operation in tool.operations}
    if effects <= {"reads", "simulates"}:
        return ToolAnnotations(read_only_hint=True, open_world_hint=False)
    if effects & {"writes", "executes"}:
        return ToolAnnotations(open_world_hint=False)
    return ToolAnnotations(destructive_hint=False, idempotent_hint=True, open_world_hint=False)

"""A tool as a client sees it: a name and a closed schema that lead to an operation.

Above: ``profiles``. Below: ``operations``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar, cast

from mcp_types import Tool, ToolAnnotations

from groundwire.errors import InvalidArgument
from groundwire.operations.operation import A, Arguments, Operation, R
from groundwire.operations.table import AnyOperation

G = TypeVar("G", bound=Arguments)

_LONGEST_NAME = 200
"""Of an argument: whatever is longer is no misspelling of one, and is not looked for among them."""


class Bound(NamedTuple):
    """An operation and its arguments, checked."""

    operation: AnyOperation
    arguments: Arguments


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
        for name in given:
            if len(name) > _LONGEST_NAME:
                raise InvalidArgument(f"{self.name} has no argument with a name of {len(name):,} characters")
        return self.lead(given)

    @property
    def needs(self) -> frozenset[str]:
        """LSP methods of which a server must offer one; none when it can do without any server."""
        if any(not operation.needs for operation in self.operations):
            return frozenset()
        return frozenset(method for operation in self.operations for method in operation.needs)


def tool_of(operation: AnyOperation) -> SurfaceTool:
    """An operation under its own name, with its own arguments."""
    return SurfaceTool(
        name=operation.name,
        summary=operation.summary,
        schema=operation.schema(),
        operations=(operation,),
        lead=lambda given: Bound(operation, operation.parse(given)),
        aliases=operation.aliases,
    )


def tool_like(
    name: str, summary: str, operation: Operation[A, R], given: type[G], translate: Callable[[G], A]
) -> SurfaceTool:
    """An operation under another name, with other arguments, which ``translate`` turns into its own."""
    # Only its schema and its checks are used: they speak of the names that the client knows.
    spoken = cast("Operation[G, R]", replace(cast("AnyOperation", operation), name=name, arguments=given, aliases=()))
    return SurfaceTool(
        name=name,
        summary=summary,
        schema=spoken.schema(),
        operations=(operation,),
        lead=lambda members: Bound(operation, translate(spoken.parse(members))),
    )


def listed(tool: SurfaceTool, *, with_output: bool) -> Tool:
    """The tool as ``tools/list`` shows it."""
    return Tool(
        name=tool.name,
        description=tool.summary,
        input_schema=dict(tool.schema),
        output_schema=_output_schema(tool) if with_output else None,
        annotations=_annotations(tool),
    )


def _annotations(tool: SurfaceTool) -> ToolAnnotations:
    effects = {operation.effect for operation in tool.operations}
    writes = "writes" in effects
    return ToolAnnotations(
        read_only_hint=not writes, destructive_hint=writes, idempotent_hint=effects == {"reads"}, open_world_hint=False
    )


def _output_schema(tool: SurfaceTool) -> dict[str, Any]:
    """The envelope of every answer round the operation's own result."""
    own = _undescribed(tool.operations[0].result_schema()) if len(tool.operations) == 1 else {"type": "object"}
    shapes = own.pop("$defs", None)
    text = {"type": "string"}
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            "status": {"enum": ["confirmed", "partial", "unknown", "unsupported"]},
            "reason": text,
            "servers": {"type": "array", "items": text},
            "elapsed_ms": {"type": "number"},
            "result": own,
            "note": text,
        },
        "required": ["status", "reason", "servers", "elapsed_ms", "result"],
    }
    return {**schema, "$defs": shapes} if shapes else schema


def _undescribed(schema: Mapping[str, object]) -> dict[str, object]:
    """Without prose: programs read what comes out, and models pay for every byte of the list."""
    return {
        name: _bare(value) for name, value in schema.items() if not (name == "description" and isinstance(value, str))
    }


def _bare(value: object) -> object:
    if isinstance(value, dict):
        return _undescribed(cast("dict[str, object]", value))
    return [_bare(each) for each in cast("list[object]", value)] if isinstance(value, list) else value

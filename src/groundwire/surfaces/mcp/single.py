"""One tool, ``Lsp``: its ``kind`` says what is asked. Lines and characters are 1-based.

Above: ``profiles``. Below: ``tools``, ``operations``.
"""

from collections.abc import Mapping
from typing import Annotated, cast

from msgspec import Meta

from groundwire.errors import InvalidArgument
from groundwire.operations.arguments import Target, TargetPage
from groundwire.operations.diagnostics.get_diagnostics import GetDiagnostics, get_diagnostics
from groundwire.operations.navigation.inspect import inspect_symbol
from groundwire.operations.navigation.navigate import FindReferences, find_references, go_to_definition
from groundwire.operations.navigation.search import FindSymbol, find_symbol
from groundwire.operations.operation import Arguments
from groundwire.surfaces.mcp.tools import Bound, SurfaceTool, tool_like

_NAME = "Lsp"
_NEEDS = "All but workspace_symbol need file, and all but diagnostics line and character with it."


class _File(Arguments, frozen=True):
    file: Annotated[str, Meta(min_length=1, description="File, absolute or relative to the workspace.")]


class _Place(_File, frozen=True):
    line: Annotated[int, Meta(ge=1, description="1-based line.")]
    character: Annotated[int, Meta(ge=1, description="1-based column, in characters.")]


class _Query(Arguments, frozen=True):
    query: Annotated[str, Meta(description="For workspace_symbol: a name, or part of one.")] = ""


KINDS: Mapping[str, SurfaceTool] = {
    "go_to_def": tool_like(
        _NAME,
        "where a symbol is defined",
        go_to_definition,
        _Place,
        lambda given: TargetPage(file_path=given.file, line=given.line, column=given.character),
    ),
    "hover": tool_like(
        _NAME,
        "its type and documentation",
        inspect_symbol,
        _Place,
        lambda given: Target(file_path=given.file, line=given.line, column=given.character),
    ),
    "references": tool_like(
        _NAME,
        "all its uses",
        find_references,
        _Place,
        lambda given: FindReferences(file_path=given.file, line=given.line, column=given.character),
    ),
    "workspace_symbol": tool_like(
        _NAME, "symbols by name", find_symbol, _Query, lambda given: FindSymbol(query=given.query)
    ),
    "diagnostics": tool_like(
        _NAME, "what is wrong in a file", get_diagnostics, _File, lambda given: GetDiagnostics(file_path=given.file)
    ),
}


def single_tool(kinds: Mapping[str, SurfaceTool]) -> SurfaceTool:
    """All of them in one: those that are hidden are left out of the description and of the schema."""
    told = ", ".join(f"{kind} ({tool.summary})" for kind, tool in kinds.items())
    return SurfaceTool(
        name=_NAME,
        summary=f"Asks the language server: {told}. {_NEEDS}",
        schema=_schema(kinds),
        operations=tuple(operation for tool in kinds.values() for operation in tool.operations),
        lead=lambda given: _lead(kinds, given),
    )


def _schema(kinds: Mapping[str, SurfaceTool]) -> dict[str, object]:
    arguments: dict[str, object] = {"kind": {"enum": list(kinds), "description": "What is asked."}}
    for tool in kinds.values():
        arguments |= cast("dict[str, object]", tool.schema["properties"])
    return {"type": "object", "properties": arguments, "required": ["kind"], "additionalProperties": False}


def _lead(kinds: Mapping[str, SurfaceTool], given: Mapping[str, object]) -> Bound:
    kind = given.get("kind")
    tool = kinds.get(kind) if isinstance(kind, str) else None
    if tool is None:
        raise InvalidArgument("kind says nothing that can be asked", hint=f"Kinds: {', '.join(kinds)}.")
    return tool.bind({name: value for name, value in given.items() if name != "kind"})

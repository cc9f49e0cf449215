"""Six tools with a 1-based line and a 0-based character.

Above: ``profiles``. Below: ``tools``, ``operations``.
"""

from typing import Annotated

from msgspec import Meta

from groundwire.operations.arguments import Target, TargetPage
from groundwire.operations.navigation.inspect import inspect_symbol
from groundwire.operations.navigation.navigate import FindReferences, find_references, go_to_definition
from groundwire.operations.navigation.search import FindSymbol, find_symbol
from groundwire.operations.navigation.symbols import ListSymbols, list_symbols
from groundwire.operations.operation import Arguments
from groundwire.surfaces.mcp.tools import SurfaceTool, tool_like

_Path = Annotated[str, Meta(description="File path, relative to the workspace.")]


class _Place(Arguments, frozen=True):
    path: _Path
    line: Annotated[int, Meta(ge=1, description="Line number (1-based).")]
    character: Annotated[int, Meta(ge=0, description="Column number (0-based).")]


class _References(_Place, frozen=True):
    include_declaration: Annotated[bool, Meta(description="Include the declaration itself.")] = True


class _Query(Arguments, frozen=True):
    query: Annotated[str, Meta(description="Symbol name, or part of one, to search for.")]


class _File(Arguments, frozen=True):
    path: _Path


OPTA: tuple[SurfaceTool, ...] = (
    tool_like(
        "lsp_definition",
        "Where the symbol at a position is defined.",
        go_to_definition,
        _Place,
        lambda given: TargetPage(file_path=given.path, line=given.line, column=given.character + 1),
    ),
    tool_like(
        "lsp_references",
        "All uses of the symbol at a position, across the workspace.",
        find_references,
        _References,
        lambda given: FindReferences(
            file_path=given.path,
            line=given.line,
            column=given.character + 1,
            include_declaration=given.include_declaration,
        ),
    ),
    tool_like(
        "lsp_hover",
        "Type and documentation of the symbol at a position.",
        inspect_symbol,
        _Place,
        lambda given: Target(file_path=given.path, line=given.line, column=given.character + 1),
    ),
    tool_like(
        "lsp_symbols",
        "Functions, classes and variables of the whole workspace, by name.",
        find_symbol,
        _Query,
        lambda given: FindSymbol(query=given.query),
    ),
    tool_like(
        "lsp_document_symbols",
        "Everything that a file defines.",
        list_symbols,
        _File,
        lambda given: ListSymbols(file_path=given.path),
    ),
)

"""Six tools that look at one workspace and at nothing outside it.

Above: ``profiles``. Below: ``tools``, ``operations``.
"""

from typing import Annotated

from msgspec import Meta

from groundwire.operations.arguments import FileArguments, FilePath, Limit, Offset, Target, TargetPage
from groundwire.operations.diagnostics.get_diagnostics import GetDiagnostics, get_diagnostics
from groundwire.operations.navigation.inspect import inspect_symbol
from groundwire.operations.navigation.navigate import FindReferences, find_references, go_to_definition
from groundwire.operations.navigation.search import FindSymbol, find_symbol
from groundwire.operations.navigation.symbols import ListSymbols, list_symbols
from groundwire.operations.operation import Arguments
from groundwire.surfaces.mcp.tools import SurfaceTool, tool_like


class _Place(Arguments, frozen=True):
    file_path: FilePath
    line: Annotated[int, Meta(ge=1, description="1-based line.")]
    column: Annotated[int, Meta(ge=1, description="1-based column, in characters.")]


class _References(_Place, frozen=True):
    include_declaration: Annotated[bool, Meta(description="Include the declaration itself.")] = False
    limit: Limit = 100
    offset: Offset = 0


class _Query(Arguments, frozen=True):
    query: Annotated[str, Meta(description="Name, or part of one.")]
    limit: Limit = 100
    offset: Offset = 0


class _Findings(Arguments, frozen=True):
    file_path: Annotated[str, Meta(description="File; without it, all that have changed or are open.")] = ""
    limit: Limit = 100
    offset: Offset = 0


NAVIGATION: tuple[SurfaceTool, ...] = (
    tool_like(
        "lsp_goto_definition",
        "Where the symbol at a position is defined.",
        go_to_definition,
        _Place,
        lambda given: TargetPage(file_path=given.file_path, line=given.line, column=given.column),
    ),
    tool_like(
        "lsp_find_references",
        "All uses of the symbol at a position.",
        find_references,
        _References,
        lambda given: FindReferences(
            file_path=given.file_path,
            line=given.line,
            column=given.column,
            include_declaration=given.include_declaration,
            limit=given.limit,
            offset=given.offset,
        ),
    ),
    tool_like(
        "lsp_hover",
        "Type and documentation of the symbol at a position.",
        inspect_symbol,
        _Place,
        lambda given: Target(file_path=given.file_path, line=given.line, column=given.column),
    ),
    tool_like(
        "lsp_document_symbols",
        "All symbols of a file: functions, classes, variables.",
        list_symbols,
        FileArguments,
        lambda given: ListSymbols(file_path=given.file_path),
    ),
    tool_like(
        "lsp_workspace_symbols",
        "Symbols of the whole workspace by name.",
        find_symbol,
        _Query,
        lambda given: FindSymbol(query=given.query, limit=given.limit, offset=given.offset),
    ),
    tool_like(
        "lsp_diagnostics",
        "Errors and warnings as the files are now: of one file, or of all that have changed since the last commit "
        "(without git: that are open).",
        get_diagnostics,
        _Findings,
        lambda given: GetDiagnostics(file_path=given.file_path, limit=given.limit, offset=given.offset),
    ),
)

"""What is wrong in files, as they are on disk now, and how far that is proven.

Above: ``table``. Below: ``scope`` (which files), ``check_many`` and ``diagnostics_by_symbol`` (their
findings), ``diagnostics_result``.
"""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import FilePath, Limit, Offset
from groundwire.operations.diagnostics.by_symbol import check_by_symbol
from groundwire.operations.diagnostics.check_many import check_many
from groundwire.operations.diagnostics.result import DiagnosticsResult
from groundwire.operations.diagnostics.scope import find_files
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.results.diagnostics import Diagnostics


class GetDiagnostics(Arguments, frozen=True):
    """Which files, and how much of what is found is wanted.

    Everything down to hints by default: that there is nothing can only be told of what was asked for. The most severe
    come first, so that a page that is cut loses the least.
    """

    file_path: FilePath = ""
    file_paths: Annotated[tuple[str, ...], Meta(max_length=1000, description="Several files or directories.")] = ()
    scope: Annotated[
        Literal["", "file", "open", "changed", "workspace"],
        Meta(description="changed: since the last commit; open: asked about before. Instead of files."),
    ] = ""
    severity: Annotated[
        Literal["error", "warning", "information", "hint"], Meta(description="Least severity to show.")
    ] = "hint"
    group_by: Annotated[Literal["", "symbol"], Meta(description="symbol: by innermost symbol, of one file.")] = ""
    limit: Limit = 100
    offset: Offset = 0


@operation(
    "Errors and warnings of files as they are on disk now. Without a file: of those changed since the last commit, "
    "else of those open.",
    command="diagnostics",
)
async def get_diagnostics(call: Call, arguments: GetDiagnostics) -> Answer[Diagnostics]:
    """What is wrong."""
    given = (arguments.file_path, *arguments.file_paths)
    found = await find_files(call, tuple(Path(name) for name in given if name), arguments.scope)
    if arguments.group_by:
        if found.scope != "file" or len(found.files) != 1:
            raise InvalidArgument("only the findings of one file can be grouped", hint="Give file_path.")
        checked, outline, note = await check_by_symbol(call, found.files[0])
        return DiagnosticsResult(arguments, found, checked).by_symbol(outline, _noted(call, note))
    checked = await check_many(call, found.files, found.named)
    return DiagnosticsResult(arguments, found, checked).by_file(_noted(call, found.note))


def _noted(call: Call, note: str) -> str:
    return "; ".join(filter(None, [note, call.pool.watcher_note]))

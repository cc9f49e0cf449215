"""Arguments that many operations share: which place is meant, and how much is wanted.

Above: the operations. Below: ``operation``.
"""

from typing import Annotated

from msgspec import Meta

from groundwire.operations.operation import Arguments

FilePath = Annotated[str, Meta(description="File, absolute or relative to the workspace.")]
Limit = Annotated[int, Meta(ge=1, le=10_000, description="Most results to show.")]
Offset = Annotated[int, Meta(ge=0, description="Results to skip.")]


class FileArguments(Arguments, frozen=True):
    """One file."""

    file_path: FilePath


class FilePage(FileArguments, frozen=True):
    """One file, and how much of a long answer is wanted."""

    limit: Limit = 100
    offset: Offset = 0


class FileRange(FilePage, frozen=True):
    """A file or a part of it, and how much of a long answer is wanted."""

    start_line: Annotated[int, Meta(ge=0, description="1-based; without it, from the top.")] = 0
    start_column: Annotated[int, Meta(ge=0, description="1-based, in characters.")] = 0
    end_line: Annotated[int, Meta(ge=0, description="Last line; without it, to the end.")] = 0
    end_column: Annotated[int, Meta(ge=0, description="Just behind the last character; without it, all of it.")] = 0


class Page(Arguments, frozen=True):
    """How much of a long answer is wanted."""

    limit: Limit = 100
    offset: Offset = 0


class Target(Arguments, frozen=True):
    """A place in the code: a symbol by name, or a file with line and column, line and text, or a pattern."""

    symbol: Annotated[
        str,
        Meta(description="Symbol by name: Class.method, file.py::Class.method, name[2] for the second of that name."),
    ] = ""
    file_path: FilePath = ""
    line: Annotated[int, Meta(ge=0, description="1-based line.")] = 0
    column: Annotated[int, Meta(ge=0, description="1-based column, in characters.")] = 0
    text: Annotated[str, Meta(description="Text on that line, instead of a column.")] = ""
    position_pattern: Annotated[str, Meta(description="Piece of the file with @@ just before the place meant.")] = ""
    line_scope_start: Annotated[int, Meta(ge=0, description="First line to search the pattern in.")] = 0
    line_scope_end: Annotated[int, Meta(ge=0, description="Last line to search the pattern in.")] = 0


class TargetPage(Target, frozen=True):
    """A place in the code, and how much of a long answer is wanted."""

    limit: Limit = 100
    offset: Offset = 0

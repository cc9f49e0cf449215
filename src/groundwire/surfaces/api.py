"""The Python API: a workspace whose operations are methods, with typed arguments and typed answers.

    async with groundwire.open(root) as workspace:
        answer = await workspace.find_references(symbol="Repository.save")

Above: Python programs. Below: ``operations``, ``pool``.
"""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Generic, ParamSpec, Self, overload

import msgspec

from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.operations import (
    arguments,
    completions,
    decorations,
    explore,
    hierarchy,
    inspect,
    navigate,
    search,
    symbols,
    tokens,
)
from groundwire.operations.answer import Answer
from groundwire.operations.operation import A, Operation, R
from groundwire.operations.runner import WAIT_S, perform
from groundwire.pool.opening import open_pool
from groundwire.pool.pool import Pool

P = ParamSpec("P")


class Method(Generic[P, A, R]):
    """An operation as a method of a workspace: what it takes are the fields of its arguments, by name."""

    def __init__(self, operation: Operation[A, R], shape: Callable[P, A]) -> None:
        # The shape is there for type checkers: only the class itself tells them the names and types of its fields.
        if shape is not operation.arguments:
            raise TypeError(f"{operation.name} has other arguments")
        self.operation = operation
        self.__doc__ = operation.summary

    @overload
    def __get__(self, workspace: None, owner: object) -> Self: ...
    @overload
    def __get__(self, workspace: "Workspace", owner: object) -> Callable[P, Awaitable[Answer[R]]]: ...
    def __get__(self, workspace: "Workspace | None", owner: object) -> Self | Callable[P, Awaitable[Answer[R]]]:
        if workspace is None:
            return self

        async def ask(*args: P.args, **given: P.kwargs) -> Answer[R]:
            if args:
                raise InvalidArgument(f"{self.operation.name} takes its arguments by name")
            return await workspace.run(self.operation, self.operation.parse(given))

        return ask


class Workspace:
    """A directory and the language servers for it, which start when they are needed and end with it."""

    def __init__(self, pool: Pool, *, wait_s: float = WAIT_S) -> None:
        self.pool = pool
        self.wait_s = wait_s
        """How long an answer may take."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends every server."""
        await self.pool.stop()

    async def run(self, operation: Operation[A, R], given: A) -> Answer[R]:
        """Any operation. Raises a GroundwireError when there is no answer at all."""
        # Structs made by hand have not been checked.
        checked = operation.parse(msgspec.to_builtins(given))
        return await perform(self.pool, operation, checked, wait_s=self.wait_s)

    explore_symbol = Method(explore.explore_symbol, arguments.Target)
    find_symbol = Method(search.find_symbol, search.FindSymbol)
    list_symbols = Method(symbols.list_symbols, symbols.ListSymbols)
    go_to_symbol = Method(symbols.go_to_symbol, symbols.GoToSymbol)
    get_symbol_source = Method(symbols.get_symbol_source, arguments.Target)
    inspect_symbol = Method(inspect.inspect_symbol, arguments.Target)
    get_signature_help = Method(inspect.get_signature_help, arguments.Target)
    get_completions = Method(completions.get_completions, completions.GetCompletions)
    go_to_definition = Method(navigate.go_to_definition, arguments.TargetPage)
    go_to_declaration = Method(navigate.go_to_declaration, arguments.TargetPage)
    go_to_type_definition = Method(navigate.go_to_type_definition, arguments.TargetPage)
    go_to_implementation = Method(navigate.go_to_implementation, arguments.TargetPage)
    find_references = Method(navigate.find_references, navigate.FindReferences)
    get_document_highlights = Method(inspect.get_document_highlights, arguments.TargetPage)
    find_callers = Method(hierarchy.find_callers, hierarchy.FindCallers)
    callers = Method(hierarchy.callers, arguments.TargetPage)
    type_hierarchy = Method(hierarchy.type_hierarchy, hierarchy.FindTypes)
    get_inlay_hints = Method(decorations.get_inlay_hints, arguments.FileRange)
    get_semantic_tokens = Method(tokens.get_semantic_tokens, arguments.FileRange)
    get_folding_ranges = Method(decorations.get_folding_ranges, arguments.FilePage)
    get_selection_ranges = Method(decorations.get_selection_ranges, arguments.Target)
    get_code_lenses = Method(decorations.get_code_lenses, arguments.FilePage)


def open(root: str | os.PathLike[str], *, wait_s: float = WAIT_S) -> Workspace:  # noqa: A001  groundwire.open is its name
    """The workspace of a directory, as its configuration says. Raises a GroundwireError when that is not valid."""
    return Workspace(open_pool(existing_directory(root)), wait_s=wait_s)


def existing_directory(root: str | os.PathLike[str]) -> Path:
    """The directory, absolute. Raises FileNotFound or InvalidArgument."""
    directory = Path(root).resolve()
    if not directory.exists():
        raise FileNotFound(f"there is no directory {root}")
    if not directory.is_dir():
        raise InvalidArgument(f"{root} is not a directory", hint="Name the directory of the project.")
    return directory

"""What is shown to one who is about to use or to edit something: its documentation, and what a file is bound up with.

Above: the operations and ``render``. Below: ``results``, ``results_hierarchy``.
"""

from typing import Literal

from groundwire.operations.operation import Result
from groundwire.operations.results.found import Item
from groundwire.operations.results.hierarchy import MissingPart


class Documentation(Result, frozen=True):
    """Documentation of a symbol: the toolchain's, or what the language server shows of it."""

    symbol: str
    language: str
    source: Literal["toolchain", "server"]
    signature: str
    doc: str


class ImportStatement(Item, frozen=True):
    """A statement that reads like an import, as it stands in the file."""

    line: int
    text: str


class Caller(Item, frozen=True):
    """One end of a call or another use; the place is that of the first of ``count`` uses there.

    Without a name the server told only the places.
    """

    file: str
    line: int
    column: int
    name: str = ""
    kind: str = ""
    text: str = ""
    count: int = 1


class SymbolCallers(Item, frozen=True):
    """Who calls or uses a symbol. ``hidden`` counts those that are not shown."""

    test_callers: tuple[Caller, ...]
    non_test_callers: tuple[Caller, ...]
    hidden: int = 0


class ContextSymbol(Item, frozen=True):
    """A symbol of a file. ``line`` and ``column`` are its name's, ``start_line`` to ``end_line`` all of it.

    What is left out (``callers`` of a field, ``callees`` of a class) was not asked for, or ``missing`` says why not.
    """

    name: str
    kind: str
    path: str
    line: int
    column: int
    start_line: int
    end_line: int
    signature: str = ""
    """The lines of its declaration as they stand in the file."""
    callers: SymbolCallers | None = None
    callees: tuple[Caller, ...] | None = None
    """What it calls in this workspace."""


class EditingContext(Result, frozen=True, omit_defaults=True):
    """A file, its symbols and what they are bound up with. ``total`` counts all symbols but those within functions.

    ``not_modified``: what was answered under this etag still holds, and nothing else is said. Without an etag the
    answer may be another the next time although nothing changes.
    """

    file: str
    etag: str = ""
    not_modified: bool = False
    symbols: tuple[ContextSymbol, ...] = ()
    total: int = 0
    offset: int = 0
    imports: tuple[ImportStatement, ...] = ()
    missing: tuple[MissingPart, ...] = ()

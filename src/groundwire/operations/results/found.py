"""What operations find, as it is shown: the fields are those of the JSON that every surface gives.

Positions are 1-based characters; files are relative to the workspace, absolute outside it. See also
``results_hierarchy`` and ``results_decorations``. Above: the operations and ``render``. Below: ``operation``,
``answer``.
"""

from typing import Literal

import msgspec

from groundwire.operations.answer import Place
from groundwire.operations.operation import Result


class Locations(Result, frozen=True):
    """Places in the code, a page of them. ``total`` counts all, in ``files`` files."""

    locations: tuple[Place, ...]
    total: int
    files: int = 0
    offset: int = 0


class Item(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Base of what lists are made of: what is empty is left out."""


class SymbolEntry(Item, frozen=True):
    """A symbol of a file. ``line`` and ``column`` are its name's, ``start_line`` to ``end_line`` all of it."""

    name: str
    kind: str
    path: str
    """As it can be given back as ``symbol``."""
    line: int
    column: int
    start_line: int
    end_line: int
    detail: str = ""
    deprecated: bool = False
    children: tuple["SymbolEntry", ...] = ()
    hidden: int = 0
    """How many symbols below it are not shown."""


class FileSymbols(Result, frozen=True):
    """The symbols of a file, nested or one after the other. ``total`` counts those within the depth asked for."""

    file: str
    symbols: tuple[SymbolEntry, ...]
    total: int
    offset: int = 0


class SymbolMatch(Item, frozen=True):
    """A symbol of the workspace, or of a library. Without a line the server told only the file."""

    name: str
    kind: str
    path: str
    file: str
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    text: str = ""


class SymbolMatches(Result, frozen=True):
    """Symbols by name, the best first, those of the workspace before those of libraries."""

    symbols: tuple[SymbolMatch, ...]
    total: int
    offset: int = 0


class SymbolSource(Result, frozen=True):
    """A symbol's source, whole lines, with the comments and decorators that stand directly above it."""

    symbol: str
    kind: str
    file: str
    start_line: int
    end_line: int
    source: str


class HoverText(Result, frozen=True):
    """What the server knows of a symbol, as markdown; empty when it knows nothing."""

    text: str


class Parameter(Item, frozen=True):
    """``active``: the one that is being written."""

    label: str
    documentation: str = ""
    active: bool = False


class Signature(Item, frozen=True):
    """``active``: the overload that fits best."""

    label: str
    documentation: str = ""
    parameters: tuple[Parameter, ...] = ()
    active: bool = False


class Signatures(Result, frozen=True):
    """The signatures of what is called at a place."""

    signatures: tuple[Signature, ...]


class Completion(Item, frozen=True):
    """``insert_text`` where it is not the label."""

    label: str
    kind: str = ""
    detail: str = ""
    insert_text: str = ""
    documentation: str = ""
    deprecated: bool = False


class Completions(Result, frozen=True):
    """What may be written at a place, in the server's order. ``incomplete``: there may be more."""

    completions: tuple[Completion, ...]
    total: int
    offset: int = 0
    incomplete: bool = False


class Highlight(Item, frozen=True):
    """One place of a symbol in its file."""

    kind: Literal["text", "read", "write"]
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Highlights(Result, frozen=True):
    """Every place of a symbol in one file."""

    file: str
    highlights: tuple[Highlight, ...]
    total: int
    offset: int = 0

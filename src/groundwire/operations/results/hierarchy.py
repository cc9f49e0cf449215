"""Who calls whom, what derives from what, and all of a symbol at once, as it is shown.

Above: the operations and ``render``. Below: ``results``.
"""

from groundwire.operations.answer import Place, Status
from groundwire.operations.operation import Result
from groundwire.operations.results.found import Item, SymbolSource


class Node(Item, frozen=True):
    """A function, method or type in a hierarchy; the place is its name's."""

    name: str
    kind: str
    file: str
    line: int
    column: int
    detail: str = ""
    text: str = ""


class CallNode(Node, frozen=True):
    """One end of calls, with every place where the call is made."""

    sites: tuple[Place, ...] = ()


class Calls(Item, frozen=True):
    """A page of callers or of what is called. ``sites`` counts the single calls of all."""

    calls: tuple[CallNode, ...]
    total: int
    sites: int
    offset: int = 0


class CallHierarchy(Result, frozen=True):
    """Who calls the symbols, and what they call; what was not asked for is null."""

    symbols: tuple[Node, ...]
    incoming: Calls | None = None
    outgoing: Calls | None = None


class Types(Item, frozen=True):
    """A page of types."""

    types: tuple[Node, ...]
    total: int
    offset: int = 0


class TypeHierarchy(Result, frozen=True):
    """What the types derive from directly, and what derives directly from them; what was not asked for is null."""

    symbols: tuple[Node, ...]
    supertypes: Types | None = None
    subtypes: Types | None = None


class FileCount(Item, frozen=True):
    """How often a symbol is used in a file."""

    file: str
    count: int


class References(Item, frozen=True):
    """How often a symbol is used, and where most."""

    total: int
    files: int
    top_files: tuple[FileCount, ...] = ()


class MissingPart(Item, frozen=True):
    """A part of an answer that could not be had, or not in full."""

    part: str
    status: Status
    reason: str


class Exploration(Result, frozen=True):
    """All of a symbol at once. A part that is null could not be had; ``missing`` says why."""

    text: str | None = None
    source: SymbolSource | None = None
    callers: Calls | None = None
    references: References | None = None
    missing: tuple[MissingPart, ...] = ()

"""What edits that come from a server give back: what can be renamed, every site of a rename, fixes, commands.

Above: the operations that ask servers for edits, ``render``. Below: ``operation``, ``answer``, ``results_edits``.
"""

from typing import Any

from groundwire.operations.answer import Place
from groundwire.operations.operation import Result
from groundwire.operations.results.edits import EditOutcome


class RenameTarget(Result, frozen=True):
    """What would be renamed. ``place`` is None where nothing can be."""

    renamable: bool
    place: Place | None = None
    placeholder: str = ""
    """Its name now."""


class RenameSite(Result, frozen=True):
    """One place that is renamed: its line before, and with every change of that line."""

    file: str
    line: int
    column: int
    before: str
    after: str


class RenameOutcome(EditOutcome, frozen=True):
    """As every edit; of a preview, all its sites."""

    new_name: str = ""
    sites: tuple[RenameSite, ...] = ()
    total: int = 0
    """All sites, shown or not."""


class Fix(Result, frozen=True):
    """Something that a server offers to do. ``id`` names it for apply_fix; empty where it cannot be done."""

    id: str
    title: str
    kind: str
    server: str
    line: int
    column: int
    preferred: bool = False
    fixes: tuple[str, ...] = ()
    """The messages of the findings that it is for."""
    disabled: str = ""
    """Why it cannot be done here."""


class Fixes(Result, frozen=True):
    """What is offered for a file or a part of it."""

    file: str
    fixes: tuple[Fix, ...] = ()
    total: int = 0
    offset: int = 0


class CommandOutcome(Result, frozen=True):
    """What a command gave, and what it changed."""

    command: str
    server: str
    result: Any = None  # whatever the server answers
    edit: EditOutcome | None = None

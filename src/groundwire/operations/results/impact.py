"""What a change reaches, as it is shown: symbols with their users, tests apart; changes with their risk.

Above: the operations and ``render``. Below: ``results``, ``results_context``.
"""

from typing import Literal

import msgspec

from groundwire.operations.answer import Place, Status
from groundwire.operations.operation import Result
from groundwire.operations.results.context import Caller
from groundwire.operations.results.found import Item

Risk = Literal["high", "medium", "low", "unknown"]
Change = Literal["added", "signature", "body", "removed", "changed"]
"""``changed``: whether only its body changed is not known."""


class AffectedSymbol(Item, frozen=True):
    """A symbol and who uses it, itself apart. Unless its status is confirmed there may be more uses than are counted.

    ``hidden`` counts users that are not shown.
    """

    name: str
    kind: str
    path: str
    file: str
    line: int
    column: int
    exported: bool
    status: Status
    test_uses: int
    non_test_uses: int
    test_callers: tuple[Caller, ...]
    non_test_callers: tuple[Caller, ...]
    hidden: int = 0
    reason: str = ""


class IndirectCaller(Item, frozen=True):
    """What uses a user of an affected symbol. ``via`` is what it uses, ``depth`` how far away that is."""

    name: str
    kind: str
    file: str
    line: int
    column: int
    depth: int
    via: str


class ImpactSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Of all symbols, shown or not. ``untested``: proven to be used by no test. ``unknown``: not all uses are known."""

    symbols: int
    test_uses: int
    non_test_uses: int
    files: int
    """That use one of them."""
    untested: int
    unknown: int


class BlastRadius(Result, frozen=True):
    """What depends on symbols. ``test_files``: those that use them, on request also through others."""

    affected_symbols: tuple[AffectedSymbol, ...]
    total: int
    summary: ImpactSummary
    test_files: tuple[str, ...]
    offset: int = 0
    transitive: tuple[IndirectCaller, ...] = ()
    warnings: tuple[str, ...] = ()
    note: str = ""
    """What was taken for exported, where the language has no rule for that."""


class ChangedSymbol(AffectedSymbol, frozen=True, kw_only=True):
    """A symbol that a change touched. Of one that is gone, the places are those where its name still stands."""

    change: Change
    risk: Risk
    reasons: tuple[str, ...]


class DetectedChanges(Result, frozen=True):
    """A change set by its symbols, the riskiest first. ``against``: the state before it, in words."""

    scope: str
    against: str
    changed_files: tuple[str, ...]
    changed_symbols: tuple[ChangedSymbol, ...]
    total: int
    summary: ImpactSummary
    test_files: tuple[str, ...]
    offset: int = 0
    warnings: tuple[str, ...] = ()
    note: str = ""
    """Which content is meant, where that is not the one of the change set."""


class RepositoryUses(Item, frozen=True):
    """Uses in one directory. ``unproven``: places that name it, of which no server could tell what they mean."""

    repo: str
    status: Status
    references: tuple[Place, ...]
    total: int
    unproven: tuple[Place, ...] = ()
    unproven_total: int = 0
    reason: str = ""


class CrossRepoReferences(Result, frozen=True):
    """Uses by repository; that of the symbol itself is called ``primary``, and comes first."""

    symbol: str
    repositories: tuple[RepositoryUses, ...]
    total: int


class FileOfTests(Item, frozen=True):
    """A file with tests, and why it is taken to test the source."""

    file: str
    reasons: tuple[str, ...]
    uses: int = 0


class FileTests(Result, frozen=True):
    """Tests of a source file: those that use its symbols, and those that are named after it."""

    source_file: str
    test_files: tuple[FileOfTests, ...]
    total: int

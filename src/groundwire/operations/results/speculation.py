"""What edits that nobody has made yet would do.

Above: the operations of ``speculation``, ``render``. Below: ``operation``, ``answer``, ``results_edits``.
"""

from typing import Literal

from groundwire.operations.answer import Severity
from groundwire.operations.operation import Result
from groundwire.operations.results.edits import EditOutcome

Scope = Literal["file", "workspace"]
Verdict = Literal["safe", "breaks", "unproven"]
"""``safe`` only where it is confirmed that no error is introduced."""

SessionState = Literal[
    "created", "mutated", "evaluating", "evaluated", "committed", "discarded", "destroyed", "already_destroyed", "dirty"
]


class LocatedFinding(Result, frozen=True):
    """A finding and its file. Positions of what is resolved are those of the disk, of the others those of the edit."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: Severity
    message: str
    code: str = ""
    source: str = ""


class Evaluation(Result, frozen=True):
    """The difference that edits would make to what is wrong."""

    verdict: Verdict
    scope: Scope
    edited: tuple[str, ...]
    errors_introduced: tuple[LocatedFinding, ...] = ()
    errors_resolved: tuple[LocatedFinding, ...] = ()
    warnings_introduced: tuple[LocatedFinding, ...] = ()
    warnings_resolved: tuple[LocatedFinding, ...] = ()
    net_delta: int = 0
    """Errors introduced less errors resolved."""
    dependents: tuple[str, ...] = ()
    """Other files that were checked because they use what is edited."""
    not_covered: tuple[str, ...] = ()
    """Checkers that only look at what is on disk, and files that no server takes care of."""
    session_id: str = ""


class SimulationSession(Result, frozen=True):
    """A session of edits that are not on disk."""

    session_id: str
    status: SessionState
    edit_applied: bool = False
    version_after: int = 0
    """How many edits it holds."""
    files: tuple[str, ...] = ()
    """Those that are not what they are on disk."""


class ChainStep(Result, frozen=True):
    """All edits up to this one, compared with the disk."""

    step: int
    verdict: Verdict
    net_delta: int
    errors_introduced: tuple[LocatedFinding, ...] = ()
    reason: str = ""


class ChainEvaluation(Result, frozen=True):
    """A chain of edits, each evaluated together with those before it."""

    session_id: str
    steps: tuple[ChainStep, ...]
    safe_to_apply_through_step: int
    """The last step before which, and at which, nothing breaks; 0: not even the first is safe."""
    cumulative_delta: int


class CommittedSession(Result, frozen=True):
    """The end of a session: written, or given as a patch."""

    session_id: str
    status: SessionState
    target: Literal["disk", "patch"]
    files_written: tuple[str, ...] = ()
    patch: str = ""
    outcome: EditOutcome | None = None


class SafeEdit(Result, frozen=True):
    """An edit that is written only when it is confirmed that nothing new breaks."""

    applied: bool
    evaluation: Evaluation
    outcome: EditOutcome | None = None
    """What was written."""


class Alternative(Result, frozen=True):
    """One of several edits, and how it fares."""

    rank: int
    number: int
    """Which of those that were given, from 1."""
    name: str
    verdict: Verdict
    errors_introduced: int
    errors_resolved: int
    net_delta: int
    broken_callers: tuple[str, ...] = ()
    """Files that were not edited, and get errors."""
    tests_touched: tuple[str, ...] = ()
    """Test files that are edited or use what is edited."""
    lines_changed: int = 0
    reasons: tuple[str, ...] = ()
    """Why it stands where it stands."""
    evaluation: Evaluation | None = None


class EditComparison(Result, frozen=True):
    """Several edits side by side, the best first."""

    alternatives: tuple[Alternative, ...]
    best: int = 0
    """The number of the best one; 0: none can be recommended."""

"""What edits give back: what was done to which files, and what is known of them now.

Above: the operations that edit, ``render``. Below: ``operation``, ``answer``.
"""

from typing import Literal

from groundwire.operations.answer import FileFindings
from groundwire.operations.operation import Result
from groundwire.pool.policy import Showing

ReportMode = Literal["introduced", "errors", "all", "end_of_turn", "off"]


class EditReport(Result, frozen=True):
    """The findings after an edit: those of the edited files, then those of other files that it concerns."""

    mode: ReportMode
    files: tuple[FileFindings, ...] = ()
    edited: tuple[str, ...] = ()
    """Which of them were edited."""
    introduced: int = 0
    """Errors that were not there before, over all files."""
    resolved: int = 0
    """Errors that are gone."""
    dependents: int = 0
    """Other files that were checked because they use what was edited."""
    dependents_reason: str = ""
    """Why other files may be broken without being named; empty when all that use what was edited were checked."""
    showing: Showing = Showing()
    """How much of it is put into words, as configured."""


class EditedFile(Result, frozen=True):
    """What was done, or would be done, to one file."""

    file: str
    kind: Literal["created", "changed", "renamed", "deleted"]
    old_file: str = ""
    """Where it was before, if it was renamed."""
    added: int = 0
    removed: int = 0
    """Lines."""
    diff: str = ""
    """Unified; only in a preview."""


class EditOutcome(Result, frozen=True):
    """An edit that was applied, or the preview of one."""

    applied: bool
    files: tuple[EditedFile, ...] = ()
    undo_id: str = ""
    """Names the edit for undo; empty where nothing was written or it cannot be kept."""
    report: EditReport | None = None
    """What is known of the files now; None for a preview."""
    notes: tuple[str, ...] = ()
    """What the reader should know: matched only after white space was ignored, wants to be confirmed, …"""

"""An answer never says more than was proven: a value, how far it is proven, why not further, and who said so.

Above: ``render``. Below: ``client`` (whose proofs are summed up here).
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Generic, Literal, TypeVar

import msgspec

T = TypeVar("T")


class Status(StrEnum):
    """How far an answer is proven for the content as it is now."""

    CONFIRMED = "confirmed"
    PARTIAL = "partial"
    UNKNOWN = "unknown"
    UNSUPPORTED = "unsupported"


_RANK = {Status.CONFIRMED: 0, Status.UNSUPPORTED: 1, Status.PARTIAL: 2, Status.UNKNOWN: 3}

Severity = Literal["error", "warning", "information", "hint"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One diagnostic; positions are 1-based characters."""

    severity: Severity
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    code: str = ""
    source: str = ""
    origin: Literal["introduced", "existing", ""] = ""


class FileFindings(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one file. ``file`` is relative to the workspace, absolute outside it."""

    file: str
    status: Status
    reason: str = ""
    evidence: str = ""
    servers: tuple[str, ...] = ()
    diagnostics: tuple[Finding, ...] = ()


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A location with the line of source it names; positions are 1-based characters."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str = ""


class Answer(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """A result and what is known about its truth. ``reason`` is empty only when confirmed."""

    value: T
    status: Status
    reason: str = ""
    servers: tuple[str, ...] = ()
    elapsed_ms: float = 0.0
    note: str = ""
    """What the question was taken to mean, where its words left that open."""


def worst(statuses: Iterable[Status]) -> Status:
    """The least proven of several; of none, nothing is known."""
    return max(statuses, key=_RANK.__getitem__, default=Status.UNKNOWN)

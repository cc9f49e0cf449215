"""What a row of the table holds. Above: ``table_web`` and ``table_others``. Below: ``rows`` (what an edit is)."""

from dataclasses import dataclass, field

from groundwire.operations.answer import Status
from tests.real.rows import Edit

UNPROVEN = (Status.UNKNOWN, Status.PARTIAL)
"""Which of them depends on whether the server says anything of its own accord, in time."""


@dataclass(frozen=True)
class Elsewhere:
    """An edit of another file, which breaks the one that is asked about."""

    edit: Edit
    says: str
    status: Status | tuple[Status, ...] = Status.CONFIRMED


@dataclass(frozen=True)
class Entry:
    """One server: a project that is right, the edit that breaks it, and what the server is to say before and after."""

    server: str
    files: dict[str, str]
    breaks: Edit
    says: str
    """Part of the message or the code of the finding."""
    elsewhere: Elsewhere | None = None
    broken: Status | tuple[Status, ...] = Status.CONFIRMED
    """Several: it depends on which of two things the server, which is still starting, says first."""
    mended: Status = Status.CONFIRMED
    doubt: str = ""
    """Part of the reason, where an answer is not confirmed."""
    symbol: str = ""
    """Found in the outline of the file, by a server that has one."""
    links: dict[str, str] = field(default_factory=dict[str, str])
    """Where in the project something of the test servers' directory is needed: packages it would have installed."""
    is_slow: bool = False

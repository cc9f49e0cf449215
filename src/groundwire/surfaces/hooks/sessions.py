"""What the daemon remembers of each session of a host agent: what it could not be told yet, and what it was told.

Bounded in every direction: sessions, files, characters, and how often something is tried. Above: ``handler``. Below:
``pool.kept``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from groundwire.operations.answer import Finding
from groundwire.operations.reporting.dependents import Edited
from groundwire.pool.kept import Kept

K = TypeVar("K")
V = TypeVar("V")

MOST_SESSIONS = 64
FORGOTTEN_AFTER_S = 24 * 3600.0
_MOST_FILES = 200
_LARGEST_PAST = 2_000_000
"""Characters before all edits of a session that are kept until they are told; without, less is known of what broke."""
_MOST_TRIES = 3


class Leftover(NamedTuple):
    """An edit that was not reported yet, and how often that was tried. What the file is by then is read when it is."""

    edit: Edited
    tries: int = 0


class Told(NamedTuple):
    """What a session was told of a file, for the content with this hash."""

    content: str
    findings: frozenset[tuple[object, ...]]


@dataclass
class Session:
    """One conversation of a host with its model."""

    position: int
    """In the journal: what changed up to there was looked at."""
    kept: Kept = field(default_factory=Kept)
    leftovers: dict[Path, Leftover] = field(default_factory=dict[Path, Leftover])
    _told: dict[str, Told] = field(default_factory=dict[str, Told])

    def keep(self, edits: Iterable[Edited], tried: Mapping[Path, int] | None = None) -> None:
        """For the next time. A file that is edited again is still compared with what it was at first."""
        for edit in edits:
            tries = tried.get(edit.file, 0) if tried else 0
            if tries >= _MOST_TRIES:
                continue
            earlier = self.leftovers.pop(edit.file, None)
            self.leftovers[edit.file] = Leftover(self._bounded(joined(earlier.edit if earlier else None, edit)), tries)
        _shorten(self.leftovers, _MOST_FILES)

    def _bounded(self, edit: Edited) -> Edited:
        known = sum(len(each.edit.before or "") for each in self.leftovers.values())
        is_too_much = known + len(edit.before or "") > _LARGEST_PAST
        return Edited(edit.file, None if is_too_much else edit.before, None if edit.after is None else "")

    def take(self) -> dict[Path, Leftover]:
        """All that was kept; whoever takes it tells it, or keeps it again."""
        taken, self.leftovers = self.leftovers, {}
        return taken

    def unheard(self, file: str, content: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Those that it was not told of this very content."""
        known = self._told.get(file)
        if known is None or known.content != content:
            return tuple(findings)
        return tuple(each for each in findings if _key(each) not in known.findings)

    def heard(self, file: str, content: str, findings: Iterable[Finding]) -> None:
        """It was told of them; with what it knows of this content already."""
        known = self._told.pop(file, None)
        earlier = known.findings if known is not None and known.content == content else frozenset[tuple[object, ...]]()
        self._told[file] = Told(content, earlier | {_key(each) for each in findings})
        _shorten(self._told, _MOST_FILES)

    def unhear(self, files: Iterable[str]) -> None:
        """It was not told after all."""
        for file in files:
            self._told.pop(file, None)


class Sessions:
    """By host and its name for the session; the ones used last."""

    def __init__(self, most: int = MOST_SESSIONS, forgotten_after_s: float = FORGOTTEN_AFTER_S) -> None:
        self._most = most
        self._forgotten_after_s = forgotten_after_s
        self._sessions: dict[tuple[str, str], tuple[Session, float]] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def get(self, agent: str, name: str, now: float, position: int) -> Session:
        """The session; a new one begins at that position of the journal."""
        session, used = self._sessions.pop((agent, name), (None, 0.0))
        if session is None or now - used > self._forgotten_after_s:
            session = Session(position)
        self._sessions[agent, name] = session, now
        _shorten(self._sessions, self._most)
        return session


def joined(earlier: Edited | None, later: Edited) -> Edited:
    """Two edits of a file as one."""
    if earlier is None:
        return later
    return Edited(later.file, earlier.before, later.after)


def _key(finding: Finding) -> tuple[object, ...]:
    return finding.line, finding.column, finding.severity, finding.code, finding.source, finding.message


def _shorten(known: dict[K, V], most: int) -> None:
    while len(known) > most:
        del known[next(iter(known))]

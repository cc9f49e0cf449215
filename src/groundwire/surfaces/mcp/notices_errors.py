"""How many errors servers see in each file, and where there are more than before.

Only what is about the content that the disk holds counts: a server that is shown something else, because somebody wants
to know what an edit would do, is not looked at. Above: ``notices``. Below: ``daemon.watch_findings``, ``client``.
"""

from collections.abc import Iterable
from typing import NamedTuple

from groundwire.client.session import Session
from groundwire.client.sync import path_of
from groundwire.daemon.watch_findings import evidence_of
from groundwire.pool.instance import Instance
from groundwire.protocol.uris import is_file_uri

_ERROR = 1
_MOST_FILES = 5_000
"""Of those that were looked at longest ago it is not known any more how many they had."""

Speaker = tuple[str, str]
"""A server at a root: whoever takes its place speaks for it too."""


class Rise(NamedTuple):
    """A file with more errors than it had."""

    path: str
    errors: int
    delta: int


class ErrorCounts:
    """What was found at the last look, and what was told of it."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[Speaker, int]] = {}
        self._told: dict[str, int] = {}
        self._seen: dict[Speaker, tuple[object, ...]] = {}
        self._changed: set[str] = set()

    def look(self, instances: Iterable[Instance]) -> bool:
        """Whether any count has become another one."""
        has_moved = False
        for instance in instances:
            session = instance.session
            if instance.process_of or instance.is_starting or session.life != "ready" or session.interlude.is_on:
                continue
            speaker = (instance.chosen.spec.id, str(instance.chosen.root))
            now = _fingerprint(session)
            if self._seen.get(speaker) != now:
                has_moved = self._hear(speaker, session) or has_moved
                self._seen[speaker] = now
        return has_moved

    def count(self, path: str) -> int | None:
        """How many a file has; none where no server has said."""
        return sum(self._counts[path].values()) if path in self._counts else None

    def rises(self) -> list[Rise]:
        """Files that have more errors than when this was last asked; of one never looked at before nothing is said."""
        changed, self._changed = self._changed, set()
        found: list[Rise] = []
        for path in sorted(changed):
            errors = self.count(path) or 0
            known = self._told.get(path)
            self._told[path] = errors
            if known is not None and errors > known:
                found.append(Rise(path, errors, errors - known))
        return found

    def _hear(self, speaker: Speaker, session: Session) -> bool:
        before = self._seen.get(speaker)
        was_shown_more = before is not None and before[:2] != _fingerprint(session)[:2]
        has_moved = False
        for uri in filter(is_file_uri, session.state.diagnostics.files()):
            document, record = session.state.documents.get(uri), session.state.diagnostics.record(uri)
            # What was said of a file that is not open may be about what the server was shown meanwhile.
            if document is None and (was_shown_more or record.pushed is None):
                continue
            evidence = evidence_of(session, path_of(uri), record, document)
            if evidence is not None:
                errors = sum(each.severity in (None, _ERROR) for each in evidence.diagnostics)
                has_moved = self._note(evidence.path, speaker, errors) or has_moved
        return has_moved

    def _note(self, path: str, speaker: Speaker, errors: int) -> bool:
        counts = self._counts.setdefault(path, {})
        before = counts.get(speaker)
        if before == errors:
            return False
        if before is None:  # the first word of this server on it: no change, whatever it is
            self._told[path] = self._told.get(path, 0) + errors
        counts[speaker] = errors
        self._changed.add(path)
        self._forget_surplus()
        return before is not None

    def _forget_surplus(self) -> None:
        while len(self._counts) > _MOST_FILES:
            oldest = next(iter(self._counts))
            del self._counts[oldest]
            self._told.pop(oldest, None)


def _fingerprint(session: Session) -> tuple[object, ...]:
    return id(session), session.interlude.moved, session.state.documents.clock, session.state.diagnostics.heard

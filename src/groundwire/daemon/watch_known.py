"""What is known to be wrong in each file, brought up to date look by look: only what has changed is looked at closely.

Above: ``watch_look``. Below: ``watch_findings``.
"""

import asyncio
import os
from collections.abc import Collection, Iterable
from itertools import islice
from pathlib import Path

from groundwire.client.session import Session
from groundwire.client.sync import path_of
from groundwire.daemon.watch_findings import (
    MOST_FILES,
    Evidence,
    Mark,
    Said,
    evidence_of,
    file_news,
    mark_of,
    read_lines,
    said_by,
)
from groundwire.daemon.watch_messages import FileNews
from groundwire.pool.instance import Instance
from groundwire.protocol.uris import is_file_uri
from groundwire.workspace.documents import Document

_AT_ONCE = 100
"""Files looked at before others get their turn on the event loop."""
_LARGEST = 1024 * 1024

Speaker = tuple[str, str]
"""A server at a root: whoever takes its place speaks for it too."""


class KnownFindings:
    """Of one workspace."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._said: dict[str, dict[Speaker, Said]] = {}
        self._marks: dict[Speaker, dict[str, Mark]] = {}
        self._seen: dict[Speaker, tuple[object, ...]] = {}
        self._news: dict[str, FileNews] = {}
        self._shown: dict[str, FileNews] = {}

    @property
    def shown(self) -> tuple[FileNews, ...]:
        """The files in which something is wrong, as many as are shown."""
        return tuple(self._shown.values())

    @property
    def more_files(self) -> int:
        """How many there are beside those."""
        return max(len(self._news) - len(self._shown), 0)

    def doubtful(self) -> list[str]:
        """Files of which something is known that is about older content."""
        return [path for path, said in self._said.items() if not all(each.is_current for each in said.values())]

    async def look(self, instances: Iterable[Instance], speakers: Collection[Speaker]) -> tuple[FileNews, ...]:
        """Bring it up to date; the files whose findings have become others. ``speakers``: all there ever were."""
        changed: set[str] = set()
        speaking: dict[Speaker, Session] = {}
        for instance in instances:
            if not instance.process_of and not instance.is_starting and instance.session.life == "ready":
                speaking[(instance.chosen.spec.id, str(instance.chosen.root))] = instance.session
        for speaker in [each for each in self._seen if each not in speaking]:
            changed |= self._fell_silent(speaker, is_gone=speaker not in speakers)
        for speaker, session in speaking.items():
            print_now = _fingerprint(session)
            if session.interlude.is_on or self._seen.get(speaker) == print_now:
                continue
            self._seen[speaker] = print_now
            changed |= await self._hear(speaker, session)
        return await self._show(changed)

    def _fell_silent(self, speaker: Speaker, *, is_gone: bool) -> set[str]:
        """It does not run: what it said may still be so, but nobody vouches for it."""
        del self._seen[speaker]
        self._marks.pop(speaker, None)
        own = {path for path, said in self._said.items() if speaker in said}
        for path in own:
            self._withdraw(path, speaker, is_gone=is_gone)
        return own

    def _withdraw(self, path: str, speaker: Speaker, *, is_gone: bool) -> None:
        said = self._said[path]
        if is_gone or not said[speaker].findings:
            del said[speaker]
        else:
            said[speaker] = said[speaker]._replace(is_current=False)
        if not said:
            del self._said[path]

    async def _hear(self, speaker: Speaker, session: Session) -> set[str]:
        store, documents = session.state.diagnostics, session.state.documents
        before, marks = self._marks.get(speaker, {}), dict[str, Mark]()
        changed: set[str] = set()
        uris = iter(store.files())
        while some := list(islice(uris, _AT_ONCE)):
            for uri in some:
                document, record = documents.get(uri), store.record(uri)
                mark = marks[uri] = mark_of(record, document)
                if mark != before.get(uri) and is_file_uri(uri):
                    path = path_of(uri)
                    await self._note(speaker, path, evidence_of(session, path, record, document), document)
                    changed.add(path)
                    await asyncio.sleep(0)  # to convert what is wrong in one file may take a millisecond
            await asyncio.sleep(0)
        for uri in before.keys() - marks.keys():
            changed |= self._forgotten(speaker, path_of(uri)) if is_file_uri(uri) else set()
        self._marks[speaker] = marks
        return changed

    def _forgotten(self, speaker: Speaker, path: str) -> set[str]:
        """The server was told that the file is closed, or is gone."""
        if speaker not in self._said.get(path, {}):
            return set()
        self._withdraw(path, speaker, is_gone=not os.path.exists(path))
        return {path}

    async def _note(self, speaker: Speaker, path: str, evidence: Evidence | None, document: Document | None) -> None:
        said = self._said.setdefault(path, {})
        if evidence is None:
            known = said.get(speaker)
            # Nothing about what the document holds now: what was known before is about something older.
            said[speaker] = known._replace(is_current=False) if known else Said((), is_current=False)
            return
        lines = evidence.lines
        if lines is None and document is None:
            now = asyncio.get_running_loop().time()
            lines, is_current = await asyncio.to_thread(read_lines, evidence, now, _LARGEST)
            evidence = evidence._replace(is_current=is_current)
        if lines is not None:
            said[speaker] = said_by(evidence, lines)

    async def _show(self, changed: Iterable[str]) -> tuple[FileNews, ...]:
        for path in changed:
            await asyncio.sleep(0)
            news = file_news(path, self._workspace, self._said.get(path, {}).values())
            if news.findings:
                self._news[path] = news
            else:
                self._news.pop(path, None)
        before = self._shown
        # Those that are shown stay, so that nothing jumps; others move up as there is room.
        kept = [path for path in before if path in self._news]
        others = (path for path in self._news if path not in before)
        self._shown = {path: self._news[path] for path in [*kept, *islice(others, MOST_FILES - len(kept))]}
        gone = [FileNews(file=before[path].file) for path in before if path not in self._shown]
        return (*gone, *(news for path, news in self._shown.items() if before.get(path) != news))


def _fingerprint(session: Session) -> tuple[object, ...]:
    return id(session), session.state.documents.clock, session.state.diagnostics.heard

"""Findings of files as they are on disk now, from every server that takes care of them, with how far they are proven.

Several files cost about one wait: all servers start at once, then everything is told, then everything is asked.
Above: ``render`` and ``surfaces``. Below: ``pool``, ``client.diagnose``, ``findings``.
"""

import asyncio
import contextlib
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.client.diagnose import Findings, diagnose
from groundwire.client.session import Session
from groundwire.client.sync import sync_file, uri_of
from groundwire.errors import GroundwireError, NoServerForExtension
from groundwire.operations.answer import Answer, FileFindings, Status, worst
from groundwire.operations.diagnostics.findings import Part, merged, part_of
from groundwire.operations.files.paths import existing_files, shown_path
from groundwire.operations.rounds import Rounds
from groundwire.pool.instance import Instance
from groundwire.pool.pool import Pool
from groundwire.pool.routing import Chosen
from groundwire.workspace.documents import Document

_TURNS_TO_ASK = 3


class CheckedFile(NamedTuple):
    """What is known of a file, and the content that it is known of; None where nothing is."""

    file: Path
    findings: FileFindings
    text: str | None


async def check_files(pool: Pool, paths: Sequence[Path], *, wait_s: float = 30.0) -> Answer[tuple[FileFindings, ...]]:
    """Check files. Raises FileNotFound or NotAFile for a path that cannot be checked at all."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    found = tuple(checked.findings for checked in await prove_files(pool, paths, deadline=began + wait_s))
    return Answer(
        value=found,
        status=worst(findings.status for findings in found),
        reason=next((findings.reason for findings in found if findings.reason), ""),
        servers=tuple(dict.fromkeys(server for findings in found for server in findings.servers)),
        elapsed_ms=(loop.time() - began) * 1000,
        note=pool.watcher_note,
    )


async def prove_files(pool: Pool, paths: Sequence[Path], *, deadline: float) -> list[CheckedFile]:
    """As ``check_files``, with the content that was checked."""
    loop = asyncio.get_running_loop()
    files = existing_files(paths, pool.workspace)
    if pool.has_news_beside({str(file) for file in files}):
        pool.refresh()  # before routing: some of it may be about the servers themselves
    jobs = [_FileJob(pool, file) for file in files]
    unfinished, rounds = jobs, Rounds(deadline)
    while True:
        await _all([_prove(pool, shares, deadline) for shares in _by_server(unfinished)])
        looked_at = loop.time()
        pool.refresh()
        for job in jobs:
            job.look(looked_at)
        unfinished = [job for job in jobs if not job.is_current()]
        if not unfinished or not await rounds.another():
            break
    pool.tidy()
    return [job.checked(is_current=job not in unfinished) for job in jobs]


async def all_asked() -> None:
    """Let a check that has begun ask all that it asks servers that run: what is asked after that is behind it."""
    for _ in range(_TURNS_TO_ASK):
        await asyncio.sleep(0)


async def _prove(pool: Pool, shares: Sequence["_ServerShare"], deadline: float) -> None:
    """One server's part: it is told of all files, then asked about all, and waits for no other server."""
    waiting: list[_ServerShare] = []
    for share in shares:
        if share.must_wait:  # decided once: a moment later it may not have to
            waiting.append(share)
        else:  # at once, so that nobody comes between: servers have work before others think about it
            await share.start(deadline)
    await _all([share.start(deadline) for share in waiting])
    asked_at = asyncio.get_running_loop().time()
    opened = [share for share in shares if share.is_open]
    for share in opened:  # before it is looked what else is new: meanwhile the server reads what these hold now
        share.tell(asked_at)
    if opened:
        opened[0].give_way()
    if len(opened) < len(shares) or pool.has_news_beside({str(share.file) for share in shares}):
        pool.refresh()
        for share in shares:
            share.tell(asked_at)
    # Otherwise its documents tell the server all that is new; that they are saved as well can wait for its answer.
    await _all([share.ask(deadline) for share in shares])


async def _all(waits: Sequence[Coroutine[object, object, None]]) -> None:
    """All at once; one alone without a task of its own: what is told and asked in one turn is one write."""
    if len(waits) == 1:
        await waits[0]
    else:
        await asyncio.gather(*waits)


def _by_server(jobs: Sequence["_FileJob"]) -> list[list["_ServerShare"]]:
    groups: dict[Instance, list[_ServerShare]] = {}
    for share in (share for job in jobs for share in job.shares):
        instance = share.find_server()
        if instance is not None:
            groups.setdefault(instance, []).append(share)
    return list(groups.values())


class _FileJob:
    """One file and the servers that take care of it, which start at once."""

    def __init__(self, pool: Pool, file: Path) -> None:
        self._pool = pool
        self._file = file
        self.shares: list[_ServerShare] = []
        self._missing: tuple[str, ...] = ()
        self._refusal: GroundwireError | None = None
        self._route()

    def _route(self) -> None:
        try:
            route = self._pool.route(self._file)
        except GroundwireError as error:
            self._refusal = error
            return
        self._missing = route.missing
        chosen = [*([route.primary] if route.primary else []), *route.linters]
        self.shares = [_ServerShare(self._pool, each, self._file, route.language) for each in chosen]

    def look(self, since: float) -> None:
        """Bring every server up to date with the file as it is now, or was read after ``since``."""
        for share in self.shares:
            share.look(since)

    def is_current(self) -> bool:
        """Whether everything found is about the content that was last looked at, in this file and all others."""
        return all(share.is_current() for share in self.shares)

    def checked(self, *, is_current: bool) -> CheckedFile:
        """What is known of the file, and of which content."""
        findings = self._findings(is_current=is_current)
        texts = {share.text for share in self.shares if share.text is not None}
        return CheckedFile(self._file, findings, texts.pop() if len(texts) == 1 else None)

    def _findings(self, *, is_current: bool) -> FileFindings:
        shown = shown_path(self._file, self._pool.workspace)
        if self._refusal is not None:
            is_unsupported = isinstance(self._refusal, NoServerForExtension)
            status = Status.UNSUPPORTED if is_unsupported else Status.UNKNOWN
            return FileFindings(file=shown, status=status, reason=_with_hint(self._refusal))
        if not is_current and not all(share.is_same_content for share in self.shares):
            return FileFindings(file=shown, status=Status.UNKNOWN, reason="the file kept changing while it was checked")
        if not is_current and any(share.was_shown_other for share in self.shares):
            return FileFindings(file=shown, status=Status.UNKNOWN, reason="edits that are not made kept being judged")
        parts = [share.part for share in self.shares]
        doubts = [*self._missing, *([] if is_current else ["other files kept changing while this one was checked"])]
        return FileFindings(
            file=shown,
            status=_joined_status(parts, doubts),
            reason="; ".join([*(part.reason for part in parts if part.reason), *doubts]),
            evidence=", ".join(dict.fromkeys(part.evidence for part in parts if part.evidence)),
            servers=tuple(part.server for part in parts),
            diagnostics=merged(parts),
        )


class _ServerShare:
    """What one server has to say about one file."""

    def __init__(self, pool: Pool, chosen: Chosen, file: Path, language: str) -> None:
        self._pool = pool
        self._chosen = chosen
        self._instance: Instance | None = None
        self._deaths_left = 1
        self.file = file
        self._language = language
        self._session: Session | None = None
        self._document: Document | None = None
        self._found: Findings | None = None
        self._seen: Document | None = None
        self._failure = "it was not asked"
        self._moved = 0

    def find_server(self) -> Instance | None:
        """The instance to ask, started if need be; none when it failed too often."""
        self._session = self._found = None
        try:
            self._instance = self._pool.instance(self._chosen)
        except GroundwireError as error:
            self._instance, self._failure = None, _with_hint(error)
        return self._instance

    @property
    def must_wait(self) -> bool:
        """Whether the server cannot be asked right away."""
        return self._instance is None or not self._instance.may_be_asked

    @property
    def is_open(self) -> bool:
        """Whether the server has been told of the file before."""
        return self._session is not None and self._session.state.documents.get(uri_of(self.file)) is not None

    async def start(self, deadline: float) -> None:
        """Wait for the server to run."""
        if self._instance is None:
            return
        try:
            self._session = await self._instance.ready(deadline)
        except TimeoutError:
            self._failure = "it is still starting"
        except GroundwireError as error:
            self._failure = _with_hint(error)

    def tell(self, since: float) -> None:
        """Sync the file, if the server runs and was not told of it after ``since``."""
        self._document = self._found = None
        if self._session is None:
            return
        self._moved = self._session.interlude.moved
        try:
            self._document = sync_file(self._session, self.file, self._language, since=since)
        except GroundwireError as error:
            self._failure = error.message

    def give_way(self) -> None:
        """Let the server begin with what it was told."""
        if self._session is not None:
            self._session.give_way()

    async def ask(self, deadline: float) -> None:
        """Prove the findings."""
        if self._session is not None and self._document is not None:
            self._found = await diagnose(self._session, self._document, deadline)

    def look(self, since: float) -> None:
        """Sync the file again: what is told now is newer than what was found."""
        self._seen = None
        if self._session is not None and self._found is not None:
            with contextlib.suppress(GroundwireError):  # then nothing is seen that could confirm anything
                self._seen = sync_file(self._session, self.file, self._language, since=since)

    def is_current(self) -> bool:
        """Whether the findings are about the present content; what failed has no content to be older than."""
        session, found, seen = self._session, self._found, self._seen
        if self._died_once() or (self._instance is not None and self._instance.is_outdated):
            return False
        if session is None or found is None or found.proof == "unknown":
            return True
        if session.interlude.is_on:
            return False
        return seen is not None and seen.text == found.text and session.state.documents.clock == found.clock

    def _died_once(self) -> bool:
        """Whether the server ended while it was asked, for the first time: then its successor is asked again."""
        if self._instance is None or not self._instance.has_failed or not self._deaths_left:
            return False
        self._deaths_left -= 1
        return True

    @property
    def is_same_content(self) -> bool:
        """Whether the file itself is still as it was when it was checked."""
        return self._found is None or (self._seen is not None and self._seen.text == self._found.text)

    @property
    def was_shown_other(self) -> bool:
        """Whether the server was shown content that is not on disk since it was told of the file."""
        return self._session is not None and self._session.interlude.moved != self._moved

    @property
    def text(self) -> str | None:
        """The content that the findings are about."""
        return self._found.text if self._found is not None else None

    @property
    def part(self) -> Part:
        """The findings in people's terms, or why there are none."""
        if self._session is None or self._found is None:
            server = self._chosen.spec.id
            return Part(server=server, status=Status.UNKNOWN, reason=f"{server}: {self._failure}")
        return part_of(self._found, self._session.state.capabilities.position_encoding)


def _joined_status(parts: Sequence[Part], doubts: Sequence[str]) -> Status:
    """One server that knows makes the whole at least partial."""
    statuses = [part.status for part in parts]
    joined = worst(statuses)
    if joined is Status.UNKNOWN and Status.CONFIRMED in statuses:
        return Status.PARTIAL
    return Status.PARTIAL if doubts and joined is Status.CONFIRMED else joined


def _with_hint(error: GroundwireError) -> str:
    return f"{error.message}. {error.hint}" if error.hint else error.message

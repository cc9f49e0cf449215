"""The findings of many files: batch by batch until the time is over, and all of them about one and the same world.

What a batch proved is looked at again when the last one is done: where something has changed since, it is checked anew,
or said to be older. Above: ``get_diagnostics``. Below: ``diagnose``, ``pool``.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from groundwire.client.session import Session
from groundwire.errors import FileNotFound, GroundwireError, LanguageNotEnabled, NoServerForExtension, NotAFile
from groundwire.operations.answer import FileFindings, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.operation import Call
from groundwire.pool.pool import Pool
from groundwire.protocol.names import is_text
from groundwire.registry.detect import detect_language

_BATCH = 64
"""Files that are open at once and wait for one answer: few enough to be done before the time is over."""
_MOST_ROUNDS = 3
_MOST_VANISHING = 3

_Stamp = tuple[int, int, int, int]


class Unserved(msgspec.Struct, frozen=True):
    """A file that no server takes care of. ``is_missed``: one should, and cannot be had."""

    file: Path
    language: str
    reason: str
    is_missed: bool


class Checked(msgspec.Struct, frozen=True):
    """What is known of the files. ``left``: how many were not come to."""

    findings: tuple[FileFindings, ...]
    unserved: tuple[Unserved, ...]
    left: int


async def check_many(call: Call, files: Sequence[Path], named: Sequence[Path]) -> Checked:
    """Check those that are named, and of the others those that are still there and that a server takes care of.

    Raises FileNotFound or NotAFile for a named one that cannot be checked at all.
    """
    return await _Sweep(call, files, frozenset(named)).run()


class _Batch:
    """Some files, what they looked like before they were checked, and the world that the findings are about."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.files = files
        self.stamps: dict[str, _Stamp | None] = {}
        self.findings: tuple[FileFindings, ...] = ()
        self.worlds: dict[Session, int] | None = None
        """None: it was not checked."""

    def is_current(self, pool: Pool) -> bool:
        """Whether nothing was told to any server since that may change an answer."""
        now = _worlds(pool)
        return self.worlds is not None and all(
            now.get(session) == world and not pool.is_outdated(session) for session, world in self.worlds.items()
        )

    def doubted(self, workspace: Path) -> tuple[FileFindings, ...]:
        """What is left of the findings when something has changed since, and there is no time to ask again."""
        return tuple(self._doubted(each, workspace) for each in self.findings)

    def _doubted(self, findings: FileFindings, workspace: Path) -> FileFindings:
        if _stamp(workspace / findings.file) != self.stamps.get(findings.file):
            reason = "the file changed after it was checked"
            return FileFindings(file=findings.file, status=Status.UNKNOWN, reason=reason, servers=findings.servers)
        if findings.status is not Status.CONFIRMED:
            return findings
        reason = "other files changed after this one was checked"
        return msgspec.structs.replace(findings, status=Status.PARTIAL, reason=reason)


class _Sweep:
    def __init__(self, call: Call, files: Sequence[Path], named: frozenset[Path]) -> None:
        self._call = call
        self._pool = call.pool
        self._named = named
        self._total = len(files)
        self._batches = [_Batch(files[start : start + _BATCH]) for start in range(0, len(files), _BATCH)]
        self._unserved: dict[Path, Unserved] = {}

    async def run(self) -> Checked:
        waiting = self._batches
        for _ in range(_MOST_ROUNDS):
            await self._check_each(waiting)
            waiting = self._outdated()
            if not waiting or self._is_late():
                break
        checked = [batch for batch in self._batches if batch.worlds is not None]
        findings = [batch.doubted(self._pool.workspace) if batch in waiting else batch.findings for batch in checked]
        return Checked(
            findings=tuple(each for found in findings for each in found),
            unserved=tuple(self._unserved.values()),
            left=sum(len(batch.files) for batch in self._batches if batch.worlds is None),
        )

    async def _check_each(self, batches: Sequence[_Batch]) -> None:
        done = 0
        for number, batch in enumerate(batches):
            if number and self._is_late():
                return
            if number:
                self._call.progress(f"checked {done} of {self._total} files")
            await self._check(batch)
            done += len(batch.files)

    def _outdated(self) -> list[_Batch]:
        """Batches of which something may be different by now; a single one has just been looked at."""
        checked = [batch for batch in self._batches if batch.worlds is not None]
        if len(checked) <= 1:
            return []
        self._pool.refresh()
        return [batch for batch in checked if not batch.is_current(self._pool)]

    async def _check(self, batch: _Batch) -> None:
        workspace = self._pool.workspace
        for vanishing in range(_MOST_VANISHING):
            files = [file for file in batch.files if file in self._named or self._is_served(file)]
            batch.stamps = {_key(file, workspace): _stamp(workspace / file) for file in files}
            try:
                found = await check_files(self._pool, files, wait_s=self._time_left()) if files else None
            except (FileNotFound, NotAFile):
                if self._named.issuperset(batch.files) or vanishing == _MOST_VANISHING - 1:
                    raise
                continue
            batch.findings = found.value if found is not None else ()
            batch.worlds = _worlds(self._pool)
            return

    def _is_served(self, file: Path) -> bool:
        """Whether it is there, and a server takes care of it; of the others it is kept why not."""
        if not file.is_file():
            return False
        try:
            self._pool.route(file)
        except GroundwireError as error:
            language = detect_language(self._pool.catalog, file)[0] or ""
            is_missed = not isinstance(error, NoServerForExtension | LanguageNotEnabled)
            reason = f"{error.message}. {error.hint}" if error.hint else error.message
            missed = is_missed and not self._pool.catalog.is_data(language)
            if missed and not is_text(str(file)):
                return True  # there may well be a server, but not for this one file: which it is, is said of it by name
            self._unserved[file] = Unserved(file, language, reason, missed)
            return False
        self._unserved.pop(file, None)
        return True

    def _time_left(self) -> float:
        return max(self._call.deadline - asyncio.get_running_loop().time(), 0.001)

    def _is_late(self) -> bool:
        return asyncio.get_running_loop().time() >= self._call.deadline


def _worlds(pool: Pool) -> dict[Session, int]:
    sessions = (instance.session for instance in pool.instances())
    return {session: session.state.documents.world for session in sessions if session.life == "ready"}


def _key(file: Path, workspace: Path) -> str:
    absolute = workspace / file
    resolved = absolute.parent.resolve() / absolute.name
    return resolved.relative_to(workspace).as_posix() if resolved.is_relative_to(workspace) else resolved.as_posix()


def _stamp(file: Path) -> _Stamp | None:
    try:
        found = file.stat()
    except (OSError, ValueError):  # gone, or no name that a file could have
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino

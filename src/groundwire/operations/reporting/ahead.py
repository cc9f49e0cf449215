"""Edits checked before anybody asks: an agent's host starts the hook after it has written, and that takes longer than
most servers need.

Nothing is shown, so nothing is taken for told: the question that follows finds what is proven already, or asks as if
this had not been. Above: ``surfaces.hooks``. Below: ``diagnose``, ``remembered``.
"""

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from groundwire.client.sync import uri_of
from groundwire.errors import GroundwireError
from groundwire.operations.diagnostics.diagnose import prove_files
from groundwire.operations.reporting.everything import MOST_DEPENDENTS
from groundwire.operations.reporting.remembered import DependentsMemory
from groundwire.pool.pool import Pool
from groundwire.workspace.changes import ChangeKind, FileChange

EXPECTED_S = 600.0
"""So long after a hook others are expected; where nobody asks, nothing is done for nobody."""
_MOST_FILES = 16
"""More at once is no edit but a branch that was checked out, say, and the hook will have other questions."""
_LONGEST_S = 10.0


class Ahead:
    """For one workspace. ``expect`` is told of every edit that is asked about."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._until = 0.0
        self._files: dict[Path, None] = {}
        self._checking: asyncio.Task[None] | None = None
        pool.unasked.append(self._saw)

    def expect(self) -> None:
        """There will be more edits that are asked about."""
        self._until = asyncio.get_running_loop().time() + EXPECTED_S
        self._pool.expect_edits(EXPECTED_S)

    def _saw(self, changes: Sequence[FileChange]) -> None:
        if asyncio.get_running_loop().time() > self._until or len(changes) > _MOST_FILES:
            return
        edited = [Path(change.path) for change in changes if change.kind == ChangeKind.CHANGED]
        self._files.update(dict.fromkeys(filter(self._is_open, edited)))
        if self._files and (self._checking is None or self._checking.done()):
            self._checking = asyncio.ensure_future(self._check())

    def _is_open(self, file: Path) -> bool:
        """Whether a server was told of it before: what nobody ever asked about is nobody's edit."""
        uri = uri_of(file)
        return any(each.session.state.documents.get(uri) is not None for each in self._pool.instances())

    async def _check(self) -> None:
        while self._files:
            files, self._files = list(self._files), {}
            deadline = asyncio.get_running_loop().time() + _LONGEST_S
            with contextlib.suppress(GroundwireError):  # whoever asks meets it again, and is told
                await prove_files(self._pool, [*files, *self._likely(files)], deadline=deadline)

    def _likely(self, files: Iterable[Path]) -> list[Path]:
        """Those whom a report will look at as well."""
        edited = set(files)
        found = self._pool.kept.get(DependentsMemory).of(edited)
        return [file for file in found if file not in edited and file.is_file()][:MOST_DEPENDENTS]

"""Edits looked at before anybody asks: an agent's host starts the hook after it has written, and that takes longer than
most servers need.

Nothing is shown, so nothing is taken for told: the report that follows finds what is proven already, or asks as if this
had not been. Above: ``surfaces.hooks``. Below: ``diagnose``, ``indirect``, ``remembered``.
"""

import asyncio
import contextlib
from collections.abc import Collection, Sequence
from pathlib import Path

from groundwire.client.ask import Reply
from groundwire.client.sync import uri_of
from groundwire.errors import GroundwireError
from groundwire.operations.diagnostics.baselines import Baselines
from groundwire.operations.diagnostics.diagnose import CheckedFile, prove_files
from groundwire.operations.looks import Looks
from groundwire.operations.operation import Call
from groundwire.operations.question import Asking, ask_about
from groundwire.operations.reporting.carriers import Source
from groundwire.operations.reporting.everything import MOST_DEPENDENTS
from groundwire.operations.reporting.indirect import Outlines
from groundwire.operations.reporting.remembered import DependentsMemory
from groundwire.operations.reporting.touched import lost_names
from groundwire.pool.pool import Pool
from groundwire.workspace.changes import ChangeKind, FileChange

EXPECTED_S = 600.0
"""So long after a hook others are expected; where nobody asks, nothing is done for nobody."""
_MOST_FILES = 16
"""More at once is no edit but a branch that was checked out, say, and the hook will have other questions."""
_LONGEST_S = 10.0
_LONGEST_WAIT_S = 0.5


class Ahead:
    """For one workspace. ``expect`` is told of every edit that is asked about."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._until = 0.0
        self._files: dict[Path, None] = {}
        self._under_way: frozenset[Path] = frozenset()
        self._looking: asyncio.Task[None] | None = None
        pool.unasked.append(self._saw)

    def expect(self) -> None:
        """There will be more edits that are asked about."""
        self._until = asyncio.get_running_loop().time() + EXPECTED_S
        self._pool.expect_edits(EXPECTED_S)

    async def has_looked(self, files: Collection[Path], deadline: float) -> None:
        """Wait while these are looked at: to ask for the same at the same time takes servers longer.

        Not for long: a report within its time is worth more than a whole one after it.
        """
        loop = asyncio.get_running_loop()
        if self._looking is not None and not self._under_way.isdisjoint(files):
            await asyncio.wait([self._looking], timeout=min((deadline - loop.time()) / 4, _LONGEST_WAIT_S))

    def _saw(self, changes: Sequence[FileChange]) -> None:
        if asyncio.get_running_loop().time() > self._until or len(changes) > _MOST_FILES:
            return
        edited = [Path(change.path) for change in changes if change.kind == ChangeKind.CHANGED]
        self._files.update(dict.fromkeys(filter(self._is_open, edited)))
        if self._files and (self._looking is None or self._looking.done()):
            self._looking = self._pool.beside(self._look())

    def _is_open(self, file: Path) -> bool:
        """Whether a server was told of it before: what nobody ever asked about is nobody's edit."""
        uri = uri_of(file)
        return any(each.session.state.documents.get(uri) is not None for each in self._pool.instances())

    async def _look(self) -> None:
        while self._files:
            files, self._files = list(self._files), {}
            self._under_way = frozenset(files)
            deadline = asyncio.get_running_loop().time() + _LONGEST_S
            with contextlib.suppress(GroundwireError, TimeoutError):  # whoever asks meets it again, and is told
                async with asyncio.timeout_at(deadline):
                    await self._rehearse(files, deadline)
        self._under_way = frozenset()

    async def _rehearse(self, files: Sequence[Path], deadline: float) -> None:
        """What a report of these edits will ask first, whatever else it will. To search the workspace twice would take
        longer than it saves."""
        likely = [file for file in self._pool.kept.get(DependentsMemory).of(files) if file.is_file()]
        checked = await prove_files(self._pool, _each_once(files, likely), deadline=deadline)
        call = Call(self._pool, deadline, looks=Looks(self._pool))
        await asyncio.gather(*(self._outline(call, each) for each in checked if each.file in files))

    async def _outline(self, call: Call, edited: CheckedFile) -> None:
        outlines, known = self._pool.kept.get(Outlines), self._pool.kept.get(Baselines).get(edited.file)

        async def put(asking: Asking) -> tuple[Reply[Source], str]:
            return await outlines.ask(call, asking), ""

        with contextlib.suppress(GroundwireError):  # one that cannot be asked is no reason to stop asking the others
            await ask_about(call, edited.file, put)
        if known is not None and edited.text is not None:
            lost_names(known.text, edited.text)  # which is kept


def _each_once(files: Sequence[Path], likely: Collection[Path]) -> list[Path]:
    return list(dict.fromkeys((*files, *likely)))[: len(files) + MOST_DEPENDENTS]

"""Edits looked at before anybody asks: an agent's host starts the hook after it has written, and that takes longer than
most servers need.

Nothing is shown, so nothing is taken for told: the report that follows finds what is proven already, or asks as if this
had not been. Above: ``surfaces.hooks``. Below: ``diagnose``, ``indirect``, ``remembered``.
"""

import asyncio
import contextlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from groundwire.client.ask import Reply
from groundwire.client.sync import uri_of
from groundwire.errors import GroundwireError
from groundwire.operations.diagnostics.baselines import Baselines
from groundwire.operations.diagnostics.diagnose import all_asked, prove_files
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
from groundwire.workspace.documents import Document

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
        return any(self._documents(file))

    def _documents(self, file: Path) -> Iterator[Document]:
        """As servers know it."""
        uri = uri_of(file)
        return filter(None, (each.session.state.documents.get(uri) for each in self._pool.instances()))

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
        checking = prove_files(self._pool, _each_once(files, likely), deadline=deadline)
        await asyncio.gather(checking, self._outlines(files, deadline))

    async def _outlines(self, files: Sequence[Path], deadline: float) -> None:
        """Behind the checks, but not after them: some servers have more to do once they are told of a save."""
        await all_asked()
        call = Call(self._pool, deadline, looks=Looks(self._pool))
        async with asyncio.TaskGroup() as servers:
            for file in files:
                servers.create_task(self._outline(call, file))
            await asyncio.sleep(0)  # all have been asked: what the texts tell is found out while they think
            for file in files:
                self._compare(file)

    def _compare(self, file: Path) -> None:
        known, document = self._pool.kept.get(Baselines).get(file), next(self._documents(file), None)
        if known is not None and document is not None:
            lost_names(known.text, document.text)  # which is kept

    async def _outline(self, call: Call, file: Path) -> None:
        outlines = self._pool.kept.get(Outlines)

        async def put(asking: Asking) -> tuple[Reply[Source], str]:
            return await outlines.ask(call, asking), ""

        # One that cannot be asked is no reason to stop asking the others.
        with contextlib.suppress(GroundwireError, TimeoutError):
            await ask_about(call, file, put)


def _each_once(files: Sequence[Path], likely: Collection[Path]) -> list[Path]:
    return list(dict.fromkeys((*files, *likely)))[: len(files) + MOST_DEPENDENTS]

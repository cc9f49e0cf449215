"""Who reads files through a pool while edits are tried in it, and notes what was not so before."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from groundwire.operations.answer import Finding, Status
from groundwire.operations.diagnostics.diagnose import CheckedFile, prove_files
from groundwire.operations.navigation.symbols import ListSymbols, list_symbols
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool

WAIT_S = 60.0
FEWEST_PREVIEWS = 5


class Readers:
    """Read the same files through the same pool, all the time."""

    def __init__(self, pool: Pool, root: Path, names: Sequence[str], wanted: int, *, check_every: int) -> None:
        self._check_every = check_every
        self._pool = pool
        self._root = root
        self._names = names
        self._wanted = wanted
        self._findings: dict[str, tuple[Finding, ...]] = {}
        self._symbols: dict[str, list[str]] = {}
        self.reads = 0
        self.previews = 0
        """How many were made meanwhile."""
        self.strange: list[str] = []
        self._has_read = asyncio.Event()
        self.is_over = False
        """Whether one of them has read enough."""

    async def learn(self) -> None:
        """What there is to be seen."""
        for name in self._names:
            self._findings[name] = (await self._check(name)).findings.diagnostics
            self._symbols[name] = await self._outline(name)

    async def read(self, number: int) -> None:
        """Until there was enough."""
        try:
            await self._read(number)
        finally:
            self.is_over = True
            self._has_read.set()

    async def _read(self, number: int) -> None:
        while self.reads < self._wanted or self.previews < FEWEST_PREVIEWS:
            name = self._names[(self.reads + number) % len(self._names)]
            if self.reads % self._check_every == 1:
                found = await self._check(name)
                if set(found.findings.diagnostics) - set(self._findings[name]):
                    self.strange.append(f"{name}: {found.findings}")
                if found.findings.status is Status.CONFIRMED and found.findings.diagnostics != self._findings[name]:
                    self.strange.append(f"{name}: not all of it: {found.findings}")
            elif (symbols := await self._outline(name)) != self._symbols[name]:
                self.strange.append(f"{name}: {symbols}")
            self.reads += 1
            self._has_read.set()

    async def until(self, reads: int) -> None:
        """Waits until there were so many, or one of them reads no more."""
        while self.reads < reads and not self.is_over:
            self._has_read.clear()
            await self._has_read.wait()

    async def _check(self, name: str) -> CheckedFile:
        deadline = asyncio.get_running_loop().time() + WAIT_S
        (found,) = await prove_files(self._pool, [self._root / name], deadline=deadline)
        return found

    async def _outline(self, name: str) -> list[str]:
        answer = await perform(self._pool, list_symbols, ListSymbols(file_path=name), wait_s=WAIT_S)
        return [symbol.path for symbol in answer.value.symbols]

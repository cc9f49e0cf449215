"""Doing harm to servers while they are asked, and holding every answer against what is true.

Above: ``test_chaos``. Below: ``subjects``.
"""

import asyncio
import errno
import os
import random
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import psutil

from groundwire.errors import GroundwireError
from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.chaos.subjects import ALL, SCRIPTED, ChangingFile, file_of, numbers_in, pipe_of

T = TypeVar("T")

WAIT_S = 6.0
MARGIN_S = 5.0
RESTART_S = 20.0
ORDERS = ("garbage", "slow 0.5", "slow 3", "deaf", "dumb")
SIGNALS = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP}
REFERENCES = {**dict.fromkeys(SCRIPTED, 2 * len(SCRIPTED)), "ty": 2}
"""How often the word at the top of a server's file is used."""


class Asker:
    """Asks everything there is to ask, changes files meanwhile, and accepts the truth or a typed error in time."""

    def __init__(self, pool: Pool, chance: random.Random) -> None:
        self._pool = pool
        self._chance = chance
        names = dict.fromkeys(file_of(server) for server in ALL)
        self.files = {name: ChangingFile(pool.workspace / name) for name in names}
        self.finished = 0
        self.confirmed = 0
        self.refused = 0
        self.news = asyncio.Event()

    async def keep_asking(self, is_over: Callable[[], bool]) -> None:
        """One thing after another."""
        actions = (self._check, self._check_all, self._refer, self._change, self._restart)
        while not is_over():
            action = self._chance.choices(actions, (50, 15, 20, 12, 3))[0]
            await action()
            self.finished += 1
            self.news.set()

    async def check(self, *names: str, wait_s: float = WAIT_S) -> bool:
        """Check files; tells whether all was confirmed. What is confirmed must be true."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        answer = await self._typed(check_files(self._pool, [Path(name) for name in names], wait_s=wait_s), wait_s)
        if answer is None:
            return False
        for found in answer.value:
            if found.status is Status.CONFIRMED:
                held = self.files[found.file].held_between(began, loop.time())
                assert numbers_in(found) in held, f"{found.file}: {found} is none of {held}"
                self.confirmed += 1
            else:
                assert found.reason, found
        return answer.status is Status.CONFIRMED

    async def _check(self) -> None:
        await self.check(self._chance.choice(list(self.files)))

    async def _check_all(self) -> None:
        await self.check(*self.files)

    async def _refer(self) -> None:
        server = self._chance.choice(list(REFERENCES))
        wanted = FindReferences(file_path=file_of(server), line=1, column=1, include_declaration=True)
        asked = perform(self._pool, find_references, wanted, wait_s=WAIT_S)
        answer = await self._typed(asked, WAIT_S)
        if answer is not None and answer.status is Status.CONFIRMED:
            assert answer.value.total == REFERENCES[server], answer
            self.confirmed += 1

    async def _change(self) -> None:
        file = self.files[self._chance.choice(list(self.files))]
        file.write(frozenset(self._chance.sample(range(1000), self._chance.randrange(3))))

    async def _restart(self) -> None:
        await self._typed(self._pool.restart(self._chance.choice(ALL)), RESTART_S)

    async def _typed(self, asked: Awaitable[T], wait_s: float) -> T | None:
        """The result, or none when the refusal was typed. Whatever else is raised, a hang included, ends the test."""
        try:
            async with asyncio.timeout(wait_s + MARGIN_S):
                return await asked
        except GroundwireError as error:
            assert error.message  # noqa: PT017
            self.refused += 1
            return None


class Tormentor:
    """Does harm to one server after another."""

    def __init__(self, pool: Pool, directory: Path, chance: random.Random) -> None:
        self._pool = pool
        self._directory = directory
        self._chance = chance
        self.done: dict[str, int] = {}
        self.seen: set[psutil.Process] = set()
        """Every process that was ever there."""

    async def torment(self, count: int, asker: Asker) -> None:
        """So many faults that really happened, each while something is asked."""
        done = 0
        while done < count:
            self.seen.update(psutil.Process().children(recursive=True))
            done += self._do_harm(self._chance.choice(ALL), self._chance.choice((*SIGNALS, *ORDERS)))
            asker.news.clear()
            async with asyncio.timeout(WAIT_S + MARGIN_S + RESTART_S):
                await asker.news.wait()

    def _do_harm(self, server: str, fault: str) -> bool:
        happened = self._signal(server, SIGNALS[fault]) if fault in SIGNALS else self._order(server, fault)
        if happened:
            kind = fault.split(maxsplit=1)[0]
            self.done[kind] = self.done.get(kind, 0) + 1
        return happened

    def _signal(self, server: str, number: signal.Signals) -> bool:
        pids = [status.pid for status in self._pool.status(has_memory=False) if status.server == server]
        if not pids or pids[0] is None:
            return False
        try:
            os.kill(pids[0], number)
        except ProcessLookupError:
            return False
        return True

    def _order(self, server: str, order: str) -> bool:
        try:
            pipe = os.open(pipe_of(self._directory, server), os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            assert error.errno == errno.ENXIO  # noqa: PT017 - nobody listens: it does not run
            return False
        try:
            os.write(pipe, f"{order}\n".encode())
        except BrokenPipeError:  # who listened has just ended
            return False
        finally:
            os.close(pipe)
        return True

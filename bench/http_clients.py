"""The clients of ``http_load``, in a process of their own: given a file with their job, and one for what they saw.

Each asks so many times a second, on one connection, one question at a time; the clock of a call runs from the moment at
which it was due, so that a client that was held up is not forgiven for it. Above: ``http_load``. Below: ``http_wires``.
"""

import asyncio
import gc
import random
import resource
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec

from bench.http_wires import DaemonWay, HttpWay, LostError, Way

_LONGEST_S = 30.0
_AGAIN_S = 0.05
_MOST_FAILURES = 50


class Job(msgspec.Struct):
    """``port`` 0: straight to the daemons. ``reconnects``: the front may end and come back meanwhile.

    Client N works in ``roots[N % len(roots)]``; ``movers`` more change where their conversation works, all the time.
    """

    roots: list[str]
    calls: list[dict[str, Any]]
    clients: int = 50
    rate: float = 10.0
    seconds: float = 60.0
    port: int = 0
    token: str = ""
    is_modern: bool = False
    reconnects: bool = False
    movers: int = 0
    seed: int = 1


class Told(msgspec.Struct):
    """``taken``: milliseconds of every call, by its number in the job. ``moves`` were acknowledged."""

    taken: list[list[float]]
    failures: list[str] = []
    lost: int = 0
    moves: int = 0
    processor_s: float = 0.0


class Clients:
    """All of them."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._chance = random.Random(job.seed)
        self.told = Told([[] for _ in job.calls])

    async def run(self) -> None:
        """Until the time is over, with a second in between to let things settle."""
        ways = [self._way(number) for number in range(self._job.clients)]
        movers = [self._http(f"moving-{number}") for number in range(self._job.movers)]
        for way in ways:
            await way.connect()
            # At once: who connects and then waits until daemons have started for others is taken for a slow attacker.
            for question in range(len(self._job.calls)):
                await way.ask(question)
        for way in movers:
            await way.connect()
        gc.collect()
        gc.freeze()
        print("ready", flush=True)
        until = time.perf_counter() + self._job.seconds
        await asyncio.gather(
            *(self._steadily(way, until) for way in ways),
            *(self._move(way, f"moving-{number}", until) for number, way in enumerate(movers)),
        )
        for way in (*ways, *movers):
            way.close()

    def _way(self, number: int) -> Way:
        if not self._job.port:
            return DaemonWay(self._job.roots[number % len(self._job.roots)], self._job.calls)
        return self._http(f"client-{number}")

    def _http(self, conversation: str) -> HttpWay:
        return HttpWay(self._job.port, self._job.token, conversation, self._job.calls, is_modern=self._job.is_modern)

    async def _steadily(self, way: Way, until: float) -> None:
        period = 1 / self._job.rate
        due = time.perf_counter() + self._chance.random() * period
        while due < until:
            await asyncio.sleep(max(due - time.perf_counter(), 0))
            question = self._chance.randrange(len(self._job.calls))
            await self._ask(way, question, due)
            due += period

    async def _ask(self, way: Way, question: int, due: float) -> None:
        try:
            async with asyncio.timeout(_LONGEST_S):
                answer = await self._insisting(way, lambda: way.ask(question))
        except (TimeoutError, ValueError, LostError) as problem:
            self._fail(f"{self._job.calls[question]['name']}: {type(problem).__name__} {problem}")
            return
        self.told.taken[question].append((time.perf_counter() - due) * 1000)
        if b"confirmed" not in answer or b'"isError":true' in answer:
            self._fail(f"{self._job.calls[question]['name']}: {answer[-300:].decode('latin-1')}")

    async def _insisting(self, way: Way, asking: Callable[[], Awaitable[bytes]]) -> bytes:
        """As a client does that outlives a restart of the service."""
        is_lost = False
        while True:
            try:
                if is_lost:
                    await way.connect()
                return await asking()
            except LostError:
                if not self._job.reconnects:
                    raise
                self.told.lost += not is_lost
                is_lost = True
                way.close()
                await asyncio.sleep(_AGAIN_S)

    async def _move(self, way: HttpWay, conversation: str, until: float) -> None:
        """What was acknowledged is there at the next look, whatever happened in between."""
        path, number = f"/conversations/{conversation}/cwd", 0
        while time.perf_counter() < until:
            number += 1
            root = self._job.roots[number % len(self._job.roots)]
            body = msgspec.json.encode({"cwd": root})
            answer = await self._insisting(way, lambda body=body: way.put(path, body))
            self.told.moves += 1
            await asyncio.sleep(_AGAIN_S)
            answer = await self._insisting(way, lambda: way.put(path, b""))
            if msgspec.json.encode(root) not in answer:
                self._fail(f"{conversation} works in {answer[-200:].decode('latin-1')}, and not in {root}")

    def _fail(self, why: str) -> None:
        if len(self.told.failures) < _MOST_FAILURES:
            self.told.failures.append(why)


def main(job: str, told: str) -> None:
    """The command."""
    clients = Clients(msgspec.json.decode(Path(job).read_bytes(), type=Job))
    asyncio.run(clients.run())
    used = resource.getrusage(resource.RUSAGE_SELF)
    clients.told.processor_s = used.ru_utime + used.ru_stime
    Path(told).write_bytes(msgspec.json.encode(clients.told))


if __name__ == "__main__":
    main(*sys.argv[1:])

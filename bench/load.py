"""Many agents on one daemon: what each waits beyond the language server, and whether the daemon grows.

    python -m bench.load [--clients 8] [--rate 20] [--seconds 60] [--server ty] [--json]
    python -m bench.load --calls 100000            # as fast as it goes, instead of for a time

Every client is a ``groundwire mcp`` process of its own. Questions of four kinds are mixed by chance, and every second a
file is edited on disk; every answer is checked. What the bare server needs for the same question, alone, is measured in
the same run: the rest is overhead. Above: the command line. Below: ``arena``, ``starts``, ``report``.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median

import msgspec

from bench.arena import CONTENDERS, Arena, open_arena
from bench.mcp_host import HELLO
from bench.projects import Project
from bench.report import markdown
from bench.starts import Place
from groundwire.daemon.control import ask_daemon

_TIMEOUT_S = 60
_LARGEST = 16 * 1024 * 1024
_LOOKS = 12
_EDIT_EVERY_S = 1.0


@dataclass(frozen=True)
class Question:
    """A tool with arguments, what the answer must begin with or hold, and the raw request for the same."""

    tool: str
    arguments: Mapping[str, object]
    is_right: Callable[[str], bool]
    method: str


def questions(project: Project) -> list[Question]:
    """Four kinds."""
    at = {"file_path": project.symbol_file, "line": project.symbol_line, "column": project.symbol_column}
    return [
        Question("go_to_definition", at, lambda text: "(confirmed by" in text.split("\n", 1)[0], "definition"),
        Question("find_references", at, lambda text: "(confirmed by" in text.split("\n", 1)[0], "references"),
        Question(
            "list_symbols", {"file_path": project.symbol_file}, lambda text: "confirmed" in text, "documentSymbol"
        ),
        Question("explore_symbol", at, lambda text: "confirmed" in text, "references"),
    ]


@dataclass
class Outcome:
    """What all clients saw."""

    taken: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    failures: list[str] = field(default_factory=list[str])
    memory_mb: list[float] = field(default_factory=list[float])
    raw: dict[str, float] = field(default_factory=dict[str, float])
    seconds: float = 0.0

    def overheads(self) -> list[float]:
        """Milliseconds of each call beyond the bare server's median for it, the largest last."""
        return sorted(each - self.raw[tool] for tool, all_taken in self.taken.items() for each in all_taken)

    def summary(self) -> dict[str, object]:
        """The figures."""
        over = self.overheads()
        half = self.memory_mb[len(self.memory_mb) // 4 :]
        return {
            "calls": len(over),
            "per_second": round(len(over) / self.seconds, 1),
            "failures": len(self.failures),
            "overhead_p50_ms": round(median(over), 2),
            "overhead_p99_ms": round(over[int(len(over) * 0.99)], 2),
            "overhead_max_ms": round(over[-1], 2),
            "memory_mb": self.memory_mb,
            "growth_mb": round(half[-1] - half[0], 1),
        }


class _Item(msgspec.Struct):
    text: str


class _Result(msgspec.Struct):
    content: list[_Item]


class _Reply(msgspec.Struct):
    result: _Result


class Agent:
    """One process of ``groundwire mcp``, asked many things at once."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._waiting: dict[int, asyncio.Future[Mapping[str, object]]] = {}
        self._last = 0
        self._reading = asyncio.ensure_future(self._read())

    @classmethod
    async def start(cls, place: Place) -> "Agent":
        """One that has been greeted."""
        command = [sys.executable, "-m", "groundwire", "mcp", "--root", str(place.root)]
        agent = cls(
            await asyncio.create_subprocess_exec(
                *command,
                env=place.environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LARGEST,
            )
        )
        await agent.ask("initialize", HELLO)
        agent.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return agent

    async def call(self, question: Question) -> str:
        """The text of the answer."""
        reply = await self.ask("tools/call", {"name": question.tool, "arguments": question.arguments})
        try:
            return msgspec.convert(reply, _Reply).result.content[0].text
        except (msgspec.ValidationError, IndexError):
            return json.dumps(reply)

    async def ask(self, method: str, params: Mapping[str, object]) -> Mapping[str, object]:
        """The reply."""
        self._last += 1
        number = self._last
        reply = self._waiting[number] = asyncio.get_running_loop().create_future()
        self.say({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        async with asyncio.timeout(_TIMEOUT_S):
            return await reply

    def say(self, message: Mapping[str, object]) -> None:
        """Without waiting for anything."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def end(self) -> None:
        """As a host does."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        await asyncio.wait_for(self._process.wait(), _TIMEOUT_S)
        await self._reading

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            message = json.loads(line)
            waiting = self._waiting.pop(message.get("id"), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(message)


class Load:
    """One run."""

    def __init__(self, place: Place, asked: Sequence[Question], seed: int) -> None:
        self._place = place
        self._asked = asked
        self._chance = random.Random(seed)
        self.outcome = Outcome({question.tool: [] for question in asked})

    async def for_a_time(self, agents: Sequence[Agent], rate: float, seconds: float) -> None:
        """Each agent asks so many times a second, whether or not it has its answers."""
        began = time.monotonic()
        beside = [self._look_on(seconds / _LOOKS), self._edit_on()]
        await self._beside(beside, *(self._steadily(agent, rate, began + seconds) for agent in agents))
        self.outcome.seconds = time.monotonic() - began
        await self._look()

    async def for_so_many(self, agents: Sequence[Agent], calls: int) -> None:
        """Each agent asks again when it has its answer."""
        began = time.monotonic()
        left = iter(range(calls))
        done = 0

        async def ask_on(agent: Agent) -> None:
            nonlocal done
            for _ in left:
                await self._ask(agent)
                done += 1
                if done % (calls // _LOOKS) == 0:
                    await self._look()

        await self._beside([self._edit_on()], *(ask_on(agent) for agent in agents))
        self.outcome.seconds = time.monotonic() - began
        await self._look()

    async def _beside(self, endless: Sequence[Coroutine[None, None, None]], *work: Awaitable[None]) -> None:
        """The work, and what goes on as long as it does."""
        others = [asyncio.ensure_future(each) for each in endless]
        await asyncio.gather(*work)
        for each in others:
            each.cancel()

    async def _edit_on(self) -> None:
        project = self._place.projects[0]
        for number in count():
            text = project.broken(number) if number % 2 else project.fixed
            (self._place.root / project.main).write_text(text, "utf-8")
            await asyncio.sleep(_EDIT_EVERY_S)

    async def _steadily(self, agent: Agent, rate: float, until: float) -> None:
        async with asyncio.TaskGroup() as calls:
            next_at = time.monotonic() + self._chance.random() / rate
            while next_at < until:
                await asyncio.sleep(max(next_at - time.monotonic(), 0))
                calls.create_task(self._ask(agent))
                next_at += 1 / rate

    async def _ask(self, agent: Agent) -> None:
        question = self._chance.choice(self._asked)
        began = time.perf_counter()
        try:
            text = await agent.call(question)
        except TimeoutError:
            self.outcome.failures.append(f"{question.tool}: no answer")
            return
        self.outcome.taken[question.tool].append((time.perf_counter() - began) * 1000)
        if not question.is_right(text):
            self.outcome.failures.append(f"{question.tool}: {text[:200]}")

    async def _look_on(self, every_s: float) -> None:
        while True:
            await asyncio.sleep(every_s)
            await self._look()

    async def _look(self) -> None:
        told = await asyncio.to_thread(ask_daemon, str(self._place.root), self._place.environment)
        if told is not None:
            self.outcome.memory_mb.append(float(str(told["memory_mb"])))


def raw_times(arena: Arena, asked: Sequence[Question], rounds: int = 50) -> dict[str, float]:
    """What the bare server needs for each, alone: the median."""
    project = arena.project
    file = arena.floor_file.parents[len(project.main.split("/")) - 1] / project.symbol_file
    arena.floor.open(file, project.language)
    position = {"line": project.symbol_line - 1, "character": project.symbol_column - 1}
    about = {"textDocument": {"uri": file.as_uri()}, "position": position, "context": {"includeDeclaration": True}}
    taken: dict[str, list[float]] = {question.tool: [] for question in asked}
    for _ in range(rounds):
        for question in asked:
            began = time.perf_counter()
            arena.floor.request(f"textDocument/{question.method}", about)
            taken[question.tool].append((time.perf_counter() - began) * 1000)
    return {tool: median(each) for tool, each in taken.items()}


async def measure(server: str, clients: int, rate: float, seconds: float, calls: int) -> Outcome:
    """Start everything, put the load on it, end everything."""
    async with open_arena(server) as arena:
        with tempfile.TemporaryDirectory(prefix="groundwire-bench-") as directory:
            place = Place(Path(directory), "load", {CONTENDERS[server].language: server})
            asked = questions(place.projects[0])
            load = Load(place, asked, seed=1)
            load.outcome.raw = raw_times(arena, asked)
            try:
                agents = [await Agent.start(place) for _ in range(clients)]
                for question in asked:  # the server has started, and knows the project
                    await agents[0].call(question)
                await (load.for_so_many(agents, calls) if calls else load.for_a_time(agents, rate, seconds))
                await asyncio.gather(*(agent.end() for agent in agents))
            finally:
                place.stop()
    return load.outcome


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; not 0 when any call failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="Many agents on one daemon.")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--rate", type=float, default=20.0, help="calls a second, of each")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--calls", type=int, default=0, help="so many, as fast as it goes")
    parser.add_argument("--server", default="ty", choices=tuple(CONTENDERS))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    outcome = asyncio.run(measure(given.server, given.clients, given.rate, given.seconds, given.calls))
    found = outcome.summary()
    rows = [(name, str(value)) for name, value in found.items()]
    print(json.dumps(found, indent=2) if given.json else markdown(("what", "value"), rows))
    for failure in outcome.failures[:20]:
        print(f"FAILED {failure}", file=sys.stderr)
    return 1 if outcome.failures else 0


if __name__ == "__main__":
    sys.exit(main())

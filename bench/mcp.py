"""Where a symbol is defined, asked by an agent: over MCP against the raw request, in one run.

    python -m bench.mcp [--servers ty,pyright,…] [--rounds 100] [--pause] [--json]

One question follows the other, ours and the raw one in turns, one of our ways at a time: with four servers at work
each of them meets a processor that has just done something else. With a pause in between the caches of the processor
are cold, on all sides; ours touches the most memory, and suffers most.

Above: the command line. Below: ``arena``, ``mcp_host``, ``report``.
"""

import argparse
import asyncio
import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import msgspec
from mcp.client.client import Client
from mcp_types import TextContent

from bench.arena import CONTENDERS, Arena, open_arena
from bench.mcp_host import Host
from bench.report import markdown, tell_wrong
from groundwire.errors import GroundwireError
from groundwire.operations.navigation.navigate import go_to_definition
from groundwire.operations.runner import perform
from groundwire.surfaces.mcp.server import build_server

SERVERS = ("ty", "pyright", "gopls", "clangd", "typescript-language-server")
WARM_UP = 10
TARGET_MS = 1.5
SIDES = ("operation", "memory", "stdio", "daemon")


Ask = Callable[[], Awaitable[str]]


@dataclass
class Result:
    """The measurements of one server, in milliseconds, by side, and those of the raw request beside them."""

    server: str
    taken: dict[str, list[float]] = field(default_factory=lambda: {side: list[float]() for side in SIDES})
    floor: dict[str, list[float]] = field(default_factory=lambda: {side: list[float]() for side in SIDES})
    processor_ms: float = 0.0
    """Of the process on stdio, for all its answers: what a busy machine makes slower but not more."""
    wrong: list[str] = field(default_factory=list[str])

    def summary(self) -> dict[str, object]:
        """The medians, and what each side adds to the raw request."""
        middle = {side: median(self.taken[side]) for side in SIDES}
        floor = {side: median(self.floor[side]) for side in SIDES}
        added = {f"{side}_added_ms": round(middle[side] - floor[side], 3) for side in SIDES}
        shown = {f"{side}_ms": round(value, 3) for side, value in middle.items()}
        return {
            "server": self.server,
            "floor_ms": round(floor["daemon"], 3),
            **shown,
            **added,
            "stdio_processor_ms": round(self.processor_ms / (WARM_UP + len(self.taken["stdio"])), 3),
            "target_ms": TARGET_MS,
            "answers": 2 * sum(len(taken) for taken in self.taken.values()),
            "wrong": len(self.wrong),
        }


class Contest:
    """One server's rounds. Every side is to find the one definition, and ours are to have it confirmed."""

    def __init__(self, server: str, arena: Arena, client: Client, host: Host, shared: Host) -> None:
        self.result = Result(server)
        self._arena = arena
        self._client = client
        self._host = host
        self._shared = shared
        project = arena.project
        place = {"line": project.symbol_line, "column": project.symbol_column}
        self._given: dict[str, object] = {"file_path": project.symbol_file, **place}
        self._wanted = go_to_definition.parse(self._given)
        floor_root = arena.floor_file.parents[len(project.main.split("/")) - 1]
        self._floor_file = floor_root / project.symbol_file

    async def run(self, rounds: int, *, with_pauses: bool) -> Result:
        """Warm up, then measure in an order left to chance."""
        self._arena.floor.open(self._floor_file, self._arena.project.language)
        self._arena.floor.findings()
        gc.collect()
        gc.freeze()
        ways = {"daemon": self._daemon, "stdio": self._stdio, "memory": self._memory, "operation": self._operation}
        for side, ask in ways.items():  # what is promised comes first: the raw server gets warmer with each
            began = self._host.processor_ms
            await self._compare(side, ask, rounds, with_pauses=with_pauses)
            if side == "stdio":
                self.result.processor_ms = self._host.processor_ms - began
        gc.unfreeze()
        return self.result

    async def _compare(self, side: str, ours: Ask, rounds: int, *, with_pauses: bool) -> None:
        """One of our ways and the raw request, in turns."""
        result = self.result
        sides = [("floor", self._floor, result.floor[side]), (side, ours, result.taken[side])]
        for number in range(WARM_UP + rounds):
            if number == WARM_UP:
                result.floor[side].clear()
                result.taken[side].clear()
            for name, ask, taken in random.sample(sides, len(sides)):
                if with_pauses:
                    await self._arena.rest()
                began = time.perf_counter()
                said = await ask()
                taken.append((time.perf_counter() - began) * 1000)
                self._judge(name, said)

    async def _floor(self) -> str:
        project = self._arena.project
        position = {"line": project.symbol_line - 1, "character": project.symbol_column - 1}
        params = {"textDocument": {"uri": self._floor_file.as_uri()}, "position": position}
        answer = self._arena.floor.request("textDocument/definition", params)
        return f"confirmed {len(msgspec.json.decode(answer))}"

    async def _operation(self) -> str:
        answer = await perform(self._arena.pool, go_to_definition, self._wanted)
        return f"{answer.status} {answer.value.total}"

    async def _memory(self) -> str:
        item = (await self._client.call_tool("go_to_definition", self._given)).content[0]
        return _essence(item.text if isinstance(item, TextContent) else "")

    async def _stdio(self) -> str:
        return _essence(self._host.call("go_to_definition", self._given))

    async def _daemon(self) -> str:
        return _essence(self._shared.call("go_to_definition", self._given))

    def _judge(self, side: str, said: str) -> None:
        if said != "confirmed 1":
            self.result.wrong.append(f"{side}: {said}")


def _essence(text: str) -> str:
    is_right = text.startswith("1 definition in 1 file (confirmed by")
    return "confirmed 1" if is_right else text


@asynccontextmanager
async def _contest(server: str) -> AsyncGenerator[Contest]:
    async with open_arena(server) as arena:
        with tempfile.TemporaryDirectory(prefix="groundwire-bench-", dir=arena.pool.workspace.parent) as directory:
            root, shared_root = Path(directory, "project"), Path(directory, "shared")
            arena.project.write(root)
            arena.project.write(shared_root)
            language = arena.project.language
            with (
                closing(Host(root, Path(directory, "config"), language, server)) as host,
                closing(Host(shared_root, Path(directory, "other"), language, server, has_daemon=True)) as shared,
            ):
                async with Client(build_server(arena.pool)) as client:
                    yield Contest(server, arena, client, host, shared)


async def measure(servers: Sequence[str], rounds: int, *, with_pauses: bool) -> list[Result]:
    """All servers, one after the other. One that is not installed is left out, and said to be."""
    results: list[Result] = []
    for server in servers:
        began = time.monotonic()
        try:
            async with _contest(server) as contest:
                results.append(await contest.run(rounds, with_pauses=with_pauses))
        except GroundwireError as error:
            print(f"{server}: left out: {error}", file=sys.stderr)
            continue
        print(f"{server}: {time.monotonic() - began:.1f} s", file=sys.stderr)
    return results


def table(results: Sequence[Result]) -> str:
    """For people."""
    adds = ("operation adds", "MCP in memory adds", "MCP on stdio adds", "shim and daemon add")
    head = ("server", "floor p50", *adds, "target", "processor on stdio", "wrong")
    rows = [
        (
            str(row["server"]),
            f"{row['floor_ms']:.2f} ms",
            *(f"{row[f'{side}_added_ms']:.2f} ms" for side in SIDES),
            f"≤ {TARGET_MS} ms",
            f"{row['stdio_processor_ms']:.2f} ms",
            f"{row['wrong']} of {row['answers']}",
        )
        for row in (result.summary() for result in results)
    ]
    return markdown(head, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; not 0 when any answer was wrong or unproven."""
    parser = argparse.ArgumentParser(prog="python -m bench.mcp", description="Definitions, asked over MCP.")
    parser.add_argument("--servers", default=",".join(SERVERS), help=f"of {', '.join(CONTENDERS)}")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--pause", action="store_true", help="rest before each question")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    servers, rounds = str(given.servers).split(","), int(given.rounds)
    results = asyncio.run(measure(servers, rounds, with_pauses=bool(given.pause)))
    print(json.dumps([result.summary() for result in results], indent=2) if given.json else table(results))
    return tell_wrong((result.server, result.wrong) for result in results)


if __name__ == "__main__":
    sys.exit(main())

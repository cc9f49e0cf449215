"""Where a symbol is used: groundwire against the raw request, in one run; and what large answers cost.

    python -m bench.queries [--servers ty,pyright,…] [--rounds 40] [--json]

Above: the command line. Below: ``arena``, ``decoding``.
"""

import argparse
import asyncio
import gc
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

import msgspec

from bench.arena import CONTENDERS, Arena, open_arena
from bench.decoding import LOCATIONS, decode_locations, longest_block, read_places
from bench.report import markdown, tell_wrong
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Answer, Status
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.results.found import Locations
from groundwire.operations.runner import perform

WARM_UP = 6
WITHOUT_NAVIGATION = frozenset({"ruff"})
MEGABYTE = 1024 * 1024


class _Point(msgspec.Struct, frozen=True):
    line: int
    character: int


class _Range(msgspec.Struct, frozen=True):
    start: _Point
    end: _Point


class _Location(msgspec.Struct, frozen=True):
    uri: str
    range: _Range


_locations = msgspec.json.Decoder(list[_Location]).decode


@dataclass
class Result:
    """The measurements of one server, in milliseconds."""

    server: str
    floor: list[float] = field(default_factory=list[float])
    ours: list[float] = field(default_factory=list[float])
    found: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def summary(self) -> dict[str, object]:
        """The medians and what they mean."""
        floor, ours = median(self.floor), median(self.ours)
        return {
            "server": self.server,
            "locations": self.found,
            "floor_ms": round(floor, 3),
            "ours_ms": round(ours, 3),
            "added_ms": round(ours - floor, 3),
            "ratio": round(ours / floor, 3),
            "answers": len(self.floor) + len(self.ours),
            "wrong": len(self.wrong),
        }


class Contest:
    """One server's rounds. Both sides must find the same number of places every time."""

    def __init__(self, server: str, arena: Arena) -> None:
        self.result = Result(server)
        self._arena = arena
        self._floor_file = arena.floor_file.parents[len(arena.project.main.split("/")) - 1] / arena.project.symbol_file
        self._our_file = arena.pool.workspace / arena.project.symbol_file

    async def run(self, rounds: int) -> Result:
        """Wait until both know everything, then measure in an order left to chance."""
        arena = self._arena
        answer = await self._find()
        self.result.found = answer.value.total
        arena.floor.open(self._floor_file, arena.project.language)
        arena.floor.findings()
        await self._wait_for_the_floor()
        for number in range(WARM_UP + rounds):
            if number == WARM_UP:
                gc.collect()
                gc.freeze()
                self.result.floor.clear()
                self.result.ours.clear()
            for side in random.sample([self._ask_floor, self._ask_ours], 2):
                await arena.rest()
                await side()
        gc.unfreeze()
        return self.result

    async def _wait_for_the_floor(self) -> None:
        deadline = time.monotonic() + 30
        while len(self._ask_raw()) < self.result.found and time.monotonic() < deadline:
            await self._arena.rest()

    async def _ask_floor(self) -> None:
        began = time.perf_counter()
        found = self._ask_raw()
        self.result.floor.append((time.perf_counter() - began) * 1000)
        self._judge("floor", len(found), "")

    async def _find(self) -> Answer[Locations]:
        project = self._arena.project
        wanted = FindReferences(
            file_path=str(self._our_file),
            line=project.symbol_line,
            column=project.symbol_column,
            include_declaration=True,
            limit=10_000,
        )
        return await perform(self._arena.pool, find_references, wanted)

    async def _ask_ours(self) -> None:
        began = time.perf_counter()
        answer = await self._find()
        self.result.ours.append((time.perf_counter() - began) * 1000)
        unproven = "" if answer.status is Status.CONFIRMED else f"{answer.status}: {answer.reason}"
        self._judge("ours", answer.value.total, unproven)

    def _ask_raw(self) -> set[_Location]:
        project = self._arena.project
        params = {
            "textDocument": {"uri": self._floor_file.as_uri()},
            "position": {"line": project.symbol_line - 1, "character": project.symbol_column - 1},
            "context": {"includeDeclaration": True},
        }
        return set(_locations(self._arena.floor.request("textDocument/references", params)))

    def _judge(self, side: str, found: int, unproven: str) -> None:
        if found != self.result.found or unproven:
            self.result.wrong.append(f"{side}: {found} places where there are {self.result.found} {unproven}".rstrip())


async def measure(servers: Sequence[str], rounds: int) -> list[Result]:
    """All servers, one after the other. One that is not installed is left out, and said to be."""
    results: list[Result] = []
    for server in servers:
        began = time.monotonic()
        try:
            async with open_arena(server) as arena:
                results.append(await Contest(server, arena).run(rounds))
        except GroundwireError as error:
            print(f"{server}: left out: {error}", file=sys.stderr)
            continue
        print(f"{server}: {time.monotonic() - began:.1f} s", file=sys.stderr)
    return results


def large_answers() -> dict[str, float]:
    """What needs no server, in milliseconds."""
    refused, refused_total = longest_block(32 * MEGABYTE)
    taken, taken_total = longest_block(64 * MEGABYTE)
    return {
        f"decode and normalise {LOCATIONS:,} locations": decode_locations(),
        f"10,000 of {LOCATIONS:,} places with their lines, in 500 files": asyncio.run(read_places()),
        "50 MB refused by the limit, longest block": refused,
        "50 MB refused by the limit, all": refused_total,
        "50 MB with the limit raised, longest block": taken,
        "50 MB with the limit raised, all": taken_total,
    }


def table(results: Sequence[Result]) -> str:
    """For people."""
    head = ("server", "locations", "floor p50", "ours p50", "added", "ratio", "wrong")
    rows = [
        (
            str(row["server"]),
            str(row["locations"]),
            f"{row['floor_ms']:.2f} ms",
            f"{row['ours_ms']:.2f} ms",
            f"{row['added_ms']:.2f} ms",
            f"{row['ratio']:.2f}",
            f"{row['wrong']} of {row['answers']}",
        )
        for row in (result.summary() for result in results)
    ]
    return markdown(head, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; not 0 when any answer was wrong or unproven."""
    navigating = [server for server in CONTENDERS if server not in WITHOUT_NAVIGATION]
    parser = argparse.ArgumentParser(prog="python -m bench.queries", description="References, and large answers.")
    parser.add_argument("--servers", default=",".join(navigating))
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    large = large_answers()
    results = asyncio.run(measure([name for name in str(given.servers).split(",") if name], int(given.rounds)))
    if given.json:
        print(json.dumps({"references": [result.summary() for result in results], "large": large}, indent=2))
    else:
        print(table(results))
        print("\n".join(f"{what}: {taken:.2f} ms" for what, taken in large.items()))
    return tell_wrong((result.server, result.wrong) for result in results)


if __name__ == "__main__":
    sys.exit(main())

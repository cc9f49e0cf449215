"""What a change of many files reaches: ``blast_radius`` against the raw reference requests, as many at once.

    python -m bench.impact [--servers ty,pyright,…] [--files 500] [--libraries 20] [--rounds 5] [--json]

Every answer is compared with what the generated project says. Above: the command line. Below: ``arena``, ``floor``,
``tests.real.impact_project``.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import msgspec

from bench.arena import CONTENDERS, REST_S, environment, raw_server
from bench.floor import FloorClient, FloorServer
from bench.report import markdown, tell_wrong
from groundwire.errors import GroundwireError, ServerUnavailable
from groundwire.operations.answer import Answer, Status
from groundwire.operations.impact.blast_radius import FindBlastRadius, blast_radius
from groundwire.operations.impact.users import AT_ONCE
from groundwire.operations.results.impact import BlastRadius
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.impact_project import SERVERS, ImpactProject, make_project

TARGET = 3.0
_WARM_UP = 1
_LOAD_S = 120.0
_REAL_TEMPORARY = os.path.realpath(tempfile.gettempdir())
"""Servers compare real paths."""

_locations = msgspec.json.Decoder(list[dict[str, object]] | None).decode


class ParallelFloor(FloorClient):
    """A raw client that keeps several requests under way."""

    def __init__(self, server: FloorServer, project: ImpactProject) -> None:
        super().__init__(server)
        self._asked = [_position(server.root / file, name) for file, name in _declared(project)]

    def count_references(self) -> list[int]:
        """Of every symbol, in the order of the project."""
        counts = [0] * len(self._asked)
        waiting, pending = list(enumerate(self._asked)), dict[int | str, tuple[int, dict[str, object]]]()
        while waiting or pending:
            while waiting and len(pending) < AT_ONCE:
                number, params = waiting.pop()
                pending[self._send_request("textDocument/references", params)] = (number, params)
            message = self._read()
            if message.method or message.id not in pending:
                self._handle(message)
                continue
            asked = pending.pop(message.id)
            if bytes(message.error):
                waiting.append(asked)
            else:
                counts[asked[0]] = len(_locations(message.result) or ())
        return counts


def _declared(project: ImpactProject) -> list[tuple[str, str]]:
    """File and name of every exported function."""
    return [(file, name) for file in project.libraries for name in project.uses if f"{name}(" in project.files[file]]


def _position(file: Path, name: str) -> dict[str, object]:
    text = file.read_text(encoding="utf-8")
    found = re.search(rf"\b{name}\(", text)
    if found is None:
        raise ValueError(f"{name} is not in {file}")
    line = text.count("\n", 0, found.start())
    character = found.start() - text.rfind("\n", 0, found.start()) - 1
    return {
        "textDocument": {"uri": file.as_uri()},
        "position": {"line": line, "character": character},
        "context": {"includeDeclaration": False},
    }


@dataclass
class Result:
    """The measurements of one server, in milliseconds."""

    server: str
    symbols: int
    floor: list[float] = field(default_factory=list[float])
    ours: list[float] = field(default_factory=list[float])
    wrong: list[str] = field(default_factory=list[str])

    def summary(self) -> dict[str, object]:
        """The medians and what they mean."""
        floor, ours = median(self.floor), median(self.ours)
        return {
            "server": self.server,
            "symbols": self.symbols,
            "floor_ms": round(floor, 1),
            "ours_ms": round(ours, 1),
            "ratio": round(ours / floor, 2),
            "answers": len(self.floor) + len(self.ours),
            "wrong": len(self.wrong),
        }


class Contest:
    """Both sides over their own copies, in an order left to chance."""

    def __init__(self, server: str, project: ImpactProject, floor: ParallelFloor, pool: Pool) -> None:
        self.result = Result(server, len(project.uses))
        self._project = project
        self._floor = floor
        self._pool = pool
        self._truth = [sum(project.uses[name]) for _, name in _declared(project)]

    async def run(self, rounds: int) -> Result:
        """Until both know everything it is not measured."""
        self._load_floor()
        self._judge(await self._ask(limit=10_000), self.result.symbols)
        for number in range(_WARM_UP + rounds):
            if number == _WARM_UP:
                gc.collect()
                self.result.floor.clear()
                self.result.ours.clear()
            for side in random.sample([self._measure_floor, self._measure_ours], 2):
                await asyncio.sleep(REST_S)
                self._floor.drain()
                await side()
        return self.result

    def _load_floor(self) -> None:
        deadline = time.monotonic() + _LOAD_S
        while self._floor.count_references() != self._truth and time.monotonic() < deadline:
            time.sleep(REST_S)

    async def _ask(self, limit: int = 50) -> Answer[BlastRadius]:
        wanted = FindBlastRadius(changed_files=self._project.libraries, limit=limit)
        return await perform(self._pool, blast_radius, wanted, wait_s=_LOAD_S)

    async def _measure_floor(self) -> None:
        began = time.perf_counter()
        counts = self._floor.count_references()
        self.result.floor.append((time.perf_counter() - began) * 1000)
        if counts != self._truth:
            self.result.wrong.append("floor: other counts than those of the project")

    async def _measure_ours(self) -> None:
        began = time.perf_counter()
        answer = await self._ask()
        self.result.ours.append((time.perf_counter() - began) * 1000)
        self._judge(answer, len(answer.value.affected_symbols))

    def _judge(self, answer: Answer[BlastRadius], shown: int) -> None:
        """All symbols are looked for and summed up, though only the first page of them is shown."""
        summary, uses = answer.value.summary, self._project.uses
        sums = (sum(others for others, _ in uses.values()), sum(tests for _, tests in uses.values()))
        found = {each.name: (each.non_test_uses, each.test_uses) for each in answer.value.affected_symbols}
        is_right = all(uses[name] == counts for name, counts in found.items()) and len(found) == shown
        is_right = is_right and (summary.non_test_uses, summary.test_uses, summary.symbols) == (*sums, len(uses))
        if answer.status is not Status.CONFIRMED or not is_right:
            self.result.wrong.append(f"ours: {answer.status} {answer.reason}".rstrip())


async def contest(server: str, files: int, libraries: int, rounds: int) -> Result:
    """One server, from its start to its end."""
    language = SERVERS[server]
    project = make_project(language, files=files, libraries=libraries)
    with tempfile.TemporaryDirectory(dir=_REAL_TEMPORARY) as directory:
        floor_root, our_root = project.write(Path(directory, "floor")), project.write(Path(directory, "ours"))
        async with Pool(our_root, only=frozenset({server}), environment=environment()) as pool:
            chosen = pool.route(our_root / project.libraries[0]).primary
            if chosen is None:
                raise ServerUnavailable(f"{server} does not navigate")
            floor = ParallelFloor(raw_server(chosen, floor_root, CONTENDERS[server].evidence), project)
            try:
                for library in project.libraries:
                    floor.open(floor_root / library, language)
                return await Contest(server, project, floor, pool).run(rounds)
            finally:
                floor.close()


def table(results: Sequence[Result]) -> str:
    """For people."""
    head = ("server", "symbols", "floor p50", "ours p50", "ratio", "wrong")
    rows = [
        (
            str(row["server"]),
            str(row["symbols"]),
            f"{row['floor_ms']} ms",
            f"{row['ours_ms']} ms",
            f"{row['ratio']}",
            f"{row['wrong']} of {row['answers']}",
        )
        for row in (result.summary() for result in results)
    ]
    return markdown(head, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; not 0 when any answer was wrong or unproven, or too slow."""
    parser = argparse.ArgumentParser(prog="python -m bench.impact", description="What a change of many files reaches.")
    parser.add_argument("--servers", default=",".join(SERVERS))
    parser.add_argument("--files", type=int, default=500)
    parser.add_argument("--libraries", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    results: list[Result] = []
    for server in str(given.servers).split(","):
        try:
            results.append(asyncio.run(contest(server, int(given.files), int(given.libraries), int(given.rounds))))
        except GroundwireError as error:
            print(f"{server}: left out: {error}", file=sys.stderr)
    for result in results:
        ratio = median(result.ours) / median(result.floor)
        if ratio > TARGET:
            result.wrong.append(f"{ratio:.2f} times the raw requests, where {TARGET} is the most")
    print(json.dumps([result.summary() for result in results], indent=2) if given.json else table(results))
    return tell_wrong((result.server, result.wrong) for result in results)


if __name__ == "__main__":
    sys.exit(main())

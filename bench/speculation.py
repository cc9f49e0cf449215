"""An edit that is tried and taken back: ``preview_edit`` against the raw server's own edit, findings, revert, findings.

    python -m bench.speculation [--servers ty,pyright,…] [--rounds 30] [--json]

Above: the command line. Below: ``arena``, ``report``.
"""

import argparse
import asyncio
import gc
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from bench.arena import CONTENDERS, Arena, open_arena
from bench.edits import smallest_change
from bench.report import markdown, tell_wrong
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Status
from groundwire.operations.runner import perform
from groundwire.operations.speculation.preview_edit import PreviewEdit, preview_edit

WARM_UP = 4
DEADLINE_S = 30.0
TARGET = 1.5
SERVERS = ("ty", "pyright", "typescript-language-server", "tsc", "gopls", "rust-analyzer", "clangd")


@dataclass
class Result:
    """The measurements of one server, in milliseconds."""

    server: str
    floor: list[float] = field(default_factory=list[float])
    ours: list[float] = field(default_factory=list[float])
    wrong: list[str] = field(default_factory=list[str])

    def summary(self) -> dict[str, object]:
        """The medians and what they mean."""
        floor, ours = median(self.floor), median(self.ours)
        return {
            "server": self.server,
            "floor_ms": round(floor, 3),
            "preview_ms": round(ours, 3),
            "ratio": round(ours / floor, 3),
            "target": TARGET,
            "answers": 2 * len(self.floor) + len(self.ours),
            "wrong": len(self.wrong),
        }


class Contest:
    """One server's rounds: both sides try another error each time, and every answer is checked."""

    def __init__(self, server: str, arena: Arena) -> None:
        self.result = Result(server)
        self._arena = arena

    async def run(self, rounds: int) -> Result:
        """Warm up, then measure, the sides in turn."""
        for number in range(1, WARM_UP + rounds + 1):
            if number == WARM_UP + 1:
                gc.collect()
                gc.freeze()
            await self._arena.rest()
            floor = self._floor(number)
            await self._arena.rest()
            ours = await self._ours(number)
            if number > WARM_UP:
                self.result.floor.append(floor * 1000)
                self.result.ours.append(ours * 1000)
        gc.unfreeze()
        return self.result

    def _floor(self, error: int) -> float:
        project, floor = self._arena.project, self._arena.floor
        there = smallest_change(project.fixed, project.broken(error))
        back = smallest_change(project.broken(error), project.fixed)
        began = time.perf_counter()
        broken = floor.edit(there)
        mended = floor.edit(back)
        taken = time.perf_counter() - began
        self._judge("floor", broken, error)
        self._judge("floor, reverted", mended, 0)
        return taken

    async def _ours(self, error: int) -> float:
        arena, project = self._arena, self._arena.project
        given = PreviewEdit(
            file_path=project.main, old_text=project.fixed, new_text=project.broken(error), scope="file"
        )
        began = time.perf_counter()
        answer = await perform(arena.pool, preview_edit, given, wait_s=DEADLINE_S)
        taken = time.perf_counter() - began
        self._judge("preview", [each.message for each in answer.value.errors_introduced], error)
        is_known = answer.status is Status.CONFIRMED or bool(answer.value.not_covered)
        if not is_known:
            self.result.wrong.append(f"preview: {answer.status}: {answer.reason}")
        return taken

    def _judge(self, side: str, messages: Sequence[str], error: int) -> None:
        project = self._arena.project
        found = [message for message in messages if project.is_about_edits(message)]
        is_right = len(found) == 1 and project.is_about(found[0], error) if error else not found
        if not is_right:
            self.result.wrong.append(f"{side}: wanted error {error}, got {found or list(messages)[:3]}")


async def measure(servers: Sequence[str], rounds: int) -> list[Result]:
    """All servers, one after the other. One that is not installed is left out, and said to be."""
    results: list[Result] = []
    for server in servers:
        try:
            async with open_arena(server) as arena:
                results.append(await Contest(server, arena).run(rounds))
        except GroundwireError as error:
            print(f"{server}: left out: {error}", file=sys.stderr)
    return results


def table(results: Sequence[Result]) -> str:
    """For people."""
    rows = [
        (
            str(row["server"]),
            f"{row['floor_ms']:.2f} ms",
            f"{row['preview_ms']:.2f} ms",
            f"{row['ratio']:.2f}",
            f"≤ {row['target']}",
            f"{row['wrong']} of {row['answers']}",
        )
        for row in (result.summary() for result in results)
    ]
    return markdown(("server", "floor p50", "preview p50", "ratio", "target", "wrong"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; not 0 when any answer was wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speculation", description="Edits that are tried: groundwire against the raw server."
    )
    parser.add_argument("--servers", default=",".join(each for each in SERVERS if each in CONTENDERS))
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    results = asyncio.run(measure(str(given.servers).split(","), int(given.rounds)))
    print(json.dumps([result.summary() for result in results], indent=2) if given.json else table(results))
    return tell_wrong((result.server, result.wrong) for result in results)


if __name__ == "__main__":
    sys.exit(main())

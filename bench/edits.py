"""From an edit on disk to proven findings: groundwire against the raw server, in one run.

    python -m bench.edits [--servers ty,ruff,…] [--rounds 40] [--seconds 15] [--json]

Above: the command line. Below: ``arena``, ``report``.
"""

import argparse
import asyncio
import gc
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TypeAlias

from bench.arena import CONTENDERS, Arena, open_arena
from bench.report import markdown, tell_wrong
from groundwire.client.diagnose import diagnose
from groundwire.client.sync import sync_file
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files

FRESH = 3
"""How many pairs of servers share the rounds: what one of them finds of memory and processors may stay with it."""
WARM_UP_PAIRS = 4
DEADLINE_S = 30.0

Steps: TypeAlias = list[tuple[Callable[[], Awaitable[float]], list[float]]]
"""What is measured, and where its milliseconds go."""


@dataclass
class Result:
    """The measurements of one server, in milliseconds."""

    server: str
    floor: list[float] = field(default_factory=list[float])
    ours: list[float] = field(default_factory=list[float])
    check: list[float] = field(default_factory=list[float])
    wrong: list[str] = field(default_factory=list[str])

    def summary(self) -> dict[str, object]:
        """The medians and what they mean."""
        floor, ours, check = median(self.floor), median(self.ours), median(self.check)
        return {
            "server": self.server,
            "floor_ms": round(floor, 3),
            "ours_ms": round(ours, 3),
            "ratio": round(ours / floor, 3),
            "check_files_ms": round(check, 3),
            "check_files_ratio": round(check / floor, 3),
            "target": CONTENDERS[self.server].target,
            "answers": 2 * (len(self.floor) + len(self.ours) + len(self.check)),
            "wrong": len(self.wrong),
        }


class Contest:
    """One server's rounds. Each side alternates between a new error and none, and every answer is checked."""

    def __init__(self, result: Result, arena: Arena) -> None:
        self.result = result
        self._arena = arena
        self._edits = 0
        self._floor_error = 0
        self._our_error = 0

    async def run(self, pairs: int, seconds: float) -> None:
        """Warm up, then measure: so many pairs at least, and at least so long.

        Both sides equally often, so that both servers are equally warm, in random order.
        """
        steps: Steps = [
            (self._floor, self.result.floor),
            (self._floor_then_save, self.result.floor),
            (self._ours, self.result.ours),
            (self._check, self.result.check),
        ]
        for _ in range(WARM_UP_PAIRS):
            await self._all(steps, is_counted=False)
        gc.collect()
        gc.freeze()
        until = time.monotonic() + seconds
        while pairs > 0 or time.monotonic() < until:
            pairs -= 1
            await self._all(steps, is_counted=True)
        gc.unfreeze()

    async def _all(self, steps: Steps, *, is_counted: bool) -> None:
        random.shuffle(steps)
        for step, taken in steps:
            seconds = await self._pair(step)
            if is_counted:
                taken.append(seconds * 1000)

    async def _pair(self, step: Callable[[], Awaitable[float]]) -> float:
        """One edit that breaks and one that mends: their mean, for they may take very different times."""
        await self._arena.rest()
        breaking = await step()
        await self._arena.rest()
        return (breaking + await step()) / 2

    async def _floor(self) -> float:
        before = self._text(self._floor_error)
        self._floor_error = self._next(self._floor_error)
        after = self._text(self._floor_error)
        self._arena.floor_file.write_text(after, encoding="utf-8")
        change = smallest_change(before, after)
        began = time.perf_counter()
        messages = self._arena.floor.edit(change)
        taken = time.perf_counter() - began
        self._judge("floor", messages, self._floor_error, "")
        return taken

    async def _floor_then_save(self) -> float:
        """As often as ours is told of saves, so that both servers hold what their checks have found."""
        taken = await self._floor()
        self._arena.floor.save()
        return taken

    async def _ours(self) -> float:
        arena, session = self._arena, self._arena.session
        self._write_ours()
        deadline = session.now() + DEADLINE_S
        began = time.perf_counter()
        asked_at = session.now()
        document = sync_file(session, arena.our_file, arena.project.language, since=asked_at)
        session.give_way()
        if arena.pool.has_news_beside([str(arena.our_file)]):
            arena.pool.refresh()
        found = await diagnose(session, document, deadline, save_checks=False)
        taken = time.perf_counter() - began
        unproven = "" if found.proof == "confirmed" else f"{found.proof}: {found.reason}"
        self._judge("ours", [each.message_text for each in found.diagnostics], self._our_error, unproven)
        return taken

    async def _check(self) -> float:
        arena = self._arena
        self._write_ours()
        began = time.perf_counter()
        answer = await check_files(arena.pool, [arena.our_file], wait_s=DEADLINE_S)
        taken = time.perf_counter() - began
        unproven = "" if answer.status is Status.CONFIRMED else f"{answer.status}: {answer.reason}"
        messages = [finding.message for file in answer.value for finding in file.diagnostics]
        self._judge("check_files", messages, self._our_error, unproven)
        return taken

    def _next(self, error: int) -> int:
        """0 after an error, and a new one after none."""
        self._edits += 1
        return 0 if error else self._edits

    def _text(self, error: int) -> str:
        return self._arena.project.broken(error) if error else self._arena.project.fixed

    def _write_ours(self) -> None:
        self._our_error = self._next(self._our_error)
        self._arena.our_file.write_text(self._text(self._our_error), encoding="utf-8")

    def _judge(self, side: str, messages: Sequence[str], error: int, unproven: str) -> None:
        project = self._arena.project
        found = [message for message in messages if project.is_about_edits(message)]
        is_right = len(found) == 1 and project.is_about(found[0], error) if error else not found
        if not is_right or unproven:
            wanted = f"one finding about error {error}" if error else "no finding"
            self.result.wrong.append(f"{side}: wanted {wanted}, got {found or 'none'} {unproven}".rstrip())


def smallest_change(before: str, after: str) -> Mapping[str, object]:
    """The change between two ASCII texts that differ in one line, as LSP wants it."""
    line = next(
        index
        for index, pair in enumerate(zip(before.split("\n"), after.split("\n"), strict=True))
        if len(set(pair)) > 1
    )
    old, new = before.split("\n")[line], after.split("\n")[line]
    start = next(index for index in range(len(old)) if old[index] != new[index : index + 1])
    kept = 0
    while kept < min(len(old), len(new)) - start and old[-kept - 1] == new[-kept - 1]:
        kept += 1
    first, last = {"line": line, "character": start}, {"line": line, "character": len(old) - kept}
    return {"range": {"start": first, "end": last}, "text": new[start : len(new) - kept]}


async def measure(servers: Sequence[str], rounds: int, seconds: float) -> list[Result]:
    """All servers, one after the other. One that is not installed is left out, and said to be."""
    results: list[Result] = []
    for server in servers:
        began, result = time.monotonic(), Result(server)
        try:
            for _ in range(FRESH):
                async with open_arena(server) as arena:
                    await Contest(result, arena).run(pairs_of(rounds, arena), seconds / FRESH)
        except GroundwireError as error:
            if not (result.floor and result.ours and result.check):
                print(f"{server}: left out: {error}", file=sys.stderr)
                continue
            result.wrong.append(f"not measured to the end: {error}")
        results.append(result)
        print(f"{server}: {time.monotonic() - began:.1f} s", file=sys.stderr)
    return results


def pairs_of(rounds: int, arena: Arena) -> int:
    """How many edits that break, and as many that mend, are left to one of the fresh pairs of servers."""
    # Where each edit is followed by a whole build, whose end is waited for, half as many.
    has_build = arena.session.state.save_check is not None
    return max(round(rounds / FRESH / (4 if has_build else 2)), 1)


def table(results: Sequence[Result]) -> str:
    """For people."""
    head = ("server", "floor p50", "ours p50", "ratio", "target", "check_files p50", "ratio", "wrong")
    rows = [
        (
            str(row["server"]),
            f"{row['floor_ms']:.2f} ms",
            f"{row['ours_ms']:.2f} ms",
            f"{row['ratio']:.2f}",
            f"≤ {row['target']}",
            f"{row['check_files_ms']:.2f} ms",
            f"{row['check_files_ratio']:.2f}",
            f"{row['wrong']} of {row['answers']}",
        )
        for row in (result.summary() for result in results)
    ]
    return markdown(head, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; not 0 when any answer was wrong or unproven."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.edits", description="Edits: groundwire against the raw server."
    )
    parser.add_argument("--servers", default=",".join(CONTENDERS))
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    results = asyncio.run(measure(str(given.servers).split(","), int(given.rounds), float(given.seconds)))
    print(json.dumps([result.summary() for result in results], indent=2) if given.json else table(results))
    return tell_wrong((result.server, result.wrong) for result in results)


if __name__ == "__main__":
    sys.exit(main())

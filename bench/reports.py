"""The report of an edit that breaks five callers in a project of 500 files, against the raw server's own time for the
six files; and a patch of eight files against the slowest of them, which the raw server does, too.

    python -m bench.reports [--servers ty,pyright,…] [--rounds 20] [--pause] [--json]

Above: the command line. Below: ``arena``, ``floor``, ``tests.real.large_project`` (the projects), ``report``.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bench.arena import CONTENDERS, environment, raw_server
from bench.floor import FloorClient
from bench.report import markdown, tell_wrong
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Status
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.pool.pool import Pool
from tests.real.large_project import PROJECTS, LargeProject

SERVERS = ("ty", "pyright", "typescript-language-server", "tsc", "gopls", "rust-analyzer")
WARM_UP = 2
REST_S = 0.1
DEADLINE_S = 60.0
PATCH = 8


@dataclass
class Result:
    """Milliseconds of one server."""

    server: str
    floor: list[float] = field(default_factory=list[float])
    ours: list[float] = field(default_factory=list[float])
    single: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """Each file of a patch, alone."""
    patch: list[float] = field(default_factory=list[float])
    raw_single: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """As ``single`` and ``patch``, by the raw server that is told all and asked for nothing but the findings."""
    raw_patch: list[float] = field(default_factory=list[float])
    wrong: list[str] = field(default_factory=list[str])

    def summary(self) -> dict[str, object]:
        """The medians and what they mean."""
        floor, ours, patch, raw_patch = map(median, (self.floor, self.ours, self.patch, self.raw_patch))
        single, raw_single = (max(map(median, each.values())) for each in (self.single, self.raw_single))
        return {
            "server": self.server,
            "floor_ms": round(floor, 2),
            "ours_ms": round(ours, 2),
            "ratio": round(ours / floor, 2),
            "single_ms": round(single, 2),
            "patch_ms": round(patch, 2),
            "patch_ratio": round(patch / single, 2),
            "raw_patch_ratio": round(raw_patch / raw_single, 2),
            "wrong": len(self.wrong),
        }


class Contest:
    """One server's rounds."""

    def __init__(self, server: str, project: LargeProject, pool: Pool, floor: FloorClient, floor_root: Path) -> None:
        self.result = Result(server)
        self._project = project
        self._pool = pool
        self._floor = floor
        self._floor_root = floor_root
        self._is_broken = False
        self._comments = 0
        self._pause_s = 0.0

    async def run(self, rounds: int, pause_s: float) -> Result:
        """Both sides in turns: a round is a breaking edit and one that mends. Then the patches, which leave a server
        with more to do at the next edit.
        """
        self._pause_s = pause_s
        for number in range(WARM_UP + rounds):
            if number == WARM_UP:
                self.result = Result(self.result.server, wrong=self.result.wrong)
            for is_broken in (True, False):
                self._is_broken = is_broken
                sides = [(self._raw, self.result.floor), (self._report, self.result.ours)]
                for ask, taken in random.sample(sides, 2):
                    await asyncio.sleep(self._pause_s)
                    taken.append(await ask() * 1000)
        for number in range(WARM_UP + rounds):
            if number == WARM_UP:
                self.result = Result(self.result.server, self.result.floor, self.result.ours, wrong=self.result.wrong)
            await self._patches()
        return self.result

    def _next_texts(self, file: Path) -> tuple[str, str]:
        """Before and after. No text comes twice: what is remembered of an earlier one would be no help to an agent."""
        self._comments += 1
        before, after = file.read_text("utf-8"), self._project.broken if self._is_broken else self._project.right
        return before, f"{after}{_mark(file.name)} {self._comments}\n"

    async def _raw(self) -> float:
        library = self._floor_root / self._project.library
        before, after = self._next_texts(library)
        library.write_text(after, "utf-8")
        change = last_line_changed(before, after)
        began = time.perf_counter()
        self._floor.edit(change)
        found = [self._floor.findings_in(self._floor_root / caller) for caller in self._project.callers]
        self._floor.save()
        self._floor.wait_until_checked()
        taken = time.perf_counter() - began
        if any(bool(each) != self._is_broken for each in found):
            self.result.wrong.append(f"floor: {found}")
        return taken

    async def _report(self) -> float:
        library = self._pool.workspace / self._project.library
        before, after = self._next_texts(library)
        library.write_text(after, "utf-8")
        began = time.perf_counter()
        answer = await report_edit(self._call(), [Edited(library, before, after)])
        taken = time.perf_counter() - began
        broken = [file.file for file in answer.value.files if file.file != self._project.library and file.diagnostics]
        is_right = sorted(broken) == sorted(self._project.callers if self._is_broken else ())
        if not is_right or answer.status is not Status.CONFIRMED:
            self.result.wrong.append(f"report: {answer.status} {answer.reason} {broken}")
        return taken

    async def _patches(self) -> None:
        """Eight callers and bystanders, one by one and all at once: another last line of each."""
        names = _patched(self._project)
        for name in names:
            self.result.single.setdefault(name, []).append(await self._edit([name]) * 1000)
        self.result.patch.append(await self._edit(names) * 1000)
        for name in names:
            self.result.raw_single.setdefault(name, []).append(await self._raw_edit([name]) * 1000)
        self.result.raw_patch.append(await self._raw_edit(names) * 1000)

    async def _edit(self, names: Sequence[str]) -> float:
        await asyncio.sleep(self._pause_s)
        edits = [Edited(*each) for each in self._changed(self._pool.workspace, names)]
        began = time.perf_counter()
        answer = await report_edit(self._call(), edits)
        taken = time.perf_counter() - began
        if answer.status is not Status.CONFIRMED:
            self.result.wrong.append(f"patch: {answer.status} {answer.reason}")
        return taken

    async def _raw_edit(self, names: Sequence[str]) -> float:
        await asyncio.sleep(self._pause_s)
        changed = self._changed(self._floor_root, names)
        began = time.perf_counter()
        for file, before, after in changed:
            self._floor.change(file, last_line_changed(before, after))
        self._floor.ask_all([file for file, _, _ in changed])
        self._floor.save()
        self._floor.wait_until_checked()
        return time.perf_counter() - began

    def _changed(self, root: Path, names: Sequence[str]) -> list[tuple[Path, str, str]]:
        """Each file, what was in it and what is now."""
        self._comments += 1
        mark = _mark(names[0])
        changed: list[tuple[Path, str, str]] = []
        for name in names:
            before = (root / name).read_text("utf-8")
            after = f"{self._project.files[name]}{mark} {self._comments}\n"
            (root / name).write_text(after, "utf-8")
            changed.append((root / name, before, after))
        return changed

    def _call(self) -> Call:
        return Call(self._pool, asyncio.get_running_loop().time() + DEADLINE_S)


def _mark(name: str) -> str:
    return "#" if name.endswith(".py") else "//"


def last_line_changed(before: str, after: str) -> dict[str, object]:
    """The change between two texts that are the same but for what follows the lines that they share."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    shared = next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if len(set(pair)) > 1), min(len(old), len(new))
    )
    first, last = {"line": shared, "character": 0}, {"line": len(old), "character": 0}
    return {"range": {"start": first, "end": last}, "text": "".join(new[shared:])}


def _patched(project: LargeProject) -> list[str]:
    return [name for name in project.files if name != project.library][-PATCH:]


def _write(root: Path, project: LargeProject) -> Path:
    root = root.parent.resolve() / root.name
    for name, text in project.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


async def _measure(server: str, rounds: int, pause_s: float) -> Result:
    project, language = PROJECTS[server], CONTENDERS[server].language
    with tempfile.TemporaryDirectory(prefix="groundwire-bench-") as directory:
        floor_root, our_root = _write(Path(directory, "floor"), project), _write(Path(directory, "ours"), project)
        async with Pool(our_root, only=frozenset({server}), environment=environment()) as pool:
            chosen = pool.route(our_root / project.library).primary
            if chosen is None:
                raise GroundwireError(f"{server} is not to be had")
            floor = FloorClient(raw_server(chosen, floor_root, CONTENDERS[server].evidence))
            try:
                for name in (*_patched(project), *project.callers, project.library):
                    floor.open(floor_root / name, language)
                if chosen.spec.readiness.gates_diagnostics:
                    floor.wait_until_quiescent()
                return await Contest(server, project, pool, floor, floor_root).run(rounds, pause_s)
            finally:
                floor.close()


async def measure(servers: Sequence[str], rounds: int, pause_s: float) -> list[Result]:
    """All servers, one after the other. One that is not installed is left out, and said to be."""
    results: list[Result] = []
    for server in servers:
        try:
            results.append(await _measure(server, rounds, pause_s))
        except GroundwireError as error:
            print(f"{server}: left out: {error}", file=sys.stderr)
    return results


def table(results: Sequence[Result]) -> str:
    """For people."""
    head = (
        "server",
        "six files raw",
        "report",
        "ratio",
        "target",
        "slowest of 8",
        "patch of 8",
        "ratio",
        "target",
        "raw ratio",
        "wrong",
    )
    rows = [
        (
            str(row["server"]),
            f"{row['floor_ms']:.1f} ms",
            f"{row['ours_ms']:.1f} ms",
            f"{row['ratio']:.2f}",
            "< 2",
            f"{row['single_ms']:.1f} ms",
            f"{row['patch_ms']:.1f} ms",
            f"{row['patch_ratio']:.2f}",
            "< 1.3",
            f"{row['raw_patch_ratio']:.2f}",
            str(row["wrong"]),
        )
        for row in (result.summary() for result in results)
    ]
    return markdown(head, rows)


def main() -> int:
    """Measure and print; 1 when any answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", default=",".join(SERVERS))
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--pause", action="store_true", help="rest before each edit")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    pause_s = REST_S if given.pause else 0.0
    results = asyncio.run(measure(str(given.servers).split(","), int(given.rounds), pause_s))
    print(json.dumps([result.summary() for result in results]) if given.json else table(results))
    return tell_wrong((result.server, result.wrong) for result in results)


if __name__ == "__main__":
    sys.exit(main())

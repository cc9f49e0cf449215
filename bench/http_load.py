"""Many clients of the HTTP service: what it adds to the daemons behind it, whether it grows, and what a restart costs.

    python -m bench.http_load [--clients 50] [--rate 10] [--seconds 60] [--workspaces 3] [--modern] [--json]
    python -m bench.http_load --restart            # the front is killed, then ended, and started again, under load

The same calls at the same rate go straight to the daemons for half of the time before, and half of it after: the
difference is the front's, and that of HTTP. Every second a file is edited, in one workspace after the other; every
answer is checked.
Above: the command line. Below: ``http_clients`` (a process of its own), ``http_stage``.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median

import msgspec
from msgspec.structs import replace

from bench.http_clients import Job, Told
from bench.http_stage import TOKEN, Stage, load_average, standing
from bench.load import questions
from bench.report import markdown

_REPOSITORY = Path(__file__).parents[1]
_TARGET_MS = 30.0
_FLAT_MB = 3.0
_LATE_S = 120.0
_MOVERS = 3
_TOOLS = frozenset({"go_to_definition", "find_references", "list_symbols"})
"""Each one request to the language server: two cores have 4 ms for a call, of everybody together."""


@dataclass(frozen=True)
class Given:
    """The command line."""

    clients: int
    rate: float
    seconds: float
    workspaces: int
    is_modern: bool

    @property
    def conversations(self) -> list[str]:
        """One for each client."""
        return [f"client-{number}" for number in range(self.clients)]


@dataclass
class Seen:
    """The front, second by second."""

    memory_mb: list[float] = field(default_factory=list[float])
    processor_s: list[float] = field(default_factory=list[float])
    behind_s: float = 0.0
    """What was taken of the processor behind it."""

    def look(self, stage: Stage) -> None:
        used = stage.front.cpu_times()
        self.processor_s.append(used.user + used.system)
        self.memory_mb.append(round(stage.front.memory_info().rss / 1e6, 1))


def measure(given: Given, stage: Stage) -> dict[str, object]:
    """Before, under load, after."""
    stage.place(given.conversations)
    job = job_of(stage, given)
    run(stage, replace(job, clients=given.workspaces, seconds=1.0, port=stage.port))
    before = run(stage, replace(job, seconds=given.seconds / 2))
    seen, behind_s = Seen(), stage.behind_s()
    through = run(stage, replace(job, port=stage.port), lambda _: seen.look(stage))
    seen.behind_s = stage.behind_s() - behind_s
    after = run(stage, replace(job, seconds=given.seconds / 2, seed=2))
    straight = [[*one, *other] for one, other in zip(before.taken, after.taken, strict=True)]
    failures = [*before.failures, *through.failures, *after.failures]
    return {**compared(job, straight, through.taken), **of_the_front(seen, through), "failures": failures}


def restart(given: Given, stage: Stage) -> dict[str, object]:
    """Killed after a third of the time, told to end after another: clients go on, and nobody has moved."""
    stage.place(given.conversations)
    ends = {int(given.seconds / 3): signal.SIGKILL, int(given.seconds * 2 / 3): signal.SIGTERM}

    def end_and_start(second: int) -> None:
        if second in ends:
            stage.end(ends[second])
            stage.start()

    told = run(stage, replace(job_of(stage, given), port=stage.port, reconnects=True, movers=_MOVERS), end_and_start)
    return {
        "calls": sum(map(len, told.taken)),
        "connections_lost": told.lost,
        "moves_acknowledged": told.moves,
        "longest_ms": round(max(max(each, default=0.0) for each in told.taken), 1),
        "load": load_average(),
        "failures": [*told.failures, *(f"{each} works elsewhere" for each in stage.misplaced(given.conversations))],
    }


def job_of(stage: Stage, given: Given) -> Job:
    """Straight to the daemons, unless a port is put in."""
    asked = [each for each in questions(stage.project) if each.tool in _TOOLS]
    return Job(
        roots=[*map(str, stage.roots)],
        calls=[{"name": each.tool, "arguments": each.arguments} for each in asked],
        clients=given.clients,
        rate=given.rate,
        seconds=given.seconds,
        token=TOKEN,
        is_modern=given.is_modern,
    )


def run(stage: Stage, job: Job, every_second: Callable[[int], None] = lambda _: None) -> Told:
    """What the clients tell. Meanwhile files are edited."""
    environment = {**stage.environment, "PYTHONPATH": str(_REPOSITORY)}
    with tempfile.TemporaryDirectory(prefix="groundwire-bench-") as directory:
        given, told = Path(directory, "job"), Path(directory, "told")
        given.write_bytes(msgspec.json.encode(job))
        command = [sys.executable, "-m", "bench.http_clients", str(given), str(told)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=_REPOSITORY) as clients:
            try:
                assert clients.stdout is not None
                clients.stdout.readline()  # they are connected
                edit_until_done(stage, clients, time.monotonic() + job.seconds + _LATE_S, every_second)
            finally:
                clients.kill()
        return msgspec.json.decode(told.read_bytes(), type=Told)


def edit_until_done(
    stage: Stage, clients: "subprocess.Popen[bytes]", until: float, every_second: Callable[[int], None]
) -> None:
    """Every second."""
    began = time.monotonic()
    for second in count():
        every_second(second)
        stage.edit(second)
        try:
            clients.wait(max(began + second + 1 - time.monotonic(), 0.01))
        except subprocess.TimeoutExpired:
            if time.monotonic() > until:
                raise
        else:
            break
    if clients.returncode:
        raise RuntimeError(f"the clients ended with {clients.returncode}")


def compared(job: Job, straight: Sequence[Sequence[float]], through: Sequence[Sequence[float]]) -> dict[str, object]:
    """Both ways, of all calls, and of each tool."""
    all_straight, all_through = flat(straight), flat(through)
    names = [str(call["name"]) for call in job.calls]
    added = {
        name: round(median(by_http) - median(by_daemon), 2)
        for name, by_daemon, by_http in zip(names, straight, through, strict=True)
    }
    return {
        "calls": len(all_through),
        "straight_p50_ms": at(all_straight, 0.5),
        "straight_p99_ms": at(all_straight, 0.99),
        "http_p50_ms": at(all_through, 0.5),
        "http_p99_ms": at(all_through, 0.99),
        "http_longest_ms": at(all_through, 1.0),
        "overhead_p50_ms": round(at(all_through, 0.5) - at(all_straight, 0.5), 2),
        "overhead_p99_ms": round(at(all_through, 0.99) - at(all_straight, 0.99), 2),
        "overhead_p50_by_tool_ms": added,
    }


def of_the_front(seen: Seen, through: Told) -> dict[str, object]:
    """Memory after a third of the time and at the end; what a call takes of the processor."""
    third = seen.memory_mb[len(seen.memory_mb) // 3 :]
    used = seen.processor_s[-1] - seen.processor_s[0]
    calls = len(flat(through.taken))
    within = calls * (len(seen.processor_s) - 1) / len(seen.processor_s)
    return {
        "front_mb": [third[0], third[-1]],
        "growth_mb": round(third[-1] - third[0], 1),
        "front_processor_ms_per_call": round(used * 1000 / within, 2),
        "clients_processor_ms_per_call": round(through.processor_s * 1000 / calls, 2),
        "behind_processor_ms_per_call": round(seen.behind_s * 1000 / calls, 2),
        "load": load_average(),
    }


def flat(taken: Sequence[Sequence[float]]) -> list[float]:
    """In their order."""
    return sorted(each for one in taken for each in one)


def at(ordered: Sequence[float], share: float) -> float:
    """A quantile."""
    return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)], 2)


def verdict(found: dict[str, object]) -> list[str]:
    """What is not as it must be."""
    wrong = [f"FAILED {each}" for each in msgspec.convert(found["failures"], list[str])]
    overhead, growth = (msgspec.convert(found.get(name, 0.0), float) for name in ("overhead_p99_ms", "growth_mb"))
    if overhead >= _TARGET_MS:
        wrong.append(f"p99 is {overhead} ms over that of the daemons; target {_TARGET_MS:g}")
    if growth > _FLAT_MB:
        wrong.append(f"the front grew by {growth} MB; target {_FLAT_MB:g}")
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; not 0 when a call failed, a directory was lost, or a target was missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.http_load", description="Many clients of the HTTP service.")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--rate", type=float, default=10.0, help="calls a second, of each")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workspaces", type=int, default=3)
    parser.add_argument("--modern", action="store_true", help="clients of the era without sessions")
    parser.add_argument("--restart", action="store_true", help="restart the front under load, instead of measuring")
    parser.add_argument("--json", action="store_true")
    words = parser.parse_args(arguments)
    given = Given(words.clients, words.rate, words.seconds, words.workspaces, words.modern)
    with (
        tempfile.TemporaryDirectory(prefix="groundwire-bench-") as directory,
        standing(Path(directory), given.workspaces) as stage,
    ):
        found = (restart if words.restart else measure)(given, stage)
    rows = [(name, str(value)) for name, value in found.items() if name != "failures"]
    print(json.dumps(found, indent=2) if words.json else markdown(("what", "value"), rows))
    wrong = verdict(found)
    for each in wrong:
        print(each, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

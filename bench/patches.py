"""What an agent waits for after a patch of eight files, and after each of them alone: the hook as the agent starts it,
from the start of its process to its end, with a warm daemon.

    python -m bench.patches [--servers ty,pyright,…] [--rounds 10] [--json]

Above: the command line. Below: ``arena``, ``mcp_host``, ``tests.real.large_project`` (the projects), ``report``.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bench.arena import CONTENDERS, environment
from bench.mcp_host import write_config
from bench.report import markdown, tell_wrong
from bench.reports import PATCH, SERVERS
from groundwire.daemon.control import stop_daemon
from tests.real.large_project import PROJECTS

TARGET = 1.3
WARM_UP = 2
_TIMEOUT_S = 60
_NONSENSE = "]\n"
"""No text of any language can end so."""


@dataclass
class Result:
    """Milliseconds of one server."""

    server: str
    single: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """Each file of the patch, alone."""
    patch: list[float] = field(default_factory=list[float])
    wrong: list[str] = field(default_factory=list[str])

    def summary(self) -> dict[str, object]:
        """The medians and what they mean."""
        single, patch = max(map(median, self.single.values())), median(self.patch)
        return {
            "server": self.server,
            "single_ms": round(single, 1),
            "patch_ms": round(patch, 1),
            "ratio": round(patch / single, 2),
            "wrong": len(self.wrong),
        }


class Agent:
    """Applies patches, and runs the hook after each as its host does."""

    def __init__(self, directory: Path, server: str) -> None:
        self.result = Result(server)
        self._root = directory.resolve() / "project"
        self._files = PROJECTS[server].files
        for name, text in self._files.items():
            (self._root / name).parent.mkdir(parents=True, exist_ok=True)
            (self._root / name).write_text(text, "utf-8")
        home = directory / "home"
        write_config(home / "groundwire", {CONTENDERS[server].language: server})
        self._environment = {**environment(), "XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home)}
        self._names = [name for name in self._files if name != PROJECTS[server].library][-PATCH:]
        self._endings = dict.fromkeys(self._names, "")
        self._comments = 0

    def run(self, rounds: int) -> None:
        """Each file alone, then all at once; then a patch that breaks one of them, of which it has to be told."""
        for number in range(WARM_UP + rounds):
            alone = {name: self._comment([name]) for name in self._names}
            together = self._comment(self._names)
            if number >= WARM_UP:
                for name, taken in alone.items():
                    self.result.single.setdefault(name, []).append(taken)
                self.result.patch.append(together)
            last = self._names[number % len(self._names)]
            self._apply({**self._commented(self._names), last: _NONSENSE}, {last})
            self._comment(self._names)

    def stop(self) -> None:
        """End the daemon."""
        stop_daemon(str(self._root), self._environment)

    def _comment(self, names: Sequence[str]) -> float:
        return self._apply(self._commented(names), set())

    def _commented(self, names: Sequence[str]) -> dict[str, str]:
        self._comments += 1
        mark = "#" if names[0].endswith(".py") else "//"
        return dict.fromkeys(names, f"{mark} {self._comments}\n")

    def _apply(self, endings: dict[str, str], broken: set[str]) -> float:
        """Milliseconds of the hook, which has to name those that are broken and nobody else."""
        patch = ["*** Begin Patch"]
        for name, ending in endings.items():
            (self._root / name).write_text(self._files[name] + ending, "utf-8")
            gone = [f"-{line}" for line in self._endings[name].splitlines()]
            patch += [f"*** Update File: {name}", "@@", *gone, *(f"+{line}" for line in ending.splitlines())]
        self._endings.update(endings)
        began = time.perf_counter()
        told = self._hook("\n".join([*patch, "*** End Patch", ""]))
        taken = (time.perf_counter() - began) * 1000
        named = {name for name in self._names if name in told}
        if named != broken:
            self.result.wrong.append(f"{broken or 'nothing'} is broken, told: {told[:300] or 'nothing'}")
        return taken

    def _hook(self, patch: str) -> str:
        payload = {
            "session_id": "bench",
            "cwd": str(self._root),
            "hook_event_name": "PostToolUse",
            "tool_name": "apply_patch",
            "tool_input": {"command": patch},
            "tool_response": "Success.",
        }
        done = subprocess.run(
            [sys.executable, "-m", "groundwire", "hook", "--agent", "codex"],
            check=True,
            input=json.dumps(payload).encode(),
            env=self._environment,
            capture_output=True,
            timeout=_TIMEOUT_S,
        )
        return str(json.loads(done.stdout or b"{}").get("hookSpecificOutput", {}).get("additionalContext", ""))


def measure(servers: Sequence[str], rounds: int) -> list[Result]:
    """All servers, one after the other."""
    results: list[Result] = []
    for server in servers:
        with tempfile.TemporaryDirectory(prefix="groundwire-bench-") as directory:
            agent = Agent(Path(directory), server)
            try:
                agent.run(rounds)
            finally:
                agent.stop()
            results.append(agent.result)
    return results


def table(results: Sequence[Result]) -> str:
    """For people."""
    rows = [
        (
            str(row["server"]),
            f"{row['single_ms']} ms",
            f"{row['patch_ms']} ms",
            f"{row['ratio']:.2f}",
            f"< {TARGET}",
            str(row["wrong"]),
        )
        for row in (result.summary() for result in results)
    ]
    return markdown(("server", "hook, slowest of 8", "hook, patch of 8", "ratio", "target", "wrong"), rows)


def main() -> int:
    """Measure and print; 1 when a hook told the wrong thing."""
    parser = argparse.ArgumentParser(prog="python -m bench.patches", description=__doc__)
    parser.add_argument("--servers", default=",".join(SERVERS))
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    results = measure(str(given.servers).split(","), int(given.rounds))
    print(json.dumps([result.summary() for result in results]) if given.json else table(results))
    return tell_wrong((result.server, result.wrong) for result in results)


if __name__ == "__main__":
    sys.exit(main())

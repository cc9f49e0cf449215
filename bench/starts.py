"""What agents wait for before anything is asked, what a hook costs, and what stays in memory; in one run.

    python -m bench.starts [--rounds 20] [--json]

Above: the command line. Below: ``arena``, ``mcp_host``, ``bare_sdk``, ``report``.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

import msgspec
import psutil

from bench.arena import Arena, environment, open_arena
from bench.edits import smallest_change
from bench.mcp_host import HELLO, write_config
from bench.projects import Project, project_in
from bench.report import markdown
from groundwire.daemon.control import ask_daemon, stop_daemon

_TIMEOUT_S = 60
_THREE = {"python": "ty", "typescript": "typescript-language-server", "go": "gopls"}

Environment = Mapping[str, str]


class Place:
    """A project and a home of its own."""

    def __init__(self, directory: Path, name: str, servers: Mapping[str, str]) -> None:
        self.root = Path(directory, name).resolve()
        self.root.mkdir()
        self.projects: list[Project] = [project_in(language) for language in servers]
        for project in self.projects:
            project.write(self.root)
        home = Path(directory, f"{name}-home")
        write_config(home / "groundwire", servers)
        self.environment = {**environment(), "XDG_CONFIG_HOME": str(home), "XDG_STATE_HOME": str(home)}

    def stop(self) -> None:
        """End its daemon."""
        stop_daemon(str(self.root), self.environment)


def answered_after(command: Sequence[str], env: Environment, *, asks_tools: bool = False) -> float:
    """Milliseconds from the start of a process until it has answered ``initialize``, or listed its tools after that."""
    requests: list[Mapping[str, object]] = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}]
    if asks_tools:
        requests += [{"jsonrpc": "2.0", "method": "notifications/initialized"}]
        requests += [{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}]
    began = time.perf_counter()
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for request in requests:
            process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        wanted = 2 if asks_tools else 1
        while (line := process.stdout.readline()) and json.loads(line).get("id") != wanted:
            pass
        taken = (time.perf_counter() - began) * 1000
        process.stdin.close()
        process.wait(_TIMEOUT_S)
    if not line:
        raise RuntimeError(f"{command} gave no answer")
    return taken


def starts(place: Place, rounds: int) -> dict[str, float]:
    """Medians, of processes started in turn."""
    ours = [sys.executable, "-m", "groundwire", "mcp", "--root", str(place.root)]
    bare = [sys.executable, "-m", "bench.bare_sdk"]
    taken: dict[str, list[float]] = {name: [] for name in ("bare", "cold", "cold tools", "warm", "warm tools")}
    for _ in range(rounds):
        place.stop()
        taken["cold"].append(answered_after(ours, place.environment))
        place.stop()
        taken["cold tools"].append(answered_after(ours, place.environment, asks_tools=True))
        taken["warm"].append(answered_after(ours, place.environment))
        taken["warm tools"].append(answered_after(ours, place.environment, asks_tools=True))
        taken["bare"].append(answered_after(bare, place.environment))
    return {name: median(each) for name, each in taken.items()}


def hook(place: Place, file: Path) -> tuple[float, str]:
    """Milliseconds of the whole process, and what it told the agent."""
    payload = {
        "session_id": "bench",
        "cwd": str(place.root),
        "hook_event_name": "PostToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(file)},
        "tool_response": {"filePath": str(file)},
    }
    command = [sys.executable, "-m", "groundwire", "hook", "--agent", "claude"]
    began = time.perf_counter()
    done = subprocess.run(
        command,
        check=True,
        input=json.dumps(payload).encode(),
        env=place.environment,
        capture_output=True,
        timeout=_TIMEOUT_S,
    )
    taken = (time.perf_counter() - began) * 1000
    told = json.loads(done.stdout or b"{}").get("hookSpecificOutput", {}).get("additionalContext", "")
    return taken, str(told)


def hooks(place: Place, arena: Arena, rounds: int) -> dict[str, float]:
    """Edits that break and mend, each told to a hook and to the bare server."""
    project, file = arena.project, place.root / arena.project.main
    ours: list[float] = []
    raw: list[float] = []
    wrong = 0
    text = project.fixed
    for number in range(rounds + 3):
        for after in (project.broken(number), project.fixed):
            file.write_text(after, "utf-8")
            taken, told = hook(place, file)
            wrong += ("LSP errors" in told) != (after != project.fixed)
            began = time.perf_counter()
            arena.floor.edit(smallest_change(text, after))
            text = after
            if number >= 3:  # the first ones start servers and load pages
                ours.append(taken)
                raw.append((time.perf_counter() - began) * 1000)
    return {"hook": median(ours), "raw": median(raw), "wrong": wrong}


def python_alone(rounds: int) -> float:
    """What a process costs that does nothing."""
    return median(_timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)) for _ in range(rounds))


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def memory(place: Place) -> dict[str, float]:
    """Megabytes of the daemon with three servers that have answered, and of a shim."""
    command = [sys.executable, "-m", "groundwire", "mcp", "--root", str(place.root), "--profile", "full"]
    with subprocess.Popen(command, env=place.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        calls = [
            {"name": name, "arguments": {"file_path": project.symbol_file, **_place(project, name)}}
            for project in place.projects
            for name in ("go_to_definition", "find_references", "get_diagnostics")
        ]
        said = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}]
        said += [{"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": call} for n, call in enumerate(calls, 1)]
        for message in said:
            process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        waiting = set(range(len(said)))
        while waiting:
            waiting.discard(json.loads(process.stdout.readline()).get("id"))
        told = ask_daemon(str(place.root), place.environment) or {}
        shim = psutil.Process(process.pid).memory_info().rss / 1e6
        process.stdin.close()
    servers = msgspec.convert(told.get("servers"), list[object])
    return {"daemon": float(str(told["memory_mb"])), "servers": len(servers), "shim": shim}


def _place(project: Project, tool: str) -> dict[str, int]:
    return {} if tool == "get_diagnostics" else {"line": project.symbol_line, "column": project.symbol_column}


async def _hooks(place: Place, rounds: int) -> dict[str, float]:
    async with open_arena("ty") as arena:
        return hooks(place, arena, rounds)


def measure(rounds: int) -> dict[str, dict[str, float]]:
    """Everything, each daemon ended after it."""
    with tempfile.TemporaryDirectory(prefix="groundwire-bench-") as directory:
        one, three = (Place(Path(directory), "one", {"python": "ty"}), Place(Path(directory), "three", _THREE))
        try:
            found = {"starts": starts(one, rounds), "hooks": asyncio.run(_hooks(one, rounds)), "memory": memory(three)}
        finally:
            one.stop()
            three.stop()
    found["hooks"]["python"] = python_alone(rounds)
    return found


def table(found: Mapping[str, Mapping[str, float]]) -> str:
    """For people."""
    start, hooked, held = found["starts"], found["hooks"], found["memory"]
    rows = [
        ("initialize, daemon warm", f"{start['warm']:.0f} ms", "< 80 ms"),
        ("initialize, no daemon yet", f"{start['cold']:.0f} ms", f"≤ 1.3 * bare SDK ({1.3 * start['bare']:.0f} ms)"),
        ("tools listed, daemon warm", f"{start['warm tools']:.0f} ms", ""),
        (
            "tools listed, no daemon yet",
            f"{start['cold tools']:.0f} ms",
            f"bare SDK's initialize {start['bare']:.0f} ms",
        ),
        ("hook after an edit, whole process", f"{hooked['hook']:.0f} ms", f"server alone {hooked['raw']:.0f} ms"),
        ("hook, above the server's own time", f"{hooked['hook'] - hooked['raw']:.0f} ms", "< 100 ms"),
        ("an empty Python process", f"{hooked['python']:.0f} ms", ""),
        (f"daemon, {held['servers']:.0f} servers", f"{held['daemon']:.0f} MB", "< 90 MB"),
        ("shim", f"{held['shim']:.0f} MB", "< 20 MB"),
    ]
    return markdown(("what", "p50", "target"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; not 0 when a hook told the wrong thing."""
    parser = argparse.ArgumentParser(prog="python -m bench.starts", description="Starts, hooks and memory.")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    found = measure(int(given.rounds))
    print(json.dumps(found, indent=2) if given.json else table(found))
    return 1 if found["hooks"]["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())

"""Three workspaces, a home of their own, and a front before them as a process.

Above: ``http_load``. Below: ``projects``.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator, Sequence
from pathlib import Path

import psutil

from bench.arena import environment
from bench.mcp_host import write_config
from bench.projects import Project, project_in
from groundwire.daemon.control import ask_daemon, stop_daemon

TOKEN = "a-token-of-the-benchmark-0123456789"
_READY = "groundwire serves on "
_WAIT_S = 60.0


class Stage:
    """Use ``standing``."""

    def __init__(self, directory: Path, workspaces: int) -> None:
        self.project: Project = project_in("python")
        self.roots = [Path(directory, f"workspace-{number}").resolve() for number in range(workspaces)]
        for root in self.roots:
            self.project.write(root)
        write_config(directory / "config" / "groundwire", {"python": "ty"})
        places = {"HOME": "home", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "data"}
        for name in places.values():
            Path(directory, name).mkdir(exist_ok=True)
        ours = {name: str(directory / place) for name, place in places.items()}
        self.environment = {**environment(), **ours, "GROUNDWIRE_TOKEN": TOKEN}
        self.port = 0
        self._log = directory / "front.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """The front listens, on the port that it had before; each client's conversation has its workspace."""
        roots = [word for root in self.roots for word in ("--root", str(root))]
        command = [sys.executable, "-m", "groundwire", "serve", "--port", str(self.port), *roots]
        begun = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, env=self.environment, stderr=log, cwd=self.roots[0])
        until = time.monotonic() + _WAIT_S
        while _READY not in (said := self._log.read_text("utf-8")[begun:]):
            if time.monotonic() > until or self._process.poll() is not None:
                raise RuntimeError(said)
            time.sleep(0.01)
        self.port = int(said.split(_READY, 1)[1].split("\n", 1)[0].rpartition(":")[2])

    def place(self, conversations: Sequence[str]) -> None:
        """In one workspace after the other."""
        for number, name in enumerate(conversations):
            body = json.dumps({"cwd": str(self.roots[number % len(self.roots)])}).encode()
            self._ask("PUT", f"/conversations/{name}/cwd", body)

    def misplaced(self, conversations: Sequence[str]) -> list[str]:
        """Those that do not work any more where they were placed."""
        told = [self._ask("GET", f"/conversations/{name}/cwd")["cwd"] for name in conversations]
        wanted = [str(self.roots[number % len(self.roots)]) for number in range(len(told))]
        return [name for name, cwd, root in zip(conversations, told, wanted, strict=True) if cwd != root]

    @property
    def front(self) -> psutil.Process:
        assert self._process is not None
        return psutil.Process(self._process.pid)

    def end(self, number: int = signal.SIGTERM) -> None:
        """The front."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)
            self._process.wait(_WAIT_S)

    def behind_s(self) -> float:
        """What the daemons and their servers have taken of the processor."""
        told = [ask_daemon(str(root), self.environment) or {} for root in self.roots]
        daemons = [psutil.Process(int(str(each["pid"]))) for each in told if "pid" in each]
        used = [each.cpu_times() for daemon in daemons for each in (daemon, *daemon.children(recursive=True))]
        return sum(each.user + each.system for each in used)

    def edit(self, number: int) -> None:
        """Another error in one workspace after the other, or none."""
        text = self.project.broken(number) if number % 2 else self.project.fixed
        (self.roots[number % len(self.roots)] / self.project.main).write_text(text, "utf-8")

    def _ask(self, method: str, path: str, body: bytes | None = None) -> dict[str, str]:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, method=method)
        request.add_header("Authorization", f"Bearer {TOKEN}")
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=_WAIT_S) as answer:
            return json.loads(answer.read())


@contextlib.contextmanager
def standing(directory: Path, workspaces: int = 3) -> Generator[Stage]:
    """Started; nothing of it is left."""
    stage = Stage(directory, workspaces)
    try:
        stage.start()
        yield stage
    finally:
        with contextlib.suppress(subprocess.TimeoutExpired):
            stage.end()
        stage.end(signal.SIGKILL)
        for root in stage.roots:
            stop_daemon(str(root), stage.environment)


def load_average() -> str:
    """Of the machine, as everybody sees it."""
    return " ".join(f"{each:.1f}" for each in os.getloadavg())

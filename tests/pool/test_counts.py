"""What happened to a server so far: starts, crashes, restarts after them, and questions that it left unanswered."""

from pathlib import Path

import pytest

from groundwire.errors import RequestTimeout
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import toy_catalog, toy_spec
from tests.operations.toy_project import zoo

pytestmark = pytest.mark.anyio


async def test_a_restart_that_was_asked_for_is_a_start_and_no_crash(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        assert pool.seats.counts() == ()
        for _ in range(2):
            await check_files(pool, [pool.workspace / "animals.toy"])
            await pool.restart()
        (counts,) = pool.seats.counts()
    assert (counts.starts, counts.crashes, counts.restarts, counts.timeouts) == (2, 0, 0, 0)
    assert (counts.server, counts.root) == ("well_read", str(pool.workspace))


async def test_a_question_that_is_not_answered_in_time_is_counted_beyond_the_life_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "animals.toy").write_text("def fish()\n")
    async with Pool(tmp_path, catalog=toy_catalog(toy_spec("never_answers"))) as pool:
        await check_files(pool, [pool.workspace / "animals.toy"])
        (instance,) = pool.instances()
        with pytest.raises(RequestTimeout):
            await instance.session.request("textDocument/references", {}, timeout=0.01)
        assert [each.timeouts for each in pool.seats.counts()] == [1]
        await pool.restart()
        assert [each.timeouts for each in pool.seats.counts()] == [1]


async def test_the_state_can_be_had_without_asking_the_system_for_memory(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        await check_files(pool, [pool.workspace / "animals.toy"])
        (cheap,), (whole,) = pool.status(has_memory=False), pool.status()
        assert (cheap.state, cheap.memory_mb, cheap.pid) == ("active", None, whole.pid)
        (memory,) = pool.seats.memory_mb().values()
    assert whole.memory_mb is not None
    assert min(whole.memory_mb, memory) > 1

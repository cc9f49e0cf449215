"""Edits are checked while the host is still starting the hook, for whoever asks after each of them."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.workspace.changes import ChangeKind, FileChange
from tests.fakes.toy_servers import ToyLog
from tests.surfaces.hooks.hosting import BROKEN, LIBRARY, OWN_ERROR, PROJECT, Host, hosted

pytestmark = pytest.mark.anyio

PULL = "textDocument/diagnostic"


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110  it happens in another process
            await asyncio.sleep(0.005)


def begun_for(host: Host, *names: str) -> bool:
    """Whether changes of these files, which nobody asked about, make anything begin."""
    changes = [FileChange(str(host.pool.workspace / name), ChangeKind.CHANGED) for name in names]
    before = asyncio.all_tasks()
    for saw in host.pool.unasked:
        saw(changes)
    return asyncio.all_tasks() != before


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody tells of a change before it is asked about")
async def test_the_hook_finds_proven_what_was_written_before_it_began(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with hosted(tmp_path, log=log) as host:
        first = await host.edit("library.toy", BROKEN)
        await host.edit("library.toy", LIBRARY)
        asked = log.count(PULL)
        host.write("library.toy", BROKEN)
        await until(lambda: log.count(PULL) >= asked + 2)  # the file and who uses it
        await until(lambda: not any(each.session.has_pending for each in host.pool.instances()))
        asked = log.count(PULL)
        assert await host.send(host.edited("library.toy", LIBRARY)) == first
        assert OWN_ERROR in first
        assert log.count(PULL) == asked


async def test_who_asks_meanwhile_waits_for_what_is_under_way_instead_of_asking_for_it_twice(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with hosted(tmp_path, log=log) as host:
        first = await host.edit("library.toy", BROKEN)
        await host.edit("library.toy", LIBRARY)
        asked = log.count(PULL)
        host.write("library.toy", BROKEN)
        assert begun_for(host, "library.toy")
        assert await host.send(host.edited("library.toy", LIBRARY)) == first
        assert log.count(PULL) == asked + 2


async def test_who_asks_does_not_wait_longer_than_a_part_of_its_time_for_what_is_under_way(tmp_path: Path):
    async with hosted(tmp_path) as host:
        first = await host.edit("library.toy", BROKEN)
        await host.edit("library.toy", LIBRARY)
        (instance,) = host.pool.instances()
        assert instance.pid is not None
        server = psutil.Process(instance.pid)
        server.suspend()
        try:
            host.write("library.toy", BROKEN)
            assert begun_for(host, "library.toy")
            assert await host.send(host.edited("library.toy", LIBRARY), wait_s=1.0) == ""  # not known in its time
        finally:
            server.resume()
        assert await host.stop() == first


async def test_a_pool_that_is_stopped_meanwhile_leaves_nothing_and_starts_nothing(tmp_path: Path):
    log = ToyLog(tmp_path / "log")
    async with hosted(tmp_path, log=log) as host:
        await host.edit("library.toy", BROKEN)
        host.write("library.toy", LIBRARY)
        before = asyncio.all_tasks()
        assert begun_for(host, "library.toy")
        begun = asyncio.all_tasks() - before
        await host.pool.stop()
        assert all(task.done() for task in begun)
        assert len(log.pids()) == 1
        assert not host.pool.instances()


async def test_nothing_is_checked_for_nobody(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await check_files(host.pool, [host.pool.workspace / "library.toy"])
        assert not begun_for(host, "library.toy")
        await host.edit("library.toy", BROKEN)
        assert begun_for(host, "library.toy")


async def test_files_that_no_server_was_told_of_are_left_alone(tmp_path: Path):
    async with hosted(tmp_path, {**PROJECT, "alone.toy": "def alone()\n"}) as host:
        await host.edit("library.toy", BROKEN)
        assert not begun_for(host, "alone.toy")


async def test_a_change_of_very_many_files_is_left_alone(tmp_path: Path):
    async with hosted(tmp_path) as host:
        await host.edit("library.toy", BROKEN)
        assert not begun_for(host, "library.toy", *(f"{number}.toy" for number in range(20)))


async def test_a_file_that_is_gone_before_it_was_checked_does_no_harm(tmp_path: Path):
    async with hosted(tmp_path) as host:
        first = await host.edit("library.toy", BROKEN)
        assert begun_for(host, "library.toy")
        (host.pool.workspace / "library.toy").unlink()
        host.write("library.toy", LIBRARY)
        assert await host.send(host.edited("library.toy", BROKEN)) == ""
        assert await host.edit("library.toy", BROKEN) == first

"""Servers started anew: what ran runs again, what was broken is forgiven, and nothing is claimed of the rest."""

import os
import signal
from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument, OutsideWorkspace, SessionDead
from groundwire.operations.answer import Status
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.navigation.symbols import list_symbols
from groundwire.operations.serving.restart import restart_lsp_server
from tests.fakes.toy_servers import ToyLog, is_running
from tests.operations.toy_project import ask, zoo
from tests.transport.children_at_hand import eventually

pytestmark = pytest.mark.anyio


async def test_where_none_runs_none_is_stopped_or_started(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, restart_lsp_server)
        assert (answer.status, answer.value.servers, pool.instances()) == (Status.CONFIRMED, (), ())


async def test_what_ran_runs_again_in_another_process_with_its_documents(tmp_path: Path) -> None:
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, log=log) as pool:
        await ask(pool, list_symbols, file_path="lonely.toy")
        old = pool.instances()[0]
        answer = await ask(pool, restart_lsp_server, server_id="well_read")
        (server,) = answer.value.servers
        assert (answer.status, server.was, server.state, server.reason) == (Status.CONFIRMED, "active", "active", "")
        assert pool.instances()[0] is not old
        assert pool.instances()[0].open_files() == {str(pool.workspace / "lonely.toy"): "toy"}
        assert [is_running(pid) for pid in log.pids()] == [False, True]
        assert (await ask(pool, find_references, symbol="shout")).status is Status.CONFIRMED


async def test_a_broken_server_is_forgiven_and_started_by_the_next_question(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        for _ in range(4):
            await ask(pool, list_symbols, file_path="lonely.toy")
            instance = pool.instances()[0]
            assert instance.pid is not None
            os.kill(instance.pid, signal.SIGKILL)
            assert await eventually(lambda instance=instance: instance.has_failed)
        assert pool.status()[0].state == "broken"
        with pytest.raises(SessionDead):
            await ask(pool, list_symbols, file_path="lonely.toy")
        (server,) = (await ask(pool, restart_lsp_server)).value.servers
        assert (server.was, server.state, server.reason) == ("broken", "idle", "the next question starts it")
        assert (await ask(pool, list_symbols, file_path="lonely.toy")).status is Status.CONFIRMED


async def test_servers_rooted_elsewhere_are_left_alone_and_named(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        (pool.workspace / "deep").mkdir()
        await ask(pool, list_symbols, file_path="lonely.toy")
        old = pool.instances()
        answer = await ask(pool, restart_lsp_server, root_dir="deep")
        assert (answer.value.servers, answer.note, pool.instances()) == ((), "left alone: well_read at .", old)


async def test_a_server_or_root_that_cannot_be_is_typed(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        with pytest.raises(InvalidArgument, match="well_raed"):
            await ask(pool, restart_lsp_server, server_id="well_raed")
        with pytest.raises(OutsideWorkspace):
            await ask(pool, restart_lsp_server, root_dir="..")

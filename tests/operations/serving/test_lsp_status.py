"""The state of servers as an operation: those that run, and those that would."""

from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.navigation.symbols import list_symbols
from groundwire.operations.serving.lsp_status import lsp_status
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio


async def test_a_server_that_does_not_run_is_idle_and_none_is_counted_as_running(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, lsp_status)
        (state,) = answer.value.servers
        assert (answer.status, answer.value.running, answer.value.files) == (Status.CONFIRMED, 0, 3)
        assert (state.server, state.state, state.root, state.languages) == ("well_read", "idle", ".", ("toy",))
        assert pool.instances() == ()


async def test_a_server_that_runs_is_active_with_its_process(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        await ask(pool, list_symbols, file_path="lonely.toy")
        (state,) = (await ask(pool, lsp_status)).value.servers
        assert (state.state, state.root, state.pid) == ("active", ".", pool.instances()[0].pid)


async def test_a_workspace_without_a_known_language_needs_none(tmp_path: Path) -> None:
    async with zoo(tmp_path, files={"x.unknown": "\n"}) as pool:
        assert (await ask(pool, lsp_status)).value.servers == ()

"""Stopping servers: they end, nobody starts them again, and the next question does."""

from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.serving.stop_servers import stop_servers
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio


async def test_a_server_is_stopped_until_the_next_question(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        await check_files(pool, [pool.workspace / "animals.toy"])
        answer = await ask(pool, stop_servers, server_id="well_read", root_dir=str(pool.workspace))
        (status,) = pool.status()
        assert (answer.value.stopped, status.state, status.reason) == (1, "idle", "somebody stopped it")
        await check_files(pool, [pool.workspace / "animals.toy"])
        assert pool.status()[0].state == "active"


async def test_nothing_else_is_stopped(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        await check_files(pool, [pool.workspace / "animals.toy"])
        answer = await ask(pool, stop_servers, root_dir=str(tmp_path / "elsewhere"))
        assert (answer.value.stopped, len(pool.instances())) == (0, 1)
        with pytest.raises(InvalidArgument, match="no server is called"):
            await ask(pool, stop_servers, server_id="nobody")

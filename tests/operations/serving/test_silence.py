"""What is told of a wait where the operation itself tells nothing."""

import asyncio
from pathlib import Path

import pytest

from groundwire.operations.command_questions import CheckFiles, command_check_files
from groundwire.operations.operation import no_progress
from groundwire.operations.runner import LocalRunner
from groundwire.operations.serving.silence import Silence
from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import toy_catalog, toy_spec
from tests.interaction.questions import toy_pool, write_project

pytestmark = pytest.mark.anyio

_WAIT_S = 30.0


async def test_a_check_names_the_server_that_it_waits_for(tmp_path: Path) -> None:
    root = write_project(tmp_path / "project")
    heard: list[str] = []
    async with Pool(root, catalog=toy_catalog(toy_spec("hang_at_start"))) as pool:
        wanted = CheckFiles(files=(str(root / "voices.toy"),))
        await LocalRunner(pool).run(command_check_files, wanted, wait_s=1.5, progress=heard.append)
    assert heard
    assert heard[0] == "hang_at_start is starting"


async def test_a_server_that_runs_is_named_too(tmp_path: Path) -> None:
    async with toy_pool(tmp_path / "project") as pool:
        await LocalRunner(pool).run(command_check_files, CheckFiles(files=(str(pool.workspace / "voices.toy"),)))
        told = asyncio.Event()
        heard: list[str] = []

        def hear(words: str) -> None:
            heard.append(words)
            told.set()

        with Silence(pool, hear):
            async with asyncio.timeout(_WAIT_S):
                await told.wait()
    assert heard == ["waiting for well_read"]


async def test_what_the_operation_tells_goes_before(tmp_path: Path) -> None:
    async with toy_pool(tmp_path / "project") as pool:
        heard: list[str] = []
        silence = Silence(pool, heard.append)
        silence.progress("checked 64 of 100 files")
        silence._ring()  # pyright: ignore[reportPrivateUsage]  instead of waiting for the moment
        silence.__exit__(None, None, None)
    assert heard == ["checked 64 of 100 files"]


async def test_nobody_is_told_where_nobody_listens(tmp_path: Path) -> None:
    async with toy_pool(tmp_path / "project") as pool:
        assert Silence(pool, no_progress).progress is no_progress

"""Many files, batch by batch: what changes meanwhile is checked anew, or said to be older."""

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.get_diagnostics import get_diagnostics
from groundwire.operations.results.diagnostics import Diagnostics
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.operations.toy_project import zoo

pytestmark = pytest.mark.anyio

THREE_BATCHES = {f"{number:03}.toy": "all is well\n" for number in range(140)}


async def check_workspace(pool: Pool, progress: Callable[[str], None]) -> Answer[Diagnostics]:
    arguments = get_diagnostics.parse({"scope": "workspace"})
    return await perform(pool, get_diagnostics, arguments, wait_s=60.0, progress=progress)


async def test_more_files_than_a_batch_are_all_checked_and_progress_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    async with zoo(tmp_path, files=THREE_BATCHES | {"070.toy": "this is wrong\n"}) as pool:
        answer = await check_workspace(pool, told.append)
    assert (answer.status, answer.value.checked, answer.value.candidates) == (Status.CONFIRMED, 140, 140)
    assert (answer.value.clean, [file.file for file in answer.value.files]) == (139, ["070.toy"])
    checked = [each for each in told if "starting" not in each]  # that is told too where the start takes its time
    assert checked == ["checked 64 of 140 files", "checked 128 of 140 files"]


async def test_a_file_that_changes_after_its_batch_was_checked_is_checked_again(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=THREE_BATCHES) as pool:

        def change_once(_: str) -> None:
            if not (pool.workspace / "new.toy").exists():
                (pool.workspace / "000.toy").write_text("now it is wrong\n", "utf-8")
                (pool.workspace / "new.toy").write_text("this one too is wrong\n", "utf-8")

        answer = await check_workspace(pool, change_once)
    assert (answer.status, answer.value.checked) == (Status.CONFIRMED, 140)
    (file,) = answer.value.files
    assert (file.file, [each.message for each in file.diagnostics]) == ("000.toy", ["now it is wrong"])


async def test_files_that_never_stop_changing_are_not_called_clean(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=THREE_BATCHES) as pool:
        texts = (f"is it well? {number}\n" for number in range(100))

        def change(_: str) -> None:
            (pool.workspace / "000.toy").write_text(next(texts), "utf-8")

        answer = await check_workspace(pool, change)
    assert answer.status is Status.PARTIAL
    states = {file.file: (file.status, file.reason) for file in answer.value.files}
    assert states["000.toy"] == (Status.UNKNOWN, "the file changed after it was checked")
    assert states["001.toy"] == (Status.PARTIAL, "other files changed after this one was checked")


async def test_a_file_that_vanishes_while_others_are_checked_is_left_out(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=THREE_BATCHES) as pool:
        answer = await check_workspace(pool, lambda _: (pool.workspace / "139.toy").unlink(missing_ok=True))
    assert answer.status is Status.CONFIRMED
    assert answer.value.checked == answer.value.candidates == 139

"""Several edits as one: nothing is reported in between, then once, or all is taken back."""

from pathlib import Path

import pytest

from groundwire.operations.answer import Status
from groundwire.operations.editing.apply_edit import apply_edit
from groundwire.operations.editing.transactions import begin_edits, end_edits, rollback_edits
from groundwire.operations.editing.undo_edit import undo_edit
from groundwire.operations.editing.write_file import write_file
from groundwire.operations.reporting.report_mode import set_report_mode
from groundwire.pool.pool import Pool
from tests.operations.toy_project import ZOO, ask, zoo

pytestmark = pytest.mark.anyio


def contents(pool: Pool) -> dict[str, str]:
    return {file.name: file.read_bytes().decode() for file in pool.workspace.rglob("*.toy")}


async def rename(pool: Pool, old: str, new: str) -> None:
    await ask(pool, apply_edit, file_path="lonely.toy", old_text=old, new_text=new)


async def test_nothing_is_reported_before_the_end_and_then_everything_once(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await ask(pool, begin_edits)
        held = await ask(pool, apply_edit, file_path="lonely.toy", old_text="nobody", new_text="wrong")
        assert held.value.report is not None
        assert (held.value.report.mode, held.value.report.files) == ("end_of_turn", ())
        await ask(pool, write_file, file_path="new.toy", text="def wrong()\n")
        ended = await ask(pool, end_edits)
        assert ended.value.report is not None
        assert {file.file: len(file.diagnostics) for file in ended.value.report.files} == {
            "lonely.toy": 1,
            "new.toy": 1,
        }
        assert [(file.file, file.kind) for file in ended.value.files] == [
            ("lonely.toy", "changed"),
            ("new.toy", "created"),
        ]
        assert (await ask(pool, end_edits)).value.notes == ("no edits were begun",)


async def test_what_was_put_right_again_is_not_among_the_changes(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await ask(pool, begin_edits)
        await rename(pool, "nobody", "wrong")
        await rename(pool, "wrong", "nobody")
        ended = await ask(pool, end_edits)
        assert (ended.value.files, ended.status) == ((), Status.CONFIRMED)


async def test_everything_since_the_beginning_is_taken_back_and_nothing_before_it(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await rename(pool, "nobody", "first")
        before = contents(pool)
        await ask(pool, begin_edits)
        await rename(pool, "first", "second")
        await rename(pool, "second", "wrong")
        await ask(pool, write_file, file_path="deep/new.toy", text="x\n")
        rolled = await ask(pool, rollback_edits)
        assert (contents(pool), rolled.status) == (before, Status.CONFIRMED)
        assert rolled.value.notes[0] == "3 of 3 edits are taken back"
        assert not (pool.workspace / "deep").exists()
        await ask(pool, undo_edit)
        assert contents(pool) == ZOO


async def test_what_somebody_else_changed_stays_and_is_said_and_the_rest_goes_back(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await ask(pool, begin_edits)
        await rename(pool, "nobody", "second")
        await ask(pool, write_file, file_path="new.toy", text="x\n")
        (pool.workspace / "lonely.toy").write_text("def theirs()\n", "utf-8")
        rolled = await ask(pool, rollback_edits)
        assert contents(pool) == {**ZOO, "lonely.toy": "def theirs()\n"}
        assert rolled.status is Status.PARTIAL
        assert "lonely.toy" in rolled.reason
        assert rolled.value.notes[0] == "1 of 2 edits are taken back"


async def test_more_edits_than_are_kept_are_not_called_taken_back(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await ask(pool, begin_edits)
        for number in range(22):
            await ask(pool, write_file, file_path=f"new{number}.toy", text="x\n")
        rolled = await ask(pool, rollback_edits)
        assert rolled.status is Status.PARTIAL
        assert "kept no longer" in rolled.reason
        assert sorted(set(contents(pool)) - set(ZOO)) == ["new0.toy", "new1.toy"]


async def test_an_undo_within_takes_back_an_edit_and_not_the_beginning(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await rename(pool, "nobody", "first")
        await ask(pool, begin_edits)
        await rename(pool, "first", "second")
        await ask(pool, undo_edit)
        rolled = await ask(pool, rollback_edits)
        assert rolled.value.notes == ("0 of 0 edits are taken back",)
        assert contents(pool)["lonely.toy"] == "def first()\n"


async def test_begun_twice_is_begun_once(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await ask(pool, begin_edits)
        await rename(pool, "nobody", "first")
        again = await ask(pool, begin_edits)
        assert (again.value.in_transaction, again.note) == (True, "they were begun before")
        await ask(pool, rollback_edits)
        assert contents(pool) == ZOO


async def test_in_the_mode_end_of_turn_the_end_reports_and_the_mode_stays(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        await ask(pool, set_report_mode, mode="end_of_turn")
        await rename(pool, "nobody", "wrong")
        ended = await ask(pool, end_edits)
        assert ended.value.report is not None
        assert [file.file for file in ended.value.report.files] == ["lonely.toy"]
        assert (await ask(pool, set_report_mode)).value.mode == "end_of_turn"


async def test_switched_off_nothing_is_asked_of_any_server(tmp_path: Path):
    async with zoo(tmp_path) as pool:
        assert (await ask(pool, set_report_mode, mode="off", other_files="never")).value.other_files == "never"
        await rename(pool, "nobody", "wrong")
        assert pool.instances() == ()

"""Commands of a server: its result, and the edits that it asks for, written by the rules of every edit."""

from pathlib import Path

import pytest

from groundwire.edits.undo import UndoStack
from groundwire.errors import CapabilityMissing, InvalidArgument, OutsideWorkspace
from groundwire.operations.answer import Status
from groundwire.operations.editing.commands import execute_command
from groundwire.pool.pool import Pool
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio

FILES = {"a.toy": "def one()\n"}


def text(pool: Pool) -> str:
    return (pool.workspace / "a.toy").read_text("utf-8")


@pytest.mark.parametrize("given", [[], [1, "two", None], [{"deep": [{"er": True}]}]])
async def test_arguments_and_result_are_any_json(given: list[object], tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, execute_command, command="toy.echo", arguments=given, file_path="a.toy")
    assert (answer.status, answer.servers) == (Status.CONFIRMED, ("well_read",))
    assert (answer.value.result, answer.value.edit) == (given, None)


async def test_an_edit_that_the_server_asks_for_is_written_reported_and_can_be_undone(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, execute_command, command="toy.append", arguments=["# wrong\n"], file_path="a.toy")
        assert text(pool) == "# wrong\ndef one()\n"
        edit = answer.value.edit
        assert edit is not None
        assert answer.value.result == {"applied": True}
        assert edit.report is not None
        assert [finding.message for file in edit.report.files for finding in file.diagnostics] == ["# wrong"]
        pool.kept.get(UndoStack).undo(edit.undo_id)
        assert text(pool) == "def one()\n"


async def test_an_edit_that_comes_after_the_answer_is_written_too(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        await ask(pool, execute_command, command="toy.late", arguments=["# late\n"], file_path="a.toy")
        assert text(pool) == "# late\ndef one()\n"


async def test_several_edits_are_one(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, execute_command, command="toy.twice", arguments=["# x\n"], file_path="a.toy")
        assert text(pool) == "# x\n# x\ndef one()\n"
        assert answer.value.edit is not None
        pool.kept.get(UndoStack).undo(answer.value.edit.undo_id)
        assert text(pool) == "def one()\n"


async def test_an_edit_outside_the_workspace_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    outside = tmp_path / "outside.toy"
    outside.write_text("# mine\n", "utf-8")
    async with zoo(tmp_path, files=FILES) as pool:
        with pytest.raises(OutsideWorkspace):
            await ask(pool, execute_command, command="toy.outside", file_path="a.toy")
        assert (outside.read_text("utf-8"), text(pool)) == ("# mine\n", "def one()\n")


async def test_only_what_a_server_offers_is_sent_to_it(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        with pytest.raises(CapabilityMissing, match="no server that runs"):
            await ask(pool, execute_command, command="toy.echo")
        with pytest.raises(InvalidArgument, match=r"'toy\.eko'") as raised:
            await ask(pool, execute_command, command="toy.eko", file_path="a.toy")
        assert "toy.echo" in raised.value.hint
        answer = await ask(pool, execute_command, command="toy.echo", arguments=[1])
        with pytest.raises(CapabilityMissing):
            await ask(pool, execute_command, command="toy.echo", server_name="another")
    assert answer.value.result == [1]

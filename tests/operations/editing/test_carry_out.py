"""Carrying out an edit: it is written first and whole, whatever the servers do; then it is reported."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.edits.plan import Plan, plan_edit
from groundwire.edits.text_changes import NewText
from groundwire.errors import EditConflict
from groundwire.operations.answer import Status
from groundwire.operations.editing.carry_out import carry_out, preview, undo, undo_stack
from groundwire.operations.operation import Call
from groundwire.operations.reporting.report_settings import report_settings
from groundwire.pool.pool import Pool
from tests.fakes.toy_servers import toy_catalog, toy_spec

pytestmark = pytest.mark.anyio

TEXT = "def shout(what)\n\ndef bark(loudness)\n    use shout(loudness)\n"
BROKEN = TEXT.replace("use shout(loudness)", "use shout(1, 2)")


@asynccontextmanager
async def workspace(tmp_path: Path, server: str = "type_checked") -> AsyncGenerator[Call]:
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.toy").write_text(TEXT, "utf-8")
    async with Pool(root, catalog=toy_catalog(toy_spec(server))) as pool:
        yield Call(pool, asyncio.get_running_loop().time() + 30)


def new_text(call: Call, text: str, name: str = "a.toy") -> Plan:
    root = call.pool.workspace
    return plan_edit([NewText(root / name, text)], roots=(root,), encoding="utf-16")


async def test_an_edit_is_written_and_what_it_introduced_is_reported(tmp_path: Path):
    async with workspace(tmp_path) as call:
        answer = await carry_out(call, new_text(call, BROKEN))
        assert (call.pool.workspace / "a.toy").read_text("utf-8") == BROKEN
        assert (answer.status, answer.value.applied) == (Status.CONFIRMED, True)
        assert [(file.file, file.kind, file.added, file.removed) for file in answer.value.files] == [
            ("a.toy", "changed", 1, 1)
        ]
        report = answer.value.report
        assert report is not None
        assert [(each.message, each.origin) for each in report.files[0].diagnostics] == [
            ("shout takes 1, not 2", "introduced")
        ]


async def test_an_edit_can_be_undone_and_the_report_says_what_that_resolved(tmp_path: Path):
    async with workspace(tmp_path) as call:
        done = await carry_out(call, new_text(call, BROKEN))
        answer = await undo(call, done.value.undo_id)
        assert (call.pool.workspace / "a.toy").read_text("utf-8") == TEXT
        assert answer.value.report is not None
        assert (answer.status, answer.value.report.resolved) == (Status.CONFIRMED, 1)


async def test_a_preview_writes_nothing_and_shows_the_difference(tmp_path: Path):
    async with workspace(tmp_path) as call:
        answer = preview(call, new_text(call, BROKEN))
        assert (call.pool.workspace / "a.toy").read_text("utf-8") == TEXT
        assert (answer.value.applied, answer.value.report) == (False, None)
        assert "+    use shout(1, 2)" in answer.value.files[0].diff


async def test_an_edit_planned_for_other_content_writes_nothing(tmp_path: Path):
    async with workspace(tmp_path) as call:
        plan = new_text(call, BROKEN)
        (call.pool.workspace / "a.toy").write_text("def other()\n", "utf-8")
        with pytest.raises(EditConflict):
            await carry_out(call, plan)
        assert (call.pool.workspace / "a.toy").read_text("utf-8") == "def other()\n"


@pytest.mark.parametrize(
    ("server", "is_known"),
    [
        ("crash_at_start", False),
        ("crash_mid_request", False),
        ("hang_at_start", False),
        ("never_answers", True),  # who uses what was edited, which is nobody: there is no other file
    ],
)
async def test_a_server_that_dies_or_hangs_neither_fails_the_edit_nor_holds_it_up(
    tmp_path: Path, server: str, is_known: bool
):
    async with workspace(tmp_path, server) as call:
        settings = report_settings(call)
        settings.warm_wait_s = settings.first_wait_s = 0.5
        loop = asyncio.get_running_loop()
        began = loop.time()
        answer = await carry_out(call, new_text(call, BROKEN))
        assert loop.time() - began < 5
        assert (call.pool.workspace / "a.toy").read_text("utf-8") == BROKEN
        assert answer.value.applied
        assert (answer.status is Status.CONFIRMED, bool(answer.reason)) == (is_known, not is_known)


async def test_edits_at_the_same_time_are_written_one_after_the_other(tmp_path: Path):
    async with workspace(tmp_path) as call:
        plans = [new_text(call, f"def only{number}()\n", f"n{number}.toy") for number in range(5)]
        answers = await asyncio.gather(*(carry_out(call, plan) for plan in plans))
        assert [answer.value.applied for answer in answers] == [True] * 5
        assert len(undo_stack(call).ids) == 5


@pytest.mark.parametrize("turns", [1, 2, 3, 5, 8])
async def test_who_is_cancelled_leaves_no_edit_or_a_whole_one_that_can_be_undone(tmp_path: Path, turns: int):
    async with workspace(tmp_path) as call:
        running = asyncio.ensure_future(carry_out(call, new_text(call, BROKEN)))
        for _ in range(turns):
            await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        text = (call.pool.workspace / "a.toy").read_text("utf-8")
        assert text in (TEXT, BROKEN)
        assert len(undo_stack(call).ids) == (text == BROKEN)

"""The audit trail: every edit leaves one record, which tells what was done to which files and holds nothing of them."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from groundwire.errors import GroundwireError
from groundwire.operations.editing.apply_edit import apply_edit
from groundwire.operations.editing.undo_edit import undo_edit
from groundwire.operations.editing.write_file import write_file
from groundwire.pool.audit_log import AuditSettings
from groundwire.pool.pool import Pool
from groundwire.pool.settings import PoolSettings
from groundwire.protocol.hashing import content_hash
from tests.fakes.toy_servers import toy_catalog, toy_spec
from tests.operations.toy_project import ZOO, ask

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

Record = dict[str, object]


@asynccontextmanager
async def audited(tmp_path: Path, log: Path | None = None) -> AsyncGenerator[Pool]:
    root = tmp_path / "project"
    root.mkdir()
    for name, text in ZOO.items():
        (root / name).write_text(text, "utf-8")
    settings = PoolSettings(audit=AuditSettings(log or tmp_path / "audit.jsonl"))
    async with Pool(root, catalog=toy_catalog(toy_spec("well_read")), settings=settings) as pool:
        yield pool


async def records(tmp_path: Path, number: int) -> list[Record]:
    """As many as there should be, once they are there; and not more."""
    path = tmp_path / "audit.jsonl"
    async with asyncio.timeout(30):
        while not path.exists() or path.read_bytes().count(b"\n") < number:  # noqa: ASYNC110  a thread writes it
            await asyncio.sleep(0.01)
    found = [cast("Record", json.loads(line)) for line in path.read_text("utf-8").splitlines()]
    assert len(found) == number
    return found


async def test_an_edit_leaves_a_record_with_sizes_hashes_and_counts(tmp_path: Path):
    async with audited(tmp_path) as pool:
        old, new = "def nobody()", "def wrong(secret)"
        answer = await ask(pool, apply_edit, file_path="lonely.toy", old_text=old, new_text=new)
        (record,) = await records(tmp_path, 1)
        assert (record["tool"], record["status"], record["success"]) == ("apply_edit", "applied", True)
        assert record["arguments"] == {
            "file_path": "lonely.toy",
            "old_text": {"chars": len(old), "hash": content_hash(old)},
            "new_text": {"chars": len(new), "hash": content_hash(new)},
        }
        before, after = ZOO["lonely.toy"], f"{new}\n"
        assert record["files"] == [
            {
                "file": "lonely.toy",
                "kind": "changed",
                "before": {"bytes": len(before), "hash": content_hash(before)},
                "after": {"bytes": len(after), "hash": content_hash(after)},
            }
        ]
        assert record["diagnostics_before"] == {"error_count": 0}
        assert record["diagnostics_after"] == {"error_count": 1, "warning_count": 0, "files_checked": ["lonely.toy"]}
        assert (record["net_delta"], record["diagnostics_status"]) == ({"errors": 1}, "confirmed")
        assert record["undo_id"] == answer.value.undo_id
        assert cast("float", record["duration_ms"]) > 0
        assert "secret" not in (tmp_path / "audit.jsonl").read_text("utf-8")


async def test_new_files_and_edits_that_are_taken_back_are_recorded_in_one_session(tmp_path: Path):
    async with audited(tmp_path) as pool:
        await ask(pool, write_file, file_path="new.toy", text="def new()\n")
        await ask(pool, undo_edit)
        made, undone = await records(tmp_path, 2)
        assert (made["tool"], made["status"]) == ("write_file", "applied")
        assert (undone["tool"], undone["status"]) == ("undo_edit", "undone")
        kinds = [cast("list[Record]", record["files"])[0]["kind"] for record in (made, undone)]
        assert kinds == ["created", "deleted"]
        assert made["session_id"] == undone["session_id"]


async def test_an_edit_that_could_not_be_written_is_recorded_as_refused(tmp_path: Path):
    async with audited(tmp_path) as pool:
        await ask(pool, apply_edit, file_path="lonely.toy", old_text="nobody", new_text="somebody")
        (pool.workspace / "lonely.toy").write_text("def other()\n", "utf-8")
        with pytest.raises(GroundwireError):
            await ask(pool, undo_edit)
        _, refused = await records(tmp_path, 2)
        assert (refused["status"], refused["success"], refused["files"]) == ("refused", False, [])
        assert "lonely.toy" in cast("str", refused["error_message"])


async def test_previews_and_refusals_before_anything_is_written_leave_none(tmp_path: Path):
    async with audited(tmp_path) as pool:
        with pytest.raises(GroundwireError):
            await ask(pool, apply_edit, file_path="lonely.toy", old_text="not there", new_text="x")
        await ask(pool, apply_edit, file_path="lonely.toy", old_text="nobody", new_text="somebody")
        await records(tmp_path, 1)


async def test_a_log_that_cannot_be_written_fails_no_edit_and_is_noted_once(tmp_path: Path):
    (tmp_path / "taken").write_text("", "utf-8")
    async with audited(tmp_path, tmp_path / "taken/audit.jsonl") as pool:
        notes: list[str] = []
        async with asyncio.timeout(30):
            while not any(notes):  # it is written beside the edit, so that a later one tells
                notes.append((await ask(pool, write_file, file_path="a.toy", text=f"# {len(notes)}\n")).note)
        assert "audit" in notes[-1]
        assert (await ask(pool, write_file, file_path="a.toy", text="# last\n")).note == ""
        assert (pool.workspace / "a.toy").read_text("utf-8") == "# last\n"


async def test_an_edit_whose_report_is_cancelled_is_recorded_all_the_same(tmp_path: Path):
    async with audited(tmp_path) as pool:
        file = pool.workspace / "lonely.toy"
        editing = asyncio.ensure_future(
            ask(pool, apply_edit, file_path="lonely.toy", old_text="nobody", new_text="wrong")
        )
        async with asyncio.timeout(30):
            while "wrong" not in file.read_text("utf-8"):  # noqa: ASYNC110  a thread writes it
                await asyncio.sleep(0)
        editing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await editing
        (record,) = await records(tmp_path, 1)
        assert (record["status"], record["diagnostics_status"]) == ("applied", "unknown")

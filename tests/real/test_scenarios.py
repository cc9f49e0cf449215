"""The promise, against real servers: an answer is about the content as it is now, and says so, or says that it is not.

One body per scenario, one row of data per server. Every answer is compared with what is true at that moment.
"""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from groundwire.operations.answer import FileFindings, Finding, Status
from groundwire.operations.diagnose import check_files
from groundwire.operations.navigate import FindReferences, find_references
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment
from tests.real.rows import ROWS, Edit, Row

WAIT_S = 90.0
ALTERNATIONS = 20

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


class Project:
    """A copy of a row's project on disk."""

    def __init__(self, row: Row, root: Path) -> None:
        self.row = row
        self.root = root
        for name, text in row.files.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        """Write a file as any editor would."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{root}", str(self.root)), encoding="utf-8")

    def apply(self, edit: Edit) -> None:
        """Make the edit on disk."""
        text = (self.root / edit.file).read_text(encoding="utf-8")
        assert edit.old in text
        self.write(edit.file, text.replace(edit.old, edit.new))

    def undo(self, edit: Edit) -> None:
        """Put the file back as the row has it."""
        self.write(edit.file, self.row.files[edit.file])


@asynccontextmanager
async def pool_for(server: str, root: Path) -> AsyncGenerator[Pool]:
    """A pool with just this server."""
    async with Pool(root, only=frozenset({server}), environment=server_environment(server)) as pool:
        yield pool


async def check(pool: Pool, file: str) -> FileFindings:
    """One file's findings, which must be confirmed."""
    answer = await check_files(pool, [Path(file)], wait_s=WAIT_S)
    findings = answer.value[0]
    assert findings.status is Status.CONFIRMED, findings.reason
    return findings


def errors(findings: FileFindings) -> list[Finding]:
    """The findings that count for the server that gave them."""
    severities = ROWS[findings.servers[0]].severities
    return [finding for finding in findings.diagnostics if finding.severity in severities]


def names(findings: Sequence[Finding], needle: str) -> bool:
    """Whether a finding is about ``needle``."""
    return any(needle in f"{finding.message} {finding.code}" for finding in findings)


async def count_references(pool: Pool, row: Row) -> int:
    """How often the row's word is used; the answer must be confirmed."""
    assert row.references is not None
    file, word = row.references
    lines = row.files[file].splitlines()
    line = next(number for number, text in enumerate(lines, 1) if word in text)
    wanted = FindReferences(file_path=file, line=line, text=word, include_declaration=True)
    answer = await perform(pool, find_references, wanted, wait_s=WAIT_S)
    assert answer.status is Status.CONFIRMED, answer.reason
    return answer.value.total


async def replace_from_elsewhere(path: Path, old: str, new: str) -> None:
    """An edit by another process, finished when this returns."""
    program = "import pathlib,sys; p=pathlib.Path(sys.argv[1]); t=p.read_bytes().decode(); "
    program += "p.write_bytes(t.replace(sys.argv[2], sys.argv[3]).encode())"
    editor = await asyncio.create_subprocess_exec(sys.executable, "-c", program, str(path), old, new)
    assert await editor.wait() == 0


async def test_a_break_is_seen_and_its_fix_is_confirmed_clean(server: str, tmp_path: Path, round_number: int) -> None:
    row = ROWS[server]
    project = Project(row, tmp_path)
    project.apply(row.own_break)
    async with pool_for(server, tmp_path) as pool:
        assert names(errors(await check(pool, row.own_break.file)), row.own_needle)
        project.undo(row.own_break)
        assert errors(await check(pool, row.own_break.file)) == []


async def test_twenty_alternating_edits_give_no_stale_answer(server: str, tmp_path: Path, round_number: int) -> None:
    row = ROWS[server]
    project = Project(row, tmp_path)
    async with pool_for(server, tmp_path) as pool:
        assert errors(await check(pool, row.own_break.file)) == []
        for _ in range(ALTERNATIONS // 2):
            project.apply(row.own_break)
            assert names(errors(await check(pool, row.own_break.file)), row.own_needle)
            project.undo(row.own_break)
            assert errors(await check(pool, row.own_break.file)) == []


async def test_an_edit_by_another_process_is_seen_by_the_next_question(
    server: str, tmp_path: Path, round_number: int
) -> None:
    row = ROWS[server]
    Project(row, tmp_path)
    edit = row.own_break
    async with pool_for(server, tmp_path) as pool:
        assert errors(await check(pool, edit.file)) == []
        await replace_from_elsewhere(tmp_path / edit.file, edit.old, edit.new)
        assert names(errors(await check(pool, edit.file)), row.own_needle)
        await replace_from_elsewhere(tmp_path / edit.file, edit.new, edit.old)
        assert errors(await check(pool, edit.file)) == []


async def test_a_break_in_one_file_is_seen_in_another_that_uses_it(
    server: str, tmp_path: Path, round_number: int
) -> None:
    row = ROWS[server]
    if row.cross_break is None:
        pytest.skip(f"{server} looks at one file at a time")
    project = Project(row, tmp_path)
    async with pool_for(server, tmp_path) as pool:
        assert errors(await check(pool, row.user)) == []
        for is_open in (False, True):
            project.apply(row.cross_break)
            assert names(errors(await check(pool, row.user)), row.cross_needle)
            project.undo(row.cross_break)
            assert errors(await check(pool, row.user)) == []
            if not is_open:
                await check_files(pool, [Path(row.cross_break.file)], wait_s=WAIT_S)


async def test_a_change_that_keeps_the_time_and_the_size_of_a_file_is_seen_all_the_same(
    server: str, tmp_path: Path, round_number: int
) -> None:
    row = ROWS[server]
    if row.cross_break is None:
        pytest.skip(f"{server} looks at one file at a time")
    Project(row, tmp_path)
    path = tmp_path / row.cross_break.file
    path.write_text(path.read_text("utf-8") + "\n" * 40, "utf-8")
    broken = path.read_text("utf-8").replace(row.cross_break.old, row.cross_break.new)
    padding = len(path.read_text("utf-8")) - len(broken)
    before = path.stat()
    async with pool_for(server, tmp_path) as pool:
        assert errors(await check(pool, row.user)) == []
        path.write_text(broken + "\n" * padding if padding >= 0 else broken[:padding], "utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert (path.stat().st_mtime_ns, path.stat().st_size) == (before.st_mtime_ns, before.st_size)
        assert names(errors(await check(pool, row.user)), row.cross_needle)


async def test_a_file_created_on_disk_resolves_at_once_and_is_missed_when_deleted(
    server: str, tmp_path: Path, round_number: int
) -> None:
    row = ROWS[server]
    if row.new_file is None:
        pytest.skip(f"{server} looks at one file at a time")
    project = Project(row, tmp_path)
    name, text = row.new_file
    async with pool_for(server, tmp_path) as pool:
        for _ in range(2):
            assert names(errors(await check(pool, row.importer)), row.missing_needle)
            project.write(name, text)
            assert errors(await check(pool, row.importer)) == []
            (tmp_path / name).unlink()


async def test_references_right_after_the_start_are_complete_or_said_not_to_be(
    server: str, tmp_path: Path, round_number: int
) -> None:
    row = ROWS[server]
    if row.references is None:
        pytest.skip(f"{server} does not navigate")
    project = Project(row, tmp_path)
    if row.new_file is not None:
        project.write(*row.new_file)
    async with pool_for(server, tmp_path) as pool:
        assert await count_references(pool, row) == row.reference_count


async def test_references_follow_files_created_edited_and_deleted_on_disk(
    server: str, tmp_path: Path, round_number: int
) -> None:
    row = ROWS[server]
    name, text, adds = row.referring_file
    if not adds:
        pytest.skip(f"{server} does not navigate")
    project = Project(row, tmp_path)
    if row.new_file is not None:
        project.write(*row.new_file)
    call = text[: text.index("(1, 2)")].split()[-1].split("(")[-1]
    async with pool_for(server, tmp_path) as pool:
        assert await count_references(pool, row) == row.reference_count
        project.write(name, text)
        assert await count_references(pool, row) == row.reference_count + adds
        project.write(name, text.replace("(1, 2)", f"(1, {call}(1, 2))"))
        assert await count_references(pool, row) == row.reference_count + adds + 1
        (tmp_path / name).unlink()
        assert await count_references(pool, row) == row.reference_count


async def test_shutting_down_leaves_no_process_behind(server: str, tmp_path: Path, round_number: int) -> None:
    row = ROWS[server]
    Project(row, tmp_path)
    async with pool_for(server, tmp_path) as pool:
        await check(pool, row.own_break.file)
        (instance,) = pool.instances()
        pid = instance.pid
        assert pid is not None
        family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        assert family
    left = [process for process in family if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]
    assert left == []

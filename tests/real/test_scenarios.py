"""The promise, against real servers: an answer is about the content as it is now, and says so, or says that it is not.

One body per scenario, one row of data per server. Every answer is compared with what is true at that moment. The
scenarios follow one another in one life of a server, because its start takes longer than they do; what is about a start
has one of its own.
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
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.navigation.navigate import FindReferences, find_references
from groundwire.operations.runner import perform
from groundwire.operations.serving.opened import close_document
from groundwire.pool.pool import Pool
from tests.real.conftest import server_environment
from tests.real.rows import ROWS, Edit, Row

WAIT_S = 90.0
ALTERNATIONS = 20

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]


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


async def close(pool: Pool, file: str) -> None:
    """From now on the server reads the file from disk, as if it had never been shown it."""
    await perform(pool, close_document, close_document.parse({"file_path": file}), wait_s=WAIT_S)


async def a_break_is_seen_and_its_fix_is_confirmed_clean(pool: Pool, project: Project) -> None:
    """The first question of all: the file is broken before the server starts."""
    row = project.row
    assert names(errors(await check(pool, row.own_break.file)), row.own_needle)
    project.undo(row.own_break)
    assert errors(await check(pool, row.own_break.file)) == []


async def twenty_alternating_edits_give_no_stale_answer(pool: Pool, project: Project) -> None:
    row = project.row
    assert errors(await check(pool, row.own_break.file)) == []
    for _ in range(ALTERNATIONS // 2):
        project.apply(row.own_break)
        assert names(errors(await check(pool, row.own_break.file)), row.own_needle)
        project.undo(row.own_break)
        assert errors(await check(pool, row.own_break.file)) == []


async def an_edit_by_another_process_is_seen_by_the_next_question(pool: Pool, project: Project) -> None:
    row, edit = project.row, project.row.own_break
    assert errors(await check(pool, edit.file)) == []
    await replace_from_elsewhere(project.root / edit.file, edit.old, edit.new)
    assert names(errors(await check(pool, edit.file)), row.own_needle)
    await replace_from_elsewhere(project.root / edit.file, edit.new, edit.old)
    assert errors(await check(pool, edit.file)) == []


async def a_break_in_one_file_is_seen_in_another_that_uses_it(pool: Pool, project: Project, edit: Edit) -> None:
    """First while the server has not been shown the file that breaks the other, then while it has it open."""
    row = project.row
    await close(pool, edit.file)
    assert errors(await check(pool, row.user)) == []
    for is_open in (False, True):
        project.apply(edit)
        assert names(errors(await check(pool, row.user)), row.cross_needle)
        project.undo(edit)
        assert errors(await check(pool, row.user)) == []
        if not is_open:
            await check_files(pool, [Path(edit.file)], wait_s=WAIT_S)


async def a_file_that_changes_together_with_what_it_uses_is_judged_by_both(
    pool: Pool, project: Project, edit: Edit
) -> None:
    """As a patch over several files does."""
    row, path = project.row, project.root / project.row.user
    text = path.read_text("utf-8")
    for number in range(3):
        project.apply(edit)
        path.write_text(text + "\n" * (2 * number + 1), "utf-8")
        assert names(errors(await check(pool, row.user)), row.cross_needle)
        project.undo(edit)
        path.write_text(text + "\n" * (2 * number + 2), "utf-8")
        assert errors(await check(pool, row.user)) == []
    path.write_text(text, "utf-8")


def leave_room(project: Project, edit: Edit) -> None:
    """Lines at the end of the file, so that the edit can be made without its size changing."""
    project.write(edit.file, project.row.files[edit.file] + "\n" * 40)


async def a_change_that_keeps_the_time_and_the_size_of_a_file_is_seen(pool: Pool, project: Project, edit: Edit) -> None:
    """Of a file that has room, and that the server has never been told about."""
    row, path = project.row, project.root / edit.file
    broken = path.read_text("utf-8").replace(edit.old, edit.new)
    padding = len(path.read_text("utf-8")) - len(broken)
    before = path.stat()
    assert errors(await check(pool, row.user)) == []
    path.write_text(broken + "\n" * padding if padding >= 0 else broken[:padding], "utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_mtime_ns, path.stat().st_size) == (before.st_mtime_ns, before.st_size)
    assert names(errors(await check(pool, row.user)), row.cross_needle)
    project.undo(edit)


async def a_file_created_on_disk_resolves_at_once_and_is_missed_when_deleted(pool: Pool, project: Project) -> None:
    row = project.row
    assert row.new_file is not None
    name, text = row.new_file
    for _ in range(2):
        assert names(errors(await check(pool, row.importer)), row.missing_needle)
        project.write(name, text)
        assert errors(await check(pool, row.importer)) == []
        (project.root / name).unlink()


async def references_follow_files_created_edited_and_deleted_on_disk(pool: Pool, project: Project) -> None:
    row = project.row
    name, text, adds = row.referring_file
    if row.new_file is not None:
        project.write(*row.new_file)
    call = text[: text.index("(1, 2)")].split()[-1].split("(")[-1]
    assert await count_references(pool, row) == row.reference_count
    project.write(name, text)
    assert await count_references(pool, row) == row.reference_count + adds
    project.write(name, text.replace("(1, 2)", f"(1, {call}(1, 2))"))
    assert await count_references(pool, row) == row.reference_count + adds + 1
    (project.root / name).unlink()
    assert await count_references(pool, row) == row.reference_count


async def what_one_file_does_to_another_is_seen(pool: Pool, project: Project, edit: Edit) -> None:
    await a_change_that_keeps_the_time_and_the_size_of_a_file_is_seen(pool, project, edit)
    await a_break_in_one_file_is_seen_in_another_that_uses_it(pool, project, edit)
    await a_file_that_changes_together_with_what_it_uses_is_judged_by_both(pool, project, edit)
    await a_file_created_on_disk_resolves_at_once_and_is_missed_when_deleted(pool, project)
    await references_follow_files_created_edited_and_deleted_on_disk(pool, project)


def family(pool: Pool) -> list[psutil.Process]:
    """The processes of the only server."""
    (instance,) = pool.instances()
    assert instance.pid is not None
    return [psutil.Process(instance.pid), *psutil.Process(instance.pid).children(recursive=True)]


async def test_every_answer_in_the_life_of_a_server_is_about_the_present_and_nothing_is_left_of_it(
    server: str, tmp_path: Path, round_number: int
) -> None:
    row = ROWS[server]
    project = Project(row, tmp_path)
    project.apply(row.own_break)
    if row.cross_break is not None:
        leave_room(project, row.cross_break)
    async with pool_for(server, tmp_path) as pool:
        await a_break_is_seen_and_its_fix_is_confirmed_clean(pool, project)
        await twenty_alternating_edits_give_no_stale_answer(pool, project)
        await an_edit_by_another_process_is_seen_by_the_next_question(pool, project)
        if row.cross_break is not None:
            await what_one_file_does_to_another_is_seen(pool, project, row.cross_break)
        processes = family(pool)
    left = [process for process in processes if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]
    assert left == []


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


def test_only_a_linter_looks_at_one_file_at_a_time() -> None:
    of_one_file = {row.server for row in ROWS.values() if None in (row.cross_break, row.new_file, row.references)}
    assert of_one_file == {"ruff"}

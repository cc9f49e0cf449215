"""Edits that come from real servers: renames across many files, fixes, forms. What they leave behind is checked by the
servers themselves, and by the bytes.
"""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.editing.carry_out import undo
from groundwire.operations.editing.fixes import apply_fix, suggest_fixes
from groundwire.operations.editing.formatting import format_document
from groundwire.operations.editing.rename import prepare_rename, rename_symbol
from groundwire.operations.editing.source_actions import fix_all, organize_imports
from groundwire.operations.operation import A, Call, Operation, R
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from tests.real.lightened import light_pool
from tests.real.mendable import FIXES, FORMS, REFACTORINGS, Formattable, Mendable, Refactoring
from tests.real.wide_names import PROJECTS, Project

WAIT_S = 120.0
RANGE = ("start_line", "start_column", "end_line", "end_column")

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


async def ask(pool: Pool, operation: Operation[A, R], given: Mapping[str, object]) -> Answer[R]:
    return await perform(pool, operation, operation.parse(given), wait_s=WAIT_S)


def write(files: Mapping[str, str], root: Path) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.replace("{root}", str(root)).encode())


def contents(root: Path, names: tuple[str, ...]) -> dict[str, bytes]:
    return {name: (root / name).read_bytes() for name in names}


async def check_clean(pool: Pool, names: tuple[str, ...]) -> None:
    answer = await check_files(pool, [pool.workspace / name for name in names], wait_s=WAIT_S)
    assert answer.status is Status.CONFIRMED, answer.reason
    assert [(file.file, file.diagnostics) for file in answer.value if file.diagnostics] == []


def renamed(project: Project, before: Mapping[str, bytes]) -> dict[str, bytes]:
    old, new = re.compile(rf"\b{project.old}\b".encode()), project.new.encode()
    return {name: old.sub(new, data) for name, data in before.items()}


@pytest.mark.parametrize("server", PROJECTS, indirect=True)
async def test_a_rename_across_many_files_compiles_afterwards_and_can_be_undone(server: str, tmp_path: Path) -> None:
    project = PROJECTS[server]
    write(project.files, tmp_path)
    before = contents(tmp_path, project.sources)
    async with light_pool(tmp_path, server) as pool:
        given: dict[str, object] = {"symbol": f"{project.library}::{project.old}", "new_name": project.new}
        can = await ask(pool, prepare_rename, given={"symbol": given["symbol"]})
        assert can.value.placeholder == project.old
        shown = await ask(pool, rename_symbol, given)
        assert (shown.status, {site.file for site in shown.value.sites}) == (Status.CONFIRMED, set(project.sources))
        assert contents(tmp_path, project.sources) == before
        done = await ask(pool, rename_symbol, {**given, "apply": True})
        assert (done.value.applied, done.value.total, len(done.value.files)) == (
            True,
            shown.value.total,
            len(project.sources),
        )
        assert len(done.value.files) >= 50
        assert contents(tmp_path, project.sources) == renamed(project, before)
        await check_clean(pool, project.sources)
        await undo(Call(pool, asyncio.get_running_loop().time() + WAIT_S), done.value.undo_id)
        assert contents(tmp_path, project.sources) == before
        await check_clean(pool, project.sources)


@pytest.mark.parametrize("server", FIXES, indirect=True)
async def test_fixes_mend_files_and_forms_are_those_of_the_formatter(server: str, tmp_path: Path) -> None:
    """In one life of the server, whose start takes longer than all of it."""
    fix, form, command = FIXES[server], FORMS.get(server), REFACTORINGS.get(server)
    for row in filter(None, (fix, form, command)):
        write(row.files, tmp_path)
    async with light_pool(tmp_path, server) as pool:
        await a_fix_that_is_suggested_and_applied_mends_the_file(pool, fix)
        if form:
            await a_file_is_formed_as_its_formatter_does_it(pool, form)
        if command:
            await a_fix_that_is_a_command_is_carried_out_by_the_server(pool, command)


def test_every_server_with_a_form_or_a_command_has_a_fix() -> None:
    assert {*FORMS, *REFACTORINGS} <= {*FIXES}


async def a_fix_that_is_suggested_and_applied_mends_the_file(pool: Pool, row: Mendable) -> None:
    file = pool.workspace / row.file
    offered = await ask(pool, suggest_fixes, {"file_path": row.file})
    assert offered.status is Status.CONFIRMED, offered.reason
    fix = next(fix for fix in offered.value.fixes if fix.title == row.title)
    shown = await ask(pool, apply_fix, {"id": fix.id, "preview": True})
    assert (shown.status, [file.file for file in shown.value.files]) == (Status.CONFIRMED, [row.file])
    done = await ask(pool, apply_fix, {"id": fix.id})
    assert file.read_bytes().decode() == row.after
    assert done.value.applied
    await check_clean(pool, (row.file,))
    with pytest.raises(InvalidArgument, match="is kept"):
        await ask(pool, apply_fix, {"id": fix.id})


async def a_file_is_formed_as_its_formatter_does_it(pool: Pool, row: Formattable) -> None:
    file = pool.workspace / row.file
    before = file.read_bytes()
    shown = await ask(pool, format_document, {"file_path": row.file})
    assert (shown.status, [file.file for file in shown.value.files]) == (Status.CONFIRMED, [row.file])
    assert file.read_bytes() == before
    await ask(pool, format_document, {"file_path": row.file, "apply": True})
    assert file.read_bytes().decode() == row.after
    again = await ask(pool, format_document, {"file_path": row.file, "apply": True})
    assert (again.status, again.value.files) == (Status.CONFIRMED, ())


async def a_fix_that_is_a_command_is_carried_out_by_the_server(pool: Pool, row: Refactoring) -> None:
    given: dict[str, object] = {"file_path": row.file, **dict(zip(RANGE, row.where, strict=True))}
    offered = await ask(pool, suggest_fixes, {**given, "kinds": ["refactor"]})
    fix = next(fix for fix in offered.value.fixes if fix.title == row.title)
    done = await ask(pool, apply_fix, {"id": fix.id})
    assert {file.file for file in done.value.files} == set(row.after)
    assert {name: (pool.workspace / name).read_text("utf-8") for name in row.after} == row.after
    await check_clean(pool, tuple(row.after))


@pytest.mark.parametrize("server", ["ruff"], indirect=True)
async def test_imports_are_sorted_and_all_is_fixed_by_the_linter(server: str, tmp_path: Path) -> None:
    write({"ruff.toml": "", "main.py": "import sys\nimport os\n\nprint(os.sep)\n"}, tmp_path)
    async with light_pool(tmp_path, server) as pool:
        await ask(pool, organize_imports, {"file_path": "main.py"})
        assert (tmp_path / "main.py").read_text("utf-8") == "import os\nimport sys\n\nprint(os.sep)\n"
        await ask(pool, fix_all, {"file_path": "main.py"})
        assert (tmp_path / "main.py").read_text("utf-8") == "import os\n\nprint(os.sep)\n"
        await check_clean(pool, ("main.py",))

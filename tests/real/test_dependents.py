"""A changed signature in a large project: the one report of that edit names every caller, though nobody opened them."""

import asyncio
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.operations.results.edits import EditReport
from groundwire.pool.pool import Pool
from tests.real.large_project import PROJECTS, LargeProject
from tests.real.lightened import light_pool

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

WAIT_S = 120.0


def laid_out(root: Path, project: LargeProject) -> Path:
    for name, text in project.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root.resolve()


async def edit(pool: Pool, project: LargeProject, before: str, after: str) -> Answer[EditReport]:
    file = pool.workspace / project.library
    file.write_text(after, "utf-8")
    call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
    return await report_edit(call, [Edited(file, before, after)])


def broken_files(answer: Answer[EditReport]) -> set[str]:
    return {
        file.file
        for file in answer.value.files
        if any(each.severity == "error" and each.origin == "introduced" for each in file.diagnostics)
    }


def errors_in(answer: Answer[EditReport]) -> int:
    return sum(each.severity == "error" for file in answer.value.files for each in file.diagnostics)


async def test_callers_that_nobody_opened_are_named_and_gone_when_it_is_put_back(server: str, tmp_path: Path):
    project = PROJECTS.get(server)
    if project is None:
        pytest.skip(f"{server} knows no callers")
    root = laid_out(tmp_path / "project", project)
    async with light_pool(root, server) as pool:
        for _ in range(2):
            broken = await edit(pool, project, project.right, project.broken)
            assert (broken.status, broken.reason) == (Status.CONFIRMED, "")
            assert broken_files(broken) == set(project.callers)
            mended = await edit(pool, project, project.broken, project.right)
            assert (mended.status, mended.reason) == (Status.CONFIRMED, "")
            assert (broken_files(mended), mended.value.resolved) == (set(), errors_in(broken))

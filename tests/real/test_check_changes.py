"""What a change set introduced, by real servers: a committed error is an old one, and a caller that nobody touched is
named when the change breaks it.
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.operation import Call
from groundwire.operations.reporting.change_set import Wanted, read_change_set
from groundwire.operations.reporting.check_changes import check_changes
from groundwire.operations.results.change_report import ChangeReport
from groundwire.pool.pool import Pool
from tests.pool.repositories import Project
from tests.real.conftest import server_environment

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300), pytest.mark.usefixtures("load", "round_number")]

WAIT_S = 120.0


@dataclass(frozen=True)
class Sample:
    """``user`` calls what ``library`` declares; ``broken`` is the library with one parameter more."""

    config: dict[str, str]
    library: str
    text: str
    broken: str
    user: str
    call: str
    other: str
    old_error: str
    new_error: str
    """Lines of ``other``."""

    def lay_out(self, project: Project) -> None:
        files = {**self.config, self.library: self.text, self.user: self.call, self.other: self.old_error}
        for name, text in files.items():
            project.write(name, text)
        project.commit()


PYTHON = Sample(
    config={"pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n'},
    library="lib.py",
    text="def area(w: int, h: int) -> int:\n    return w * h\n",
    broken="def area(w: int, h: int, d: int) -> int:\n    return w * h * d\n",
    user="user.py",
    call="from lib import area\n\nVALUE: int = area(1, 2)\n",
    other="other.py",
    old_error='OLD: int = "🙂 old"\n',
    new_error='NEW: int = "new"\n',
)
TYPESCRIPT = Sample(
    config={
        "package.json": '{"name": "sample", "version": "1.0.0"}\n',
        "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", '
        '"target": "es2022", "lib": ["es5"], "noEmit": true, "types": []}, "include": ["src"]}\n',
    },
    library="src/lib.ts",
    text="export function area(w: number, h: number): number {\n  return w * h;\n}\n",
    broken="export function area(w: number, h: number, d: number): number {\n  return w * h * d;\n}\n",
    user="src/user.ts",
    call='import { area } from "./lib";\n\nexport const value: number = area(1, 2);\n',
    other="src/other.ts",
    old_error='export const old: number = "🙂 old";\n',
    new_error='export const fresh: number = "new";\n',
)
GO = Sample(
    config={"go.mod": "module sample\n\ngo 1.21\n"},
    library="lib/lib.go",
    text="package lib\n\n// Area is an area.\nfunc Area(w int, h int) int {\n\treturn w * h\n}\n",
    broken="package lib\n\n// Area is an area.\nfunc Area(w int, h int, d int) int {\n\treturn w * h * d\n}\n",
    user="user/user.go",
    call='package user\n\nimport "sample/lib"\n\n// Value is one.\nvar Value int = lib.Area(1, 2)\n',
    other="other/other.go",
    old_error='package other\n\n// Old is wrong.\nvar Old int = "🙂 old"\n',
    new_error='\n// New is wrong.\nvar New int = "new"\n',
)
SAMPLES = {"ty": PYTHON, "typescript-language-server": TYPESCRIPT, "gopls": GO}
GO_BY_THE_DISK = frozenset({"ty", "typescript-language-server"})
"""A file that is gone cannot be shown to these: whether what is wrong without it was so before is not known."""
every_server = pytest.mark.parametrize("server", SAMPLES, indirect=True)


def pool_of(project: Project, server: str) -> Pool:
    return Pool(project.workspace, only=frozenset({server}), environment=server_environment(server))


async def check(pool: Pool, project: Project, wanted: Wanted) -> Answer[ChangeReport]:
    change_set = read_change_set(
        pool.workspace, project.environment, wanted, wait_s=WAIT_S, largest=pool.settings.max_file_size
    )
    call = Call(pool, asyncio.get_running_loop().time() + WAIT_S)
    return await check_changes(call, change_set)


def errors(answer: Answer[ChangeReport], origin: str) -> list[str]:
    return [
        file.file
        for file in answer.value.files
        for each in file.diagnostics
        if (each.severity, each.origin) == ("error", origin)
    ]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@every_server
async def test_a_committed_error_is_old_and_a_new_one_and_a_broken_caller_are_introduced(
    server: str, project: Project
) -> None:
    sample = SAMPLES[server]
    sample.lay_out(project)
    async with pool_of(project, server) as pool:
        unchanged = await check(pool, project, Wanted("changed"))
        assert (unchanged.status, unchanged.value.files) == (Status.CONFIRMED, ())
        project.write(sample.library, sample.broken)
        project.write(sample.other, sample.old_error + sample.new_error)
        answer = await check(pool, project, Wanted("changed"))
    assert (answer.status, answer.reason) == (Status.CONFIRMED, "")
    assert errors(answer, "introduced") == [sample.other, sample.user]
    assert errors(answer, "existing") == [sample.other]


@every_server
async def test_a_deleted_library_breaks_those_who_use_it_and_a_moved_error_stays_an_old_one(
    server: str, project: Project
) -> None:
    sample = SAMPLES[server]
    sample.lay_out(project)
    (project.workspace / sample.library).unlink()
    moved = Path(sample.other).with_name(f"moved{Path(sample.other).suffix}").as_posix()
    project.git("mv", sample.other, moved)
    async with pool_of(project, server) as pool:
        answer = await check(pool, project, Wanted("base", "main"))
    sees_it = server not in GO_BY_THE_DISK
    assert answer.status is (Status.CONFIRMED if sees_it else Status.PARTIAL), answer.reason
    assert set(errors(answer, "introduced" if sees_it else "")) == {sample.user}
    assert errors(answer, "existing") == [moved]


@every_server
async def test_what_is_staged_counts_and_not_what_the_disk_has_since(server: str, project: Project) -> None:
    sample = SAMPLES[server]
    sample.lay_out(project)
    project.write(sample.library, sample.broken)
    project.git("add", sample.library)
    project.write(sample.library, sample.text)
    project.write(sample.other, sample.old_error + sample.new_error)
    async with pool_of(project, server) as pool:
        answer = await check(pool, project, Wanted("staged"))
        clean = await check(pool, project, Wanted("changed"))
    assert (answer.status, answer.reason) == (Status.CONFIRMED, "")
    assert errors(answer, "introduced") == [sample.user]
    assert errors(clean, "introduced") == [sample.other]

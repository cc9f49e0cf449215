"""Where nobody can tell who uses what was edited, and the files are few, all of them are checked instead."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.diagnose import prove_files
from groundwire.operations.operation import Call
from groundwire.operations.reporting import everything
from groundwire.operations.reporting.dependents import Dependents, Edited
from groundwire.operations.reporting.edit_report import report_edit
from groundwire.operations.reporting.indirect import Use, find_indirect
from groundwire.operations.reporting.remembered import DependentsMemory
from groundwire.operations.results.edits import EditReport
from groundwire.pool.pool import Pool
from groundwire.protocol.lsp import Position, Range
from tests.fakes.toy_servers import toy_catalog, toy_spec

pytestmark = pytest.mark.anyio

LIBRARY = "def shout(what)\n"
FILES = {
    "library.toy": LIBRARY,
    "caller.toy": "def call()\n    use shout(1)\n",
    "broken.toy": "def broken()\n    use nowhere(1)\n",
    "other.toy": "def other()\n",
}


@asynccontextmanager
async def project(tmp_path: Path) -> AsyncGenerator[Pool]:
    root = tmp_path / "project"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text, "utf-8")
    async with Pool(root, catalog=toy_catalog(toy_spec("type_checked"))) as pool:
        yield pool


async def edit(pool: Pool, name: str, text: str) -> Answer[EditReport]:
    file = pool.workspace / name
    before = file.read_text("utf-8") if file.exists() else ""
    file.write_text(text, "utf-8")
    return await report_edit(Call(pool, asyncio.get_running_loop().time() + 3.0), [Edited(file, before, text)])


async def doubted(call: Call, edits: Sequence[Edited]) -> Dependents:
    """As ``find_dependents`` where the server does not know."""
    await prove_files(call.pool, [edit.file for edit in edits], deadline=call.deadline)
    return Dependents((), "nobody knows who uses it")


@pytest.fixture
def nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.operations.reporting.edit_report.find_dependents", doubted)


@pytest.mark.usefixtures("nobody_knows")
async def test_few_files_are_all_checked_and_only_what_is_new_in_them_is_told(tmp_path: Path):
    async with project(tmp_path) as pool:
        answer = await edit(pool, "library.toy", "def shout(what, how)\n")
        assert (answer.status, answer.reason, answer.value.dependents) == (Status.CONFIRMED, "", 3)
        assert [(file.file, [each.origin for each in file.diagnostics]) for file in answer.value.files] == [
            ("library.toy", []),
            ("caller.toy", ["introduced"]),
        ]


@pytest.mark.usefixtures("nobody_knows")
async def test_of_many_files_it_is_said_that_there_may_be_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(everything, "MOST_DEPENDENTS", 2)
    async with project(tmp_path) as pool:
        answer = await edit(pool, "library.toy", "def shout(what, how)\n")
        assert (answer.status, answer.reason) == (Status.PARTIAL, "nobody knows who uses it")


@pytest.mark.usefixtures("nobody_knows")
async def test_what_was_wrong_before_a_new_file_is_not_looked_up_so_that_nobody_is_blamed(tmp_path: Path):
    async with project(tmp_path) as pool:
        answer = await edit(pool, "new.toy", "def new()\n")
        assert (answer.status, answer.value.dependents) == (Status.PARTIAL, 0)


@pytest.mark.usefixtures("nobody_knows")
async def test_those_who_were_all_checked_are_not_checked_with_the_next_edit(tmp_path: Path):
    async with project(tmp_path) as pool:
        await edit(pool, "library.toy", "def shout(anything)\n")
        library = pool.workspace / "library.toy"
        assert pool.kept.get(DependentsMemory).of([library]) == []


@pytest.mark.parametrize(("most", "is_cut"), [(0, True), (1, False)])
async def test_who_follows_names_says_whether_there_were_more_of_them(tmp_path: Path, most: int, is_cut: bool):
    async with project(tmp_path) as pool:
        place = Range(Position(0, 9), Position(0, 9))  # of a type, among the parameters
        use = Use(pool.workspace / "caller.toy", place, is_type=True)
        found = await find_indirect(Call(pool, asyncio.get_running_loop().time() + 20.0), [use], None, most)
        assert (found.is_cut, "only the uses of" in found.doubt) == (is_cut, is_cut)


@pytest.mark.usefixtures("nobody_knows")
@pytest.mark.parametrize("place", ["src/build/user.toy", "gen/user.gen.toy"], ids=["named like a tool's", "ignored"])
async def test_files_that_only_look_like_those_of_tools_are_among_all(tmp_path: Path, place: str):
    async with project(tmp_path) as pool:
        user = pool.workspace / place
        user.parent.mkdir(parents=True)
        user.write_text(FILES["caller.toy"], "utf-8")
        (pool.workspace / ".gitignore").write_text("*.gen.toy\n/dist\n", "utf-8")
        answer = await edit(pool, "library.toy", "def shout(what, how)\n")
        assert (answer.status, answer.value.dependents) == (Status.CONFIRMED, 4)
        assert place in [file.file for file in answer.value.files if file.diagnostics]


async def test_who_names_what_is_gone_is_found_in_such_files_too(tmp_path: Path):
    async with project(tmp_path) as pool:
        user = pool.workspace / "src/build/user.toy"
        user.parent.mkdir(parents=True)
        user.write_text(FILES["caller.toy"], "utf-8")
        answer = await edit(pool, "library.toy", "def whisper(what)\n")
        named = [file.file for file in answer.value.files if file.diagnostics]
        assert (answer.status, named) == (Status.CONFIRMED, ["caller.toy", "src/build/user.toy"])

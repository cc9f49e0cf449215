"""Findings of one file, of several, of those that changed and of the whole workspace: what is said is proven, or not
said.
"""

import os
import subprocess
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from groundwire.errors import FileNotFound, InvalidArgument, NotAFile
from groundwire.operations.answer import Answer, Status
from groundwire.operations.diagnostics.get_diagnostics import get_diagnostics
from groundwire.operations.results.diagnostics import DiagnosticEntry, Diagnostics
from groundwire.operations.runner import perform
from groundwire.pool.pool import Pool
from groundwire.registry.catalog import Catalog, LanguageSpec
from groundwire.registry.spec import ServerSpec
from groundwire.render.answers import render_answer
from tests.fakes.toy_servers import toy_catalog, toy_spec
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio

PETS = "class Cat\n    def purr()\n        this is wrong\n    def nap()\n        use purr()\n\nwrong at the top\n"
FILES = {"a.toy": "all is well\n", "b.toy": "one is wrong\n", "pets.toy": PETS, "notes.txt": "wrong, but text\n"}


def places(found: tuple[DiagnosticEntry, ...]) -> list[tuple[int, int]]:
    return [(each.line, each.column) for each in found]


def files_of(answer: Answer[Diagnostics]) -> list[tuple[str, Status, int]]:
    return [(file.file, file.status, len(file.diagnostics)) for file in answer.value.files]


def git(directory: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.invalid", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=directory, check=True, capture_output=True, timeout=30)


def commit(directory: Path) -> None:
    git(directory, "init")
    git(directory, "add", "--all")
    git(directory, "commit", "-m", "x")


async def test_the_findings_of_a_file_come_with_their_places(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, get_diagnostics, file_path="pets.toy")
    assert (answer.status, answer.reason, answer.servers) == (Status.CONFIRMED, "", ("well_read",))
    (file,) = answer.value.files
    assert (file.file, file.status, file.reason) == ("pets.toy", Status.CONFIRMED, "")
    assert file.diagnostics[0].severity == "error"
    assert (answer.value.total, answer.value.counts, answer.value.broken) == (2, {"error": 2}, 1)
    assert places(file.diagnostics) == [(3, 17), (7, 1)]


async def test_what_was_broken_and_is_mended_is_confirmed_clean(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        assert (await ask(pool, get_diagnostics, file_path="b.toy")).value.total == 1
        (pool.workspace / "b.toy").write_text("one is right\n", "utf-8")
        answer = await ask(pool, get_diagnostics, file_path="b.toy")
        assert (answer.status, answer.value.clean, answer.value.total) == (Status.CONFIRMED, 1, 0)
        assert render_answer(get_diagnostics, answer) == "b.toy: no findings (confirmed by well_read)"


async def test_of_a_directory_all_that_is_in_it_is_checked_and_what_is_clean_only_counted(tmp_path: Path) -> None:
    files = {"in/a.toy": "all is well\n", "in/deep/b.toy": "one is wrong\n", "in/c.txt": "", "out.toy": "wrong\n"}
    async with zoo(tmp_path, files=files) as pool:
        answer = await ask(pool, get_diagnostics, file_path="in")
        assert (answer.status, answer.value.scope, answer.value.clean) == (Status.CONFIRMED, "directory", 1)
        assert files_of(answer) == [("in/deep/b.toy", Status.CONFIRMED, 1)]
        both = await ask(pool, get_diagnostics, file_paths=["in", "out.toy", "in/deep/b.toy"])
        assert [file for file, _, _ in files_of(both)] == ["in/deep/b.toy", "out.toy"]
        with pytest.raises(FileNotFound):
            await ask(pool, get_diagnostics, file_paths=["in", "gone.toy"])
        with pytest.raises(NotAFile, match="outside the workspace"):
            await ask(pool, get_diagnostics, file_path=str(tmp_path))


async def test_several_files_are_listed_with_the_broken_ones_first(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, get_diagnostics, file_path="a.toy", file_paths=["b.toy", "a.toy"])
    assert files_of(answer) == [("b.toy", Status.CONFIRMED, 1), ("a.toy", Status.CONFIRMED, 0)]
    assert (answer.value.checked, answer.value.candidates, answer.value.clean) == (2, 2, 1)


async def test_a_file_that_no_server_serves_is_unsupported_and_never_clean(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        alone = await ask(pool, get_diagnostics, file_path="notes.txt")
        assert (alone.status, alone.value.clean, alone.value.checked) == (Status.UNSUPPORTED, 0, 0)
        assert render_answer(get_diagnostics, alone).startswith("notes.txt: not known: no language server is known")
        both = await ask(pool, get_diagnostics, file_paths=["a.toy", "notes.txt"])
    assert (both.status, both.value.clean, both.value.checked) == (Status.UNSUPPORTED, 1, 1)
    text = render_answer(get_diagnostics, both)
    assert text.startswith("Checked 1 of 2 files: no findings in 1 file; not all is known: no language server is known")
    assert text.endswith("\nnotes.txt: not known")


async def test_a_page_goes_on_where_the_one_before_it_ended(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        first = await ask(pool, get_diagnostics, scope="workspace", limit=2)
        second = await ask(pool, get_diagnostics, scope="workspace", limit=2, offset=2)
        beyond = await ask(pool, get_diagnostics, scope="workspace", offset=9)
    assert files_of(first) == [("b.toy", Status.CONFIRMED, 1), ("pets.toy", Status.CONFIRMED, 1)]
    assert files_of(second) == [("pets.toy", Status.CONFIRMED, 1)]
    assert {answer.value.total for answer in (first, second, beyond)} == {3}
    assert render_answer(get_diagnostics, first).endswith("</diagnostics>\n+1 more results (offset 2)")
    assert render_answer(get_diagnostics, beyond).endswith("Nothing from offset 9 on.")


async def test_a_clean_workspace_is_said_only_when_every_file_was_confirmed(tmp_path: Path) -> None:
    async with zoo(
        tmp_path, files={"a.toy": "well\n", "deep/b.toy": "well\n", "node_modules/c.toy": "wrong\n"}
    ) as pool:
        answer = await ask(pool, get_diagnostics, scope="workspace")
        assert (answer.status, answer.value.files, answer.value.clean) == (Status.CONFIRMED, (), 2)
        text = render_answer(get_diagnostics, answer)
        assert text == "Checked 2 files: no findings in any of them (confirmed by well_read)"


async def test_a_code_file_whose_server_cannot_be_had_makes_the_workspace_partial(tmp_path: Path) -> None:
    missing = msgspec.structs.replace(toy_spec("never_answers"), languages=("lost",), command=("no-such-server",))
    async with two_languages(tmp_path, {"a.toy": "well\n", "b.lost": "x\n"}, missing) as pool:
        answer = await ask(pool, get_diagnostics, scope="workspace")
    assert (answer.status, answer.value.clean, answer.value.candidates) == (Status.PARTIAL, 1, 2)
    assert [(each.language, each.files) for each in answer.value.unchecked] == [("lost", 1)]
    assert "Not checked: 1 lost file" in render_answer(get_diagnostics, answer)


async def test_what_the_deadline_cuts_is_partial_and_counted(tmp_path: Path) -> None:
    stuck = msgspec.structs.replace(toy_spec("hang_at_start"), languages=("lost",))
    files = {f"{number:02}.toy": "well\n" for number in range(64)} | {f"z{number}.lost": "x\n" for number in range(3)}
    async with two_languages(tmp_path, files, stuck) as pool:
        await ask(pool, get_diagnostics, file_path="00.toy")  # so that starting takes none of the time
        arguments = get_diagnostics.parse({"scope": "workspace"})
        answer = await perform(pool, get_diagnostics, arguments, wait_s=3.0)
    assert answer.status is Status.PARTIAL
    assert answer.value.candidates == 67
    assert answer.value.checked <= 64
    assert answer.value.clean == answer.value.checked
    assert "not all is known" in render_answer(get_diagnostics, answer)


@asynccontextmanager
async def two_languages(tmp_path: Path, files: Mapping[str, str], other: ServerSpec) -> AsyncGenerator[Pool]:
    """A pool for ``*.toy``, and for ``*.lost`` with another server."""
    root = tmp_path / "project"
    root.mkdir()
    for name, text in files.items():
        (root / name).write_text(text, "utf-8")
    quick = toy_spec("well_read")
    lost = LanguageSpec(extensions=(".lost",), servers=("other",))
    servers = {quick.id: quick, "other": msgspec.structs.replace(other, id="other")}
    async with Pool(root, catalog=Catalog({**toy_catalog(quick).languages, "lost": lost}, servers)) as pool:
        yield pool


async def test_changed_files_are_those_that_differ_from_the_last_commit(tmp_path: Path) -> None:
    files = {f"{name}.toy": "all is well\n" for name in ("same", "edited", "gone", "moved")}
    async with zoo(tmp_path, files=files) as pool:
        root = pool.workspace
        commit(root)
        clean = await ask(pool, get_diagnostics, scope="changed")
        assert (clean.status, clean.value.candidates) == (Status.CONFIRMED, 0)
        assert render_answer(get_diagnostics, clean) == "No file has changed since the last commit"
        (root / "edited.toy").write_text("this is wrong\n", "utf-8")
        (root / "new.toy").write_text("this is wrong too\n", "utf-8")
        (root / "notes.md").write_text("wrong\n", "utf-8")
        (root / "gone.toy").unlink()
        git(root, "mv", "moved.toy", "renamed.toy")
        answer = await ask(pool, get_diagnostics, scope="changed")
        by_default = await ask(pool, get_diagnostics)
    assert [file for file, _, _ in files_of(answer)] == ["edited.toy", "new.toy", "renamed.toy"]
    assert (answer.status, answer.value.broken, answer.value.clean) == (Status.CONFIRMED, 2, 1)
    assert [(each.language, each.files) for each in answer.value.unchecked] == [("other", 1)]
    assert "2 deleted files" in answer.note
    assert by_default.value == answer.value


async def test_without_git_the_open_files_are_meant_and_nothing_open_is_typed(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        with pytest.raises(InvalidArgument, match="no git repository") as raised:
            await ask(pool, get_diagnostics, scope="changed")
        assert "scope=workspace" in raised.value.hint
        with pytest.raises(InvalidArgument, match="none is open"):
            await ask(pool, get_diagnostics)
        assert (await ask(pool, get_diagnostics, scope="open")).status is Status.UNKNOWN
        await ask(pool, get_diagnostics, file_path="b.toy")
        answer = await ask(pool, get_diagnostics)
        assert (answer.value.scope, files_of(answer)) == ("open", [("b.toy", Status.CONFIRMED, 1)])


async def test_findings_are_grouped_by_the_innermost_symbol(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        answer = await ask(pool, get_diagnostics, file_path="pets.toy", group_by="symbol")
    found = answer.value
    assert (answer.status, found.file, found.files) == (Status.CONFIRMED, "pets.toy", ())
    assert found.symbols is not None
    assert [(each.name, each.kind, each.line) for each in found.symbols] == [("Cat.purr", "method", 2)]
    assert places(found.symbols[0].diagnostics) == [(3, 17)]
    assert places(found.ungrouped or ()) == [(7, 1)]


async def test_without_symbols_the_findings_are_told_all_the_same(tmp_path: Path) -> None:
    async with zoo(tmp_path, "lacks=textDocument/documentSymbol", files=FILES) as pool:
        answer = await ask(pool, get_diagnostics, file_path="pets.toy", group_by="symbol")
    assert (answer.status, answer.value.symbols) == (Status.CONFIRMED, ())
    assert places(answer.value.ungrouped or ()) == [(3, 17), (7, 1)]
    assert answer.note.startswith("not grouped by symbol: ")


@pytest.mark.parametrize(
    "given",
    [
        {"scope": "file"},
        {"file_path": "a.toy", "scope": "workspace"},
        {"file_paths": ["a.toy", "b.toy"], "group_by": "symbol"},
        {"scope": "workspace", "group_by": "symbol"},
        {"file_path": "a.toy", "severity": "fatal"},
        {"file_path": "a.toy", "scope": "everything"},
    ],
)
async def test_arguments_that_contradict_one_another_are_refused(tmp_path: Path, given: dict[str, object]) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        with pytest.raises(InvalidArgument) as raised:
            await ask(pool, get_diagnostics, **given)
        assert raised.value.hint


async def test_a_named_file_that_is_not_there_is_typed(tmp_path: Path) -> None:
    async with zoo(tmp_path, files=FILES) as pool:
        with pytest.raises(FileNotFound):
            await ask(pool, get_diagnostics, file_paths=["a.toy", "nowhere.toy"])
        os.mkfifo(pool.workspace / "pipe.toy")
        with pytest.raises(NotAFile):
            await ask(pool, get_diagnostics, file_path="pipe.toy")
        with pytest.raises(FileNotFound):
            await ask(pool, get_diagnostics, file_path="nowhere.toy", group_by="symbol")

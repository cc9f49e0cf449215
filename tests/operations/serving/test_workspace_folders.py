"""More than one folder is worked in: each is served, watched and trusted by itself, and what may be missed is said."""

import shutil
from pathlib import Path

import pytest

from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.operations.answer import Answer, Status
from groundwire.operations.navigation.navigate import find_references
from groundwire.operations.navigation.search import find_symbol
from groundwire.operations.navigation.symbols import get_symbol_source, list_symbols
from groundwire.operations.results.workspace import AddedFolder, WorkspaceFolder
from groundwire.operations.serving.opened import open_document
from groundwire.operations.serving.starting import start_lsp
from groundwire.operations.serving.workspace_folders import (
    add_workspace_folder,
    list_workspace_folders,
    remove_workspace_folder,
)
from groundwire.pool.pool import Pool
from groundwire.render.workspace import added_page, removed_page
from tests.fakes.toy_servers import ToyLog, is_running, toy_catalog, toy_spec
from tests.operations.toy_project import ask, zoo
from tests.pool.test_joining import findings, many_roots, noted

pytestmark = pytest.mark.anyio


@pytest.fixture
def library(tmp_path: Path) -> Path:
    (tmp_path / "library").mkdir()
    (tmp_path / "library/tools.toy").write_text("def hammer(nail)\n    use shout(nail)\n")
    return tmp_path / "library"


def paths(folders: tuple[WorkspaceFolder, ...]) -> list[str]:
    return [folder.path for folder in folders]


def names(answer: Answer[AddedFolder]) -> list[tuple[str, str]]:
    return [(each.server, each.state) for each in answer.value.servers]


async def test_a_folder_is_listed_with_its_address_and_served_by_a_server_rooted_there(
    tmp_path: Path, library: Path
) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, add_workspace_folder, path="../library")
        assert (answer.status, answer.value.added) == (Status.CONFIRMED, str(library))
        assert names(answer) == [("well_read", "separate")]
        listed = (await ask(pool, list_workspace_folders)).value.workspace_folders
        assert [(each.uri, each.name, each.path) for each in listed] == [
            (pool.workspace.as_uri(), "project", "."),
            (library.as_uri(), "library", str(library)),
        ]
        symbols = await ask(pool, list_symbols, file_path=str(library / "tools.toy"))
        assert (symbols.status, symbols.value.symbols[0].path) == (Status.CONFIRMED, "hammer")
        assert [instance.chosen.root for instance in pool.instances()] == [library]
        started = await ask(pool, start_lsp, root_dir=str(library))
        assert [each.root for each in started.value.servers] == [str(library)]


async def test_changes_in_an_added_folder_are_noticed_and_no_longer_once_it_is_removed(
    tmp_path: Path, library: Path
) -> None:
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, log=log) as pool:
        await ask(pool, list_symbols, file_path="lonely.toy")
        await ask(pool, add_workspace_folder, path=str(library))
        await ask(pool, list_symbols, file_path=str(library / "tools.toy"))
        (library / "more.toy").write_text("def use_it()\n    use hammer(nail)\n")
        answer = await ask(pool, find_references, file_path=str(library / "tools.toy"), symbol="hammer")
        assert [place.file for place in answer.value.locations] == [str(library / "more.toy")]
        before = log.count("workspace/didChangeWatchedFiles")
        assert before > 0
        await ask(pool, remove_workspace_folder, path=str(library))
        (library / "another.toy").write_text("def other()\n")
        await ask(pool, list_symbols, file_path="lonely.toy")
        assert log.count("workspace/didChangeWatchedFiles") == before


async def test_uses_are_not_called_all_while_another_folder_is_written_in_the_same_language(
    tmp_path: Path, library: Path
) -> None:
    async with zoo(tmp_path) as pool:
        given = {"file_path": "voices.toy", "symbol": "shout"}
        assert (await ask(pool, find_references, **given)).status is Status.CONFIRMED
        await ask(pool, add_workspace_folder, path=str(library))
        answer = await ask(pool, find_references, **given)
        assert (answer.status, answer.value.total) == (Status.PARTIAL, 3)
        assert "other folders" in answer.reason
        await ask(pool, remove_workspace_folder, path=str(library))
        assert (await ask(pool, find_references, **given)).status is Status.CONFIRMED


async def test_a_folder_in_other_languages_takes_nothing_away_until_such_a_file_is_there(
    tmp_path: Path, library: Path
) -> None:
    (library / "tools.toy").unlink()
    (library / "notes.txt").write_text("nothing\n")
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, add_workspace_folder, path=str(library))
        assert answer.value.servers == ()
        given = {"file_path": "voices.toy", "symbol": "shout"}
        assert (await ask(pool, find_references, **given)).status is Status.CONFIRMED
        (library / "late.toy").write_text("use shout(x)\n")
        assert (await ask(pool, find_references, **given)).status is Status.PARTIAL


async def test_a_server_that_shares_roots_is_told_of_the_folder_at_once_and_of_its_end(
    tmp_path: Path, library: Path
) -> None:
    log = ToyLog(tmp_path / "log")
    for folder in (tmp_path / "all", library):
        folder.mkdir(exist_ok=True)
        (folder / "toy.project").touch()
        (folder / "a.toy").write_text("all\nlibrary\n")
    async with Pool(tmp_path / "all", catalog=toy_catalog(many_roots(log))) as pool:
        assert await findings(pool, "a.toy") == [["all"]]
        answer = await ask(pool, add_workspace_folder, path=str(library))
        assert names(answer) == [("many_roots", "joined")]
        assert noted(log, "loaded") == ["all", "library"]
        assert await findings(pool, str(library / "a.toy")) == [["library"]]
        assert len(log.pids()) == 1
        await ask(pool, remove_workspace_folder, path=str(library))
        assert await findings(pool, "a.toy") == [["all"]]
        assert noted(log, "removed") == ["library"]
        assert [status.root for status in pool.status()] == [str(pool.workspace)]


async def test_removing_a_folder_ends_the_servers_that_run_there_and_closes_what_was_kept_open(
    tmp_path: Path, library: Path
) -> None:
    log = ToyLog(tmp_path / "log")
    async with zoo(tmp_path, log=log) as pool:
        await ask(pool, add_workspace_folder, path=str(library))
        await ask(pool, open_document, file_path=str(library / "tools.toy"))
        (pid,) = log.pids()
        answer = await ask(pool, remove_workspace_folder, path=str(library))
        assert answer.value.removed == str(library)
        assert paths(answer.value.workspace_folders) == ["."]
        assert (is_running(pid), list(pool.pinned), pool.status()) == (False, [], ())
        assert removed_page(answer).head == f"{library} is not worked in any more (confirmed)"


async def test_a_folder_that_is_there_already_is_not_added_again(tmp_path: Path, library: Path) -> None:
    (tmp_path / "link").symlink_to(library)
    async with zoo(tmp_path, files={"deep/a.toy": "def a()\n"}) as pool:
        first = await ask(pool, add_workspace_folder, path=str(tmp_path / "link"))
        assert first.value.added == str(library)
        (library / "inner").mkdir()
        for path, known in (
            ("deep", "."),
            (".", "."),
            (str(library), str(library)),
            (f"{library}/inner", str(library)),
        ):
            answer = await ask(pool, add_workspace_folder, path=path)
            assert (answer.value.added, answer.value.path) == ("", known)
            assert added_page(answer).head == f"Nothing to add: {known} is worked in already (confirmed)"
            assert paths(answer.value.workspace_folders) == [".", str(library)]
        removed = await ask(pool, remove_workspace_folder, path=str(tmp_path / "link"))
        assert removed.value.removed == str(library)


async def test_a_folder_that_is_gone_can_be_removed_and_does_no_harm_before(tmp_path: Path, library: Path) -> None:
    async with zoo(tmp_path) as pool:
        await ask(pool, add_workspace_folder, path=str(library))
        shutil.rmtree(library)
        assert (await ask(pool, list_symbols, file_path="lonely.toy")).status is Status.CONFIRMED
        assert (await ask(pool, remove_workspace_folder, path=str(library))).value.removed == str(library)


async def test_one_that_is_no_folder_of_the_workspace_is_said_and_the_workspace_itself_stays(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        answer = await ask(pool, remove_workspace_folder, path="../elsewhere")
        assert (answer.status, answer.value.removed) == (Status.CONFIRMED, "")
        with pytest.raises(InvalidArgument, match="the workspace itself"):
            await ask(pool, remove_workspace_folder, path=".")


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("..", InvalidArgument),
        ("/", InvalidArgument),
        ("~", FileNotFound),
        ("../nowhere", FileNotFound),
        ("lonely.toy", FileNotFound),
        ("a\0b", FileNotFound),
        ("x" * 5000, FileNotFound),
        ("", InvalidArgument),
    ],
)
async def test_what_cannot_be_a_folder_is_a_typed_error(tmp_path: Path, path: str, error: type[Exception]) -> None:
    async with zoo(tmp_path) as pool:
        with pytest.raises(error):
            await ask(pool, add_workspace_folder, path=path)
        assert list(pool.folders) == [pool.workspace]


async def test_the_home_directory_is_too_wide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    async with zoo(tmp_path) as pool:
        with pytest.raises(InvalidArgument, match="too wide"):
            await ask(pool, add_workspace_folder, path=str(home))


async def test_a_language_that_nobody_serves_there_is_told(tmp_path: Path, library: Path) -> None:
    missing = toy_spec("well_read", command=("no-such-program-anywhere",))
    (tmp_path / "project").mkdir()
    async with Pool(tmp_path / "project", catalog=toy_catalog(missing)) as pool:
        answer = await ask(pool, add_workspace_folder, path=str(library))
        assert names(answer) == [("", "failed")]
        assert "well_read is not installed" in answer.value.servers[0].reason


async def test_a_symbol_of_an_added_folder_is_found_by_its_name(tmp_path: Path, library: Path) -> None:
    async with zoo(tmp_path) as pool:
        await ask(pool, add_workspace_folder, path=str(library))
        answer = await ask(pool, find_symbol, query="hammer")
        assert [(each.file, each.path) for each in answer.value.symbols] == [(str(library / "tools.toy"), "hammer")]
        source = await ask(pool, get_symbol_source, symbol="hammer")
        assert source.value.symbol == "hammer"

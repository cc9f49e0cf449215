"""What servers read out of the workspace: which of it is watched, and that it is told of."""

import math
import os
from pathlib import Path

import pytest

from groundwire.pool.elsewhere import SingleFiles, changed_since, holds_sources, is_alone
from groundwire.pool.watching import Watching
from groundwire.protocol.globs import Glob
from groundwire.workspace.changes import ChangeKind, FileChange
from groundwire.workspace.rules import SettleRule
from tests.fakes.toy_servers import WELL_BEHAVED, toy_spec
from tests.pool.test_pool import instance, ready, toy_pool
from tests.real.test_unnoticed import errors

OLD = 1_000_000_000
NAMES_LATE = SettleRule(measured=True, scope="file", names_places_late=True)


def make(directory: Path, *names: str) -> None:
    for name in names:
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text("old\n")
        os.utime(directory / name, (OLD, OLD))


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.parametrize(
    ("directory", "expected"),
    [
        pytest.param("lib", True, id="beside the workspace"),
        pytest.param("project/sub", False, id="in the workspace"),
        pytest.param("", False, id="round the workspace"),
        pytest.param("lib/node_modules/x", False, id="packages"),
        pytest.param(".cache/x", False, id="of a tool"),
        pytest.param("python/lib/python3.12", False, id="of Python itself"),
        pytest.param("missing", False, id="not there"),
    ],
)
def test_only_sources_that_nobody_watches_are_worth_it(tmp_path: Path, directory: str, expected: bool) -> None:
    make(tmp_path, "lib/a.py", "project/sub/a.py", "lib/node_modules/x/a.js", ".cache/x/a.py")
    make(tmp_path, "python/lib/python3.12/os.py")
    where = str(tmp_path / directory) if directory else str(tmp_path)
    folders = [str(tmp_path / "project")]
    assert holds_sources(where, folders, folders) is expected


@pytest.mark.parametrize("directory", ["/", "/usr/lib/python3/dist-packages", "/usr/include"])
def test_what_belongs_to_the_system_is_not(directory: str) -> None:
    assert not holds_sources(directory, ["/home/me/project"], ["/home/me/project"])


def test_what_holds_something_that_is_watched_already_may_hold_more(tmp_path: Path) -> None:
    make(tmp_path, "project/a.py", "lib/src/a.py")
    folders = [str(tmp_path / "project")]
    assert holds_sources(str(tmp_path / "lib"), [*folders, str(tmp_path / "lib/src")], folders)


@pytest.mark.anyio
@pytest.mark.parametrize("limit", ["elsewhere.MOST_DIRECTORIES", "watching._MOST_ELSEWHERE"])
async def test_what_is_too_much_to_be_watched_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    make(tmp_path, "project/a.py", "lib/a/x.py", "lib2/a/x.py")
    watching = Watching(tmp_path / "project", lambda: None)
    monkeypatch.setattr(f"groundwire.pool.{limit}", 1)
    watching.reach_out([str(tmp_path / "lib"), str(tmp_path / "lib2")], [], since=OLD + 50)
    assert "lib2" in watching.note or "lib and 1 more" in watching.note
    assert "are not noticed" in watching.note
    watching.end()


def test_a_file_further_up_is_looked_at_alone() -> None:
    watched = ["/home/me/repo/app"]
    assert is_alone("/home/me/repo/tsconfig.base.json", watched)
    assert not is_alone("/home/me/repo/app/tsconfig.json", watched)
    assert not is_alone("/home/me/lib/index.ts", watched)


def test_single_files_are_told_of_when_they_come_change_and_go(tmp_path: Path) -> None:
    make(tmp_path, "a.json")
    files, a, b = SingleFiles(), str(tmp_path / "a.json"), str(tmp_path / "b.json")
    files.add([a, b], since=OLD + 50)
    assert not files.have_changed()
    assert files.changes() == []
    (tmp_path / "a.json").write_text("new and longer\n")
    make(tmp_path, "b.json")
    assert files.have_changed()
    assert files.changes() == [FileChange(a, ChangeKind.CHANGED), FileChange(b, ChangeKind.CREATED)]
    (tmp_path / "b.json").unlink()
    assert FileChange(b, ChangeKind.DELETED) in files.changes()


def test_a_file_that_is_written_again_at_once_is_told_of_again_and_one_that_is_not_is_not(tmp_path: Path) -> None:
    make(tmp_path, "a.json")
    files, told = SingleFiles(), [FileChange(str(tmp_path / "a.json"), ChangeKind.CHANGED)]
    files.add([str(tmp_path / "a.json")], since=OLD + 50)
    for text in ("one\n", "two\n"):
        (tmp_path / "a.json").write_text(text)
        assert files.changes() == told


def test_a_file_that_was_written_after_the_server_began_is_told_of(tmp_path: Path) -> None:
    make(tmp_path, "a.json")
    files = SingleFiles()
    files.add([str(tmp_path / "a.json")], since=OLD)
    assert files.changes() == [FileChange(str(tmp_path / "a.json"), ChangeKind.CHANGED)]


def test_what_was_written_since_a_moment_is_found(tmp_path: Path) -> None:
    make(tmp_path, "lib/old.py", "lib/sub/new.py")
    os.utime(tmp_path / "lib/sub/new.py", (OLD + 100, OLD + 100))
    assert changed_since(str(tmp_path / "lib"), OLD + 50) == [
        FileChange(str(tmp_path / "lib/sub/new.py"), ChangeKind.CHANGED)
    ]


@pytest.mark.anyio
async def test_a_change_out_of_the_workspace_is_told_to_who_asked_for_it_and_to_nobody_else(tmp_path: Path) -> None:
    make(tmp_path, "lib/a.toy", "other/a.toy")
    async with toy_pool(tmp_path, toy_spec(WELL_BEHAVED)) as (pool, _):
        session = await ready(pool)
        session.state.watched.register("lib", [(Glob("**/*", str(tmp_path / "lib")), 7)])
        pool.refresh()
        clock = session.state.documents.clock
        make(tmp_path, "other/b.toy")
        pool.refresh()
        assert session.state.documents.clock == clock
        seen: list[FileChange] = []
        pool.seen.append(seen.extend)
        make(tmp_path, "lib/b.toy")
        assert pool.has_news_beside([])
        pool.refresh()
        assert session.state.documents.clock > clock
        assert seen == []  # it is no change of the workspace


@pytest.mark.anyio
async def test_a_server_that_says_by_and_by_what_it_reads_is_heard_out_before_it_is_asked_again(tmp_path: Path) -> None:
    make(tmp_path, "word.txt")
    async with toy_pool(tmp_path, toy_spec("names_places_by_and_by", settle=NAMES_LATE)) as (pool, _):
        (pool.workspace / "a.toy").write_text("new\nold\n")
        assert await errors(pool, "a.toy") == [2]
        (tmp_path / "word.txt").write_text("new\n")
        assert await errors(pool, "a.toy") == [1]


@pytest.mark.anyio
@pytest.mark.parametrize("never", ["begins", "ends"])
async def test_a_server_that_never_begins_or_ends_to_say_what_it_reads_is_asked_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, never: str
) -> None:
    monkeypatch.setattr("groundwire.client.naming._LONGEST_S", 0.01)
    async with toy_pool(tmp_path, toy_spec(WELL_BEHAVED, settle=NAMES_LATE)) as (pool, _):
        assert await errors(pool, "a.toy") == []
        (await ready(pool)).state.named_places_at = None if never == "begins" else math.inf
        assert not instance(pool).may_be_asked
        assert await errors(pool, "a.toy") == []
        assert instance(pool).may_be_asked is (never == "begins")  # who has been given up is not waited for again


@pytest.mark.anyio
async def test_what_a_shown_file_names_out_of_the_workspace_is_noticed_before_a_late_server_says_so(
    tmp_path: Path,
) -> None:
    make(tmp_path, "lib/x.toy", "up.toy")
    async with toy_pool(tmp_path, toy_spec(WELL_BEHAVED, settle=NAMES_LATE)) as (pool, _):
        (pool.workspace / "a.toy").write_text("import '../lib/x'\nimport '../up'\n")
        assert await errors(pool, "a.toy") == []
        state = (await ready(pool)).state
        for file in (tmp_path / "lib/x.toy", tmp_path / "up.toy"):
            clock = state.documents.clock
            file.write_text("new\n")
            assert pool.has_news_beside([])
            pool.refresh()
            assert state.documents.clock > clock


@pytest.mark.anyio
async def test_all_that_was_watched_is_let_go(tmp_path: Path) -> None:
    make(tmp_path, "project/a.toy", "lib/a.toy")
    before = open_files()
    watching = Watching(tmp_path / "project", lambda: None)
    watching.reach_out([str(tmp_path / "lib")], [], since=OLD + 50)
    assert open_files() == before + 2
    watching.end()
    assert open_files() == before

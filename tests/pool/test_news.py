"""Whether there is news beside some files: a cheap question that never misses any, and loses none."""

import asyncio
import sys
from pathlib import Path

import pytest

from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.pool.pool import Pool
from groundwire.pool.watching import Watching
from groundwire.protocol.globs import compile_glob
from groundwire.protocol.lsp import FileSystemWatcher
from groundwire.workspace.changes import ChangeKind
from tests.fakes.toy_servers import WELL_BEHAVED, toy_catalog, toy_spec
from tests.fakes.watched import Watched, write

pytestmark = pytest.mark.anyio

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


def test_a_change_of_another_file_is_news(watched: Watched):
    watched.lay_out("a.py", "d/b.py")
    write(watched.root / "a.py", "longer than before")
    write(watched.root / "d" / "b.py", "longer than before")
    assert watched.watcher.has_news_beside({str(watched.root / "a.py")})
    assert watched.changes() == {"a.py": ChangeKind.CHANGED, "d/b.py": ChangeKind.CHANGED}


def test_a_new_file_with_the_name_of_a_known_one_elsewhere_is_news(watched: Watched):
    watched.lay_out("a.py", "d/b.py")
    write(watched.root / "d" / "a.py", "text")
    assert watched.watcher.has_news_beside({str(watched.root / "a.py")})


def test_a_change_of_a_named_file_is_reported_all_the_same(watched: Watched):
    watched.lay_out("a.py")
    write(watched.root / "a.py", "longer than before")
    watched.watcher.has_news_beside({str(watched.root / "a.py")})
    assert watched.changes() == {"a.py": ChangeKind.CHANGED}


@needs_linux
async def test_the_kernel_tells_that_nothing_but_the_named_files_has_changed(tmp_path: Path):
    (tmp_path / "a.py").write_text("text")
    watching = Watching(tmp_path, lambda: None)
    watching.begin()
    (tmp_path / "a.py").write_text("longer than before")
    try:
        assert not watching.has_news_beside({str(tmp_path / "a.py")})
        assert watching.has_news_beside(set())
    finally:
        watching.end()


async def test_what_a_question_has_seen_and_left_is_passed_on_soon(tmp_path: Path):
    (tmp_path / "a.py").write_text("text")
    is_told = asyncio.Event()
    watching = Watching(tmp_path, is_told.set)
    watching.begin()
    (tmp_path / "a.py").write_text("longer than before")
    try:
        watching.has_news_beside({str(tmp_path / "a.py")})
        await asyncio.wait_for(is_told.wait(), 10)
        assert [change.kind for change in watching.changes()] == [ChangeKind.CHANGED]
    finally:
        watching.end()


@needs_linux
async def test_a_change_that_no_server_asked_to_hear_of_is_news_only_once_one_does(tmp_path: Path):
    asked, other = tmp_path / "a.toy", tmp_path / "b.txt"
    asked.write_text("name\n")
    other.write_text("name\n")
    async with Pool(tmp_path, catalog=toy_catalog(toy_spec(WELL_BEHAVED))) as pool:
        await check_files(pool, [asked])
        other.write_text("longer than before\n")
        pool.refresh()
        assert not pool.has_news_beside({str(asked)})
        glob = compile_glob(FileSystemWatcher(glob_pattern="**/*.txt"), [str(tmp_path)])
        pool.instances()[0].session.state.watched.register("late", [(glob, 7)])
        assert pool.has_news_beside({str(asked)})
        pool.refresh()
        assert not pool.has_news_beside({str(asked)})

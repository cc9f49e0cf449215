"""What every watcher promises, on the real file system, whichever way it finds out."""

import errno
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.fakes.watch_queues import LimitedQueue

from groundwire.errors import FileNotFound
from groundwire.pool.inotify import InotifyWatcher
from groundwire.pool.inotify_queue import EventQueue, KernelQueue
from groundwire.pool.mounts import Mount
from groundwire.pool.scan import ScanWatcher
from groundwire.pool.watcher import DEFAULT_SKIP, Watcher, open_watcher
from groundwire.workspace.changes import ChangeKind

CREATED, CHANGED, DELETED = ChangeKind.CREATED, ChangeKind.CHANGED, ChangeKind.DELETED

Opener = Callable[[Path], Watcher]


def an_hour_ahead() -> int:
    """A clock by which no file is so fresh that it has to be reported twice."""
    return time.time_ns() + 3_600_000_000_000


def by_inotify(root: Path) -> Watcher:
    return InotifyWatcher(str(root), DEFAULT_SKIP, KernelQueue(), clock=an_hour_ahead)


def by_scan(root: Path) -> Watcher:
    return ScanWatcher(str(root), DEFAULT_SKIP, clock=an_hour_ahead)


def out_of_watches(root: Path) -> Watcher:
    return InotifyWatcher(str(root), DEFAULT_SKIP, LimitedQueue(0), clock=an_hour_ahead)


class Watched:
    """A root with a watcher on it, opened when the test has laid out its files."""

    def __init__(self, root: Path, opener: Opener) -> None:
        self.root = root
        self._opener = opener
        self._watcher: Watcher | None = None

    @property
    def watcher(self) -> Watcher:
        self._watcher = self._watcher or self._opener(self.root)
        return self._watcher

    def lay_out(self, *files: str) -> None:
        for file in files:
            write(self.root / file, "before")
        assert self.watcher.drain() == []

    def changes(self) -> dict[str, ChangeKind]:
        found = self.watcher.drain()
        assert len({change.path for change in found}) == len(found)
        return {change.path.removeprefix(f"{self.root}/"): change.kind for change in found}

    def close(self) -> None:
        if self._watcher is not None:
            self._watcher.close()


def write(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


@pytest.fixture(
    params=[pytest.param(by_inotify, marks=needs_linux), by_scan, pytest.param(out_of_watches, marks=needs_linux)]
)
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    root = tmp_path / "root"
    root.mkdir()
    held = Watched(root, request.param)
    yield held
    held.close()


def test_what_was_there_before_is_not_reported(watched: Watched) -> None:
    write(watched.root / "a.py", "before")
    assert watched.changes() == {}


def test_a_new_file_is_reported_created(watched: Watched) -> None:
    watched.lay_out("a.py")
    write(watched.root / "b.py", "text")
    assert watched.changes() == {"b.py": CREATED}


def test_a_second_drain_finds_nothing(watched: Watched) -> None:
    watched.lay_out("d/a.py", "gone/b.py")
    write(watched.root / "d" / "a.py", "longer than before")
    write(watched.root / "e" / "f" / "new.py", "text")
    shutil.rmtree(watched.root / "gone")
    assert watched.changes() == {"d/a.py": CHANGED, "e/f/new.py": CREATED, "gone/b.py": DELETED}
    assert watched.changes() == {}


def test_a_modified_file_is_reported_changed(watched: Watched) -> None:
    watched.lay_out("d/a.py")
    write(watched.root / "d" / "a.py", "longer than before")
    assert watched.changes() == {"d/a.py": CHANGED}


def test_a_write_that_has_returned_is_seen_while_the_file_is_still_open(watched: Watched) -> None:
    watched.lay_out("a.py")
    with (watched.root / "a.py").open("ab", buffering=0) as file:
        file.write(b"more")
        assert watched.changes() == {"a.py": CHANGED}


def test_a_deleted_file_is_reported_deleted(watched: Watched) -> None:
    watched.lay_out("d/a.py", "d/b.py")
    (watched.root / "d" / "a.py").unlink()
    assert watched.changes() == {"d/a.py": DELETED}


def test_a_file_that_came_and_went_is_not_reported(watched: Watched) -> None:
    watched.lay_out("a.py")
    write(watched.root / "b.py")
    (watched.root / "b.py").unlink()
    assert watched.changes() == {}


def test_a_renamed_file_is_deleted_here_and_created_there(watched: Watched) -> None:
    watched.lay_out("d/a.py", "e/z.py")
    (watched.root / "d" / "a.py").rename(watched.root / "e" / "b.py")
    assert watched.changes() == {"d/a.py": DELETED, "e/b.py": CREATED}


def test_a_file_renamed_over_another_changes_it(watched: Watched) -> None:
    watched.lay_out("a.py", "b.py")
    (watched.root / "a.py").replace(watched.root / "b.py")
    assert watched.changes() == {"a.py": DELETED, "b.py": CHANGED}


def test_an_atomic_replacement_is_one_change(watched: Watched) -> None:
    watched.lay_out("a.py")
    write(watched.root / "a.py.tmp", "after!")
    (watched.root / "a.py.tmp").replace(watched.root / "a.py")
    assert watched.changes() == {"a.py": CHANGED}


def test_a_file_moved_in_from_outside_is_created_and_one_moved_out_is_deleted(watched: Watched) -> None:
    watched.lay_out("out.py")
    write(watched.root.parent / "in.py", "text")
    (watched.root.parent / "in.py").rename(watched.root / "in.py")
    (watched.root / "out.py").rename(watched.root.parent / "out.py")
    assert watched.changes() == {"in.py": CREATED, "out.py": DELETED}


def test_files_written_right_after_their_directories_are_never_missed(watched: Watched) -> None:
    watched.lay_out("a.py")
    for number in range(20):
        write(watched.root / f"x{number}" / "y" / "z.py", "text")
    assert watched.changes() == {f"x{number}/y/z.py": CREATED for number in range(20)}


def test_files_are_seen_in_a_directory_that_was_found_empty(watched: Watched) -> None:
    watched.lay_out("a.py")
    (watched.root / "x" / "y").mkdir(parents=True)
    assert watched.changes() == {}
    write(watched.root / "x" / "y" / "z.py", "text")
    assert watched.changes() == {"x/y/z.py": CREATED}


def test_a_renamed_directory_takes_its_files_along(watched: Watched) -> None:
    watched.lay_out("d/a.py", "d/e/b.py")
    (watched.root / "d").rename(watched.root / "n")
    assert watched.changes() == {"d/a.py": DELETED, "d/e/b.py": DELETED, "n/a.py": CREATED, "n/e/b.py": CREATED}
    write(watched.root / "n" / "e" / "b.py", "longer than before")
    assert watched.changes() == {"n/e/b.py": CHANGED}


def test_a_directory_renamed_and_put_back_is_still_seen_into(watched: Watched) -> None:
    watched.lay_out("d/a.py", "d/e/b.py")
    (watched.root / "d").rename(watched.root / "n")
    write(watched.root / "n" / "a.py", "longer than before")
    (watched.root / "n").rename(watched.root / "d")
    assert watched.changes()["d/a.py"] == CHANGED
    write(watched.root / "d" / "e" / "b.py", "longer than before")
    assert watched.changes() == {"d/e/b.py": CHANGED}


def test_two_directories_that_swap_places_change_each_others_files(watched: Watched) -> None:
    watched.lay_out("d/a.py", "d/only.py", "e/a.py")
    (watched.root / "d").rename(watched.root / "t")
    (watched.root / "e").rename(watched.root / "d")
    (watched.root / "t").rename(watched.root / "e")
    assert watched.changes() == {"d/a.py": CHANGED, "d/only.py": DELETED, "e/a.py": CHANGED, "e/only.py": CREATED}
    write(watched.root / "d" / "a.py", "longer than before")
    write(watched.root / "e" / "a.py", "longer than before")
    assert watched.changes() == {"d/a.py": CHANGED, "e/a.py": CHANGED}


def test_a_directory_that_takes_the_place_of_its_parent_is_seen_into(watched: Watched) -> None:
    watched.lay_out("d/sub/a.py", "d/b.py")
    (watched.root / "d" / "sub").rename(watched.root / "t")
    shutil.rmtree(watched.root / "d")
    (watched.root / "t").rename(watched.root / "d")
    assert watched.changes() == {"d/sub/a.py": DELETED, "d/b.py": DELETED, "d/a.py": CREATED}
    write(watched.root / "d" / "a.py", "longer than before")
    assert watched.changes() == {"d/a.py": CHANGED}


def test_a_moved_directory_whose_old_place_links_to_it_is_seen_into(watched: Watched) -> None:
    watched.lay_out("z/d/e/a.py", "a/keep.py")
    (watched.root / "z" / "d").rename(watched.root / "a" / "d")
    (watched.root / "z" / "d").symlink_to(watched.root / "a" / "d")
    assert watched.changes() == {"z/d/e/a.py": DELETED, "z/d": CREATED, "a/d/e/a.py": CREATED}
    write(watched.root / "a" / "d" / "e" / "a.py", "longer than before")
    assert watched.changes() == {"a/d/e/a.py": CHANGED}


def test_a_directory_moved_out_loses_its_files_and_is_no_longer_seen(watched: Watched) -> None:
    watched.lay_out("d/e/a.py")
    (watched.root / "d").rename(watched.root.parent / "outside")
    assert watched.changes() == {"d/e/a.py": DELETED}
    write(watched.root.parent / "outside" / "e" / "a.py", "longer than before")
    assert watched.changes() == {}


def test_a_deleted_directory_takes_its_files_along(watched: Watched) -> None:
    watched.lay_out("d/a.py", "d/e/b.py", "c.py")
    shutil.rmtree(watched.root / "d")
    assert watched.changes() == {"d/a.py": DELETED, "d/e/b.py": DELETED}


def test_a_directory_deleted_and_made_anew_is_seen_into(watched: Watched) -> None:
    watched.lay_out("d/a.py", "d/b.py")
    shutil.rmtree(watched.root / "d")
    write(watched.root / "d" / "a.py", "another text")
    assert watched.changes() == {"d/a.py": CHANGED, "d/b.py": DELETED}
    write(watched.root / "d" / "c.py", "text")
    assert watched.changes() == {"d/c.py": CREATED}


def test_a_directory_in_place_of_a_file_deletes_the_file_and_the_other_way_round(watched: Watched) -> None:
    watched.lay_out("a", "b/c.py")
    (watched.root / "a").unlink()
    write(watched.root / "a" / "x.py", "text")
    shutil.rmtree(watched.root / "b")
    write(watched.root / "b", "text")
    assert watched.changes() == {"a": DELETED, "a/x.py": CREATED, "b": CREATED, "b/c.py": DELETED}


def test_a_checkout_of_many_files_is_reported_completely(watched: Watched) -> None:
    watched.lay_out(*(f"pkg{number % 10}/m{number}.py" for number in range(300)))
    expected: dict[str, ChangeKind] = {}
    for number in range(300):
        path = watched.root / f"pkg{number % 10}" / f"m{number}.py"
        if number % 3 == 0:
            path.unlink()
            expected[f"pkg{number % 10}/m{number}.py"] = DELETED
        elif number % 3 == 1:
            path.unlink()
            write(path, "the other branch")
            expected[f"pkg{number % 10}/m{number}.py"] = CHANGED
        else:
            write(watched.root / f"other{number % 7}" / f"m{number}.py", "new")
            expected[f"other{number % 7}/m{number}.py"] = CREATED
    assert watched.changes() == expected


def test_a_thousand_files_of_another_process_are_all_there_when_it_has_ended(watched: Watched) -> None:
    watched.lay_out("a.py")
    program = "import pathlib\nfor n in range(1000): p = pathlib.Path(f'd{n % 50}/f{n}.py'); "
    program += "p.parent.mkdir(exist_ok=True); p.write_text('x')"
    subprocess.run([sys.executable, "-c", program], cwd=watched.root, check=True, timeout=30)
    assert watched.changes() == {f"d{number % 50}/f{number}.py": CREATED for number in range(1000)}


def test_skipped_directories_are_not_seen_at_any_depth(watched: Watched) -> None:
    watched.lay_out("a.py", ".git/HEAD", "node_modules/x/i.js")
    write(watched.root / ".git" / "HEAD", "longer than before")
    for name in (".git", ".venv", ".any-tool", "node_modules", "target", "build", "__pycache__"):
        write(watched.root / "pkg" / name / "sub" / "f.py", "text")
    assert watched.changes() == {}


def test_files_are_seen_whatever_their_name(watched: Watched) -> None:
    watched.lay_out("a.py")
    for name in (".env", ".gitignore", "build", "target"):
        write(watched.root / name, "text")
    assert watched.changes() == {".env": CREATED, ".gitignore": CREATED, "build": CREATED, "target": CREATED}


def test_a_skipped_name_is_seen_again_once_the_directory_has_another(watched: Watched) -> None:
    watched.lay_out("build/a.py", "src/b.py")
    (watched.root / "build").rename(watched.root / "kept")
    (watched.root / "src").rename(watched.root / "dist")
    assert watched.changes() == {"kept/a.py": CREATED, "src/b.py": DELETED}


def test_links_are_reported_as_themselves_and_not_followed(watched: Watched) -> None:
    watched.lay_out("d/a.py")
    (watched.root / "d" / "loop").symlink_to(watched.root)
    (watched.root / "self").symlink_to("self")
    (watched.root / "dangling").symlink_to("nowhere")
    assert watched.changes() == {"d/loop": CREATED, "self": CREATED, "dangling": CREATED}
    write(watched.root / "d" / "a.py", "longer than before")
    assert watched.changes() == {"d/a.py": CHANGED}


def test_names_beyond_ascii_are_reported_as_they_are(watched: Watched) -> None:
    watched.lay_out("a.py")
    write(watched.root / "größe" / "日本 語.py", "text")
    assert watched.changes() == {"größe/日本 語.py": CREATED}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_not_utf_8_are_reported_as_fsdecode_has_them(watched: Watched) -> None:
    watched.lay_out("a.py")
    directory = os.fsencode(watched.root) + b"/caf\xe9"
    Path(os.fsdecode(directory)).mkdir()
    Path(os.fsdecode(directory + b"/\xff.py")).write_text("text")
    assert watched.changes() == {os.fsdecode(b"caf\xe9/\xff.py"): CREATED}
    Path(os.fsdecode(directory + b"/\xff.py")).unlink()
    assert watched.changes() == {os.fsdecode(b"caf\xe9/\xff.py"): DELETED}


def test_very_deep_directories_are_seen(watched: Watched) -> None:
    watched.lay_out("a.py")
    deep = "/".join(["d"] * 1200)
    subprocess.run(["mkdir", "-p", deep], cwd=watched.root, check=True, timeout=30)
    (watched.root / deep / "a.py").write_text("text")
    assert watched.changes() == {f"{deep}/a.py": CREATED}
    subprocess.run(["rm", "-r", "d"], cwd=watched.root, check=True, timeout=30)
    assert watched.changes() == {f"{deep}/a.py": DELETED}


def test_a_removed_root_takes_everything_along_and_is_seen_again_when_it_is_back(watched: Watched) -> None:
    watched.lay_out("a.py", "d/b.py")
    shutil.rmtree(watched.root)
    assert watched.changes() == {"a.py": DELETED, "d/b.py": DELETED}
    assert watched.changes() == {}
    write(watched.root / "d" / "c.py", "text")
    assert watched.changes() == {"d/c.py": CREATED}
    write(watched.root / "d" / "c.py", "longer than that")
    assert watched.changes() == {"d/c.py": CHANGED}


def test_a_root_that_is_replaced_while_in_use_is_compared_with_what_was_there(watched: Watched) -> None:
    watched.lay_out("a.py", "d/b.py")
    watched.root.rename(watched.root.parent / "old")
    write(watched.root / "d" / "b.py", "another text")
    assert watched.changes() == {"a.py": DELETED, "d/b.py": CHANGED}
    write(watched.root.parent / "old" / "a.py", "nobody's business")
    write(watched.root / "d" / "new.py", "text")
    assert watched.changes() == {"d/new.py": CREATED}


def test_a_root_that_is_a_link_reports_paths_as_it_was_named(watched: Watched) -> None:
    real = watched.root.parent / "real"
    watched.root.rename(real)
    watched.root.symlink_to(real)
    watched.lay_out("d/a.py")
    write(real / "d" / "a.py", "longer than before")
    assert watched.changes() == {"d/a.py": CHANGED}


@needs_linux
def test_on_a_local_linux_disk_the_watcher_is_proof(tmp_path: Path) -> None:
    watcher = open_watcher(tmp_path, mounts=[Mount("/", "ext4")])
    assert (watcher.is_proof, watcher.note) == (True, "")
    write(tmp_path / "a.py")
    assert [(change.path, change.kind) for change in watcher.drain()] == [(f"{tmp_path}/a.py", CREATED)]
    watcher.close()


@needs_linux
def test_when_no_queue_can_be_had_the_tree_is_scanned_and_the_note_says_why(tmp_path: Path) -> None:
    def fail() -> EventQueue:
        raise OSError(errno.EMFILE, "Too many open files")

    watcher = open_watcher(tmp_path, open_queue=fail, mounts=[])
    assert not watcher.is_proof
    assert "Too many open files" in watcher.note
    assert "slower" in watcher.note
    write(tmp_path / "a.py")
    assert [change.kind for change in watcher.drain()] == [CREATED]


@needs_linux
def test_a_disk_that_others_write_to_is_scanned(tmp_path: Path) -> None:
    watcher = open_watcher(tmp_path, mounts=[Mount("/", "ext4"), Mount(tmp_path.as_posix(), "nfs4")])
    assert not watcher.is_proof
    assert "nfs4" in watcher.note


@needs_linux
def test_a_disk_of_others_below_the_root_takes_the_proof_away(tmp_path: Path) -> None:
    watcher = open_watcher(tmp_path, mounts=[Mount("/", "ext4"), Mount(f"{tmp_path.as_posix()}/d", "fuse.sshfs")])
    assert not watcher.is_proof
    assert f"{tmp_path.as_posix()}/d (fuse.sshfs)" in watcher.note
    watcher.close()


def test_a_root_that_is_no_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFound):
        open_watcher(tmp_path / "nowhere")


def test_what_is_skipped_can_be_chosen(tmp_path: Path) -> None:
    watcher = open_watcher(tmp_path, skip=frozenset({"only"}))
    write(tmp_path / "only" / "a.py")
    write(tmp_path / ".github" / "b.yml")
    write(tmp_path / "build" / "c.py")
    found = {change.path.removeprefix(f"{tmp_path.as_posix()}/") for change in watcher.drain()}
    watcher.close()
    assert found == {".github/b.yml", "build/c.py"}

"""What every watcher promises of files, on the real file system, whichever way it finds out; and which is chosen."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.edits.staging import TEMPORARY_PREFIX
from groundwire.errors import FileNotFound
from groundwire.pool.inotify_queue import EventQueue
from groundwire.pool.mounts import Mount
from groundwire.pool.watcher import open_watcher
from groundwire.workspace.changes import ChangeKind
from tests.fakes.watched import Watched, write

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")

CREATED, CHANGED, DELETED = ChangeKind.CREATED, ChangeKind.CHANGED, ChangeKind.DELETED


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
    for name in (".git", ".venv", ".any-tool", "node_modules", "vendor", "venv", "__pycache__"):
        write(watched.root / "pkg" / name / "sub" / "f.py", "text")
    assert watched.changes() == {}


def test_files_are_seen_whatever_their_name(watched: Watched) -> None:
    watched.lay_out("a.py")
    for name in (".env", ".gitignore", "build", "target"):
        write(watched.root / name, "text")
    assert watched.changes() == {".env": CREATED, ".gitignore": CREATED, "build": CREATED, "target": CREATED}


def test_a_skipped_name_is_seen_again_once_the_directory_has_another(watched: Watched) -> None:
    watched.lay_out("vendor/a.py", "src/b.py")
    (watched.root / "vendor").rename(watched.root / "kept")
    (watched.root / "src").rename(watched.root / "venv")
    assert watched.changes() == {"kept/a.py": CREATED, "src/b.py": DELETED}


@pytest.mark.parametrize("name", ["build", "dist", "target"])
def test_sources_in_a_directory_that_is_only_named_like_that_of_a_build_are_seen(watched: Watched, name: str) -> None:
    watched.lay_out(f"src/{name}/a.py", ".gitignore")
    write(watched.root / "src" / name / "a.py", "longer than before")
    write(watched.root / "other" / name / "b.py", "text")
    assert watched.changes() == {f"src/{name}/a.py": CHANGED, f"other/{name}/b.py": CREATED}


def test_what_a_build_makes_is_seen_though_version_control_ignores_it(watched: Watched) -> None:
    watched.lay_out("web/dist/a.d.ts", "a.py")
    write(watched.root / ".gitignore", "dist/\n")
    assert watched.changes() == {".gitignore": CREATED}
    write(watched.root / "web" / "dist" / "a.d.ts", "longer than before")
    write(watched.root / "new" / "dist" / "c.js", "text")
    assert watched.changes() == {"web/dist/a.d.ts": CHANGED, "new/dist/c.js": CREATED}


def test_what_says_that_it_is_a_cache_is_not_seen_from_then_on(watched: Watched) -> None:
    watched.lay_out("a.py")
    write(watched.root / "target" / "debug" / "b.rs", "text")
    watched.changes()
    write(watched.root / "target" / "CACHEDIR.TAG", "Signature")
    assert watched.changes() == {}
    write(watched.root / "target" / "debug" / "c.rs", "text")
    assert watched.changes() == {}


@pytest.mark.parametrize("directory", ["target/rust-analyzer", "out"])
def test_where_cargo_has_built_is_not_seen_from_then_on_though_it_found_the_directory_made(
    watched: Watched, directory: str
) -> None:
    watched.lay_out("a.rs")
    write(watched.root / directory / "flycheck0" / "stdout", "text")
    watched.changes()
    write(watched.root / directory / ".rustc_info.json", "{}")
    assert watched.changes() == {}
    write(watched.root / directory / "flycheck0" / "stdout", "longer than before")
    write(watched.root / directory / "debug" / "c.lock", "text")
    assert watched.changes() == {}


def test_what_cargo_has_written_down_makes_no_cache_of_all_the_workspace(watched: Watched) -> None:
    watched.lay_out("a.rs")
    write(watched.root / ".rustc_info.json", "{}")
    write(watched.root / "a.rs", "longer than before")
    assert watched.changes() == {".rustc_info.json": CREATED, "a.rs": CHANGED}


def test_what_cargo_has_written_down_makes_no_cache_of_a_crate_that_is_built_where_it_is(watched: Watched) -> None:
    watched.lay_out("crate/Cargo.toml", "crate/a.rs")
    write(watched.root / "crate" / ".rustc_info.json", "{}")
    write(watched.root / "crate" / "a.rs", "longer than before")
    assert watched.changes() == {"crate/.rustc_info.json": CREATED, "crate/a.rs": CHANGED}


def test_a_tag_that_is_taken_away_makes_no_cache(watched: Watched) -> None:
    watched.lay_out("build/a.py")
    write(watched.root / "build" / "CACHEDIR.TAG", "Signature")
    (watched.root / "build" / "CACHEDIR.TAG").unlink()
    write(watched.root / "build" / "a.py", "longer than before")
    assert watched.changes() == {"build/a.py": CHANGED}


def test_a_tag_makes_no_cache_of_sources(watched: Watched) -> None:
    watched.lay_out("src/a.py")
    write(watched.root / "src" / "CACHEDIR.TAG", "Signature")
    write(watched.root / "src" / "a.py", "longer than before")
    assert watched.changes() == {"src/CACHEDIR.TAG": CREATED, "src/a.py": CHANGED}


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


def test_the_temporary_files_of_an_edit_are_nobodys_concern(watched: Watched) -> None:
    watched.lay_out("a.py")
    write(watched.root / f"{TEMPORARY_PREFIX}1", "on its way")
    assert watched.changes() == {}
    (watched.root / f"{TEMPORARY_PREFIX}1").replace(watched.root / "a.py")
    assert watched.changes() == {"a.py": CHANGED}

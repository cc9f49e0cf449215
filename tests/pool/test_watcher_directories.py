"""What every watcher promises of directories and of the root, on the real file system."""

import shutil
import subprocess

from groundwire.workspace.changes import ChangeKind
from tests.fakes.watched import Watched, write

CREATED, CHANGED, DELETED = ChangeKind.CREATED, ChangeKind.CHANGED, ChangeKind.DELETED


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


def test_a_root_removed_and_made_anew_between_two_drains_is_seen_into(watched: Watched) -> None:
    watched.lay_out("a.py", "d/b.py")
    shutil.rmtree(watched.root)
    write(watched.root / "d" / "b.py", "another text")
    assert watched.changes() == {"a.py": DELETED, "d/b.py": CHANGED}
    write(watched.root / "c.py", "text")
    assert watched.changes() == {"c.py": CREATED}


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


def test_a_skipped_directory_that_a_server_names_is_watched_from_then_on(watched: Watched) -> None:
    watched.lay_out("a.py", ".cargo/config.toml", "x/.cargo/config.toml", ".other/b.toml")
    write(watched.root / ".cargo" / "config.toml", "one")
    assert watched.changes() == {}
    watched.watcher.include(frozenset({".cargo", "src"}))
    assert watched.changes() == {}
    write(watched.root / "x" / ".cargo" / "config.toml", "longer than before")
    write(watched.root / ".other" / "b.toml", "longer than before")
    assert watched.changes() == {"x/.cargo/config.toml": CHANGED}


def test_what_changed_elsewhere_before_a_directory_was_included_is_still_told(watched: Watched) -> None:
    watched.lay_out("a.py", ".cargo/config.toml")
    write(watched.root / "b.py", "text")
    watched.watcher.include(frozenset({".cargo"}))
    assert watched.changes() == {"b.py": CREATED}

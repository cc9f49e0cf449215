"""What only inotify can promise, and what becomes of it when the kernel runs out of watches or of room."""

import os
import resource
import select
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.errors import Internal
from groundwire.pool.inotify import InotifyWatcher
from groundwire.pool.inotify_queue import KernelQueue
from groundwire.pool.watcher import DEFAULT_SKIP
from groundwire.workspace.changes import ChangeKind
from tests.fakes.watch_queues import ForgetfulQueue, LimitedQueue
from tests.fakes.watched import an_hour_ahead

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")

CREATED, CHANGED, DELETED = ChangeKind.CREATED, ChangeKind.CHANGED, ChangeKind.DELETED


def watch(root: Path, queue: KernelQueue | None = None) -> InotifyWatcher:
    return InotifyWatcher(root.as_posix(), DEFAULT_SKIP, queue or KernelQueue(), clock=an_hour_ahead)


def changes(watcher: InotifyWatcher) -> dict[str, ChangeKind]:
    return {Path(change.path).name: change.kind for change in watcher.drain()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "d" / "e").mkdir(parents=True)
    for name in ("a.py", "d/b.py", "d/e/c.py"):
        (tmp_path / name).write_text("before")
    return tmp_path


@pytest.fixture
def watcher(root: Path) -> Iterator[InotifyWatcher]:
    opened = watch(root)
    yield opened
    opened.close()


def test_a_write_of_the_same_size_within_the_same_tick_is_seen(root: Path, watcher: InotifyWatcher) -> None:
    for number in range(50):
        (root / "a.py").write_text(f"{number:06}")
        assert changes(watcher) == {"a.py": CHANGED}


def test_saves_that_give_the_same_events_are_each_seen(root: Path, watcher: InotifyWatcher) -> None:
    for _ in range(3):
        (root / "a.py").write_text("again")
        assert changes(watcher) == {"a.py": CHANGED}


def test_a_touched_file_is_reported_changed(root: Path, watcher: InotifyWatcher) -> None:
    os.utime(root / "a.py", (1, 1))
    (root / "d" / "b.py").chmod(0o600)
    assert changes(watcher) == {"a.py": CHANGED, "b.py": CHANGED}


def test_reading_files_and_directories_changes_nothing(root: Path, watcher: InotifyWatcher) -> None:
    assert [path.read_text() for path in sorted(root.rglob("*.py"))] == ["before"] * 3
    assert watcher.drain() == []


def test_what_is_collected_early_is_kept_for_the_next_drain(root: Path, watcher: InotifyWatcher) -> None:
    (root / "a.py").write_text("after")
    watcher.collect()
    (root / "new" / "er").mkdir(parents=True)
    watcher.collect()
    (root / "new" / "er" / "f.py").write_text("text")
    (root / "d" / "b.py").unlink()
    watcher.collect()
    assert changes(watcher) == {"a.py": CHANGED, "f.py": CREATED, "b.py": DELETED}
    assert changes(watcher) == {}


def test_the_descriptor_is_readable_when_there_is_something_to_collect(root: Path, watcher: InotifyWatcher) -> None:
    assert select.select([watcher], [], [], 0)[0] == []
    (root / "a.py").write_text("after")
    assert select.select([watcher], [], [], 0)[0] == [watcher]
    watcher.collect()
    assert select.select([watcher], [], [], 0)[0] == []


def test_a_removed_root_is_noted_for_as_long_as_it_is_gone(root: Path, watcher: InotifyWatcher) -> None:
    shutil.rmtree(root)
    assert changes(watcher) == {"a.py": DELETED, "b.py": DELETED, "c.py": DELETED}
    assert watcher.note == f"{root.as_posix()} is gone"
    root.mkdir()
    assert watcher.drain() == []
    assert (watcher.note, watcher.is_proof) == ("", True)


def test_a_rename_above_the_root_takes_everything_along(tmp_path: Path) -> None:
    (tmp_path / "above" / "root").mkdir(parents=True)
    (tmp_path / "above" / "root" / "a.py").write_text("text")
    watcher = watch(tmp_path / "above" / "root")
    (tmp_path / "above").rename(tmp_path / "elsewhere")
    assert changes(watcher) == {"a.py": DELETED}
    watcher.close()


def test_a_queue_that_really_overflows_hides_nothing(root: Path, watcher: InotifyWatcher) -> None:
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if limit > 100_000:
        pytest.skip("this kernel's queue is too long to fill")
    for _ in range(limit // 2 + 1):  # in turns, or the kernel would merge them
        (root / "a.py").chmod(0o600)
        (root / "d" / "b.py").chmod(0o600)
    (root / "d" / "e" / "c.py").write_text("lost by the kernel")
    (root / "new").mkdir()
    (root / "new" / "f.py").write_text("lost too")
    (root / "a.py").unlink()
    assert changes(watcher) == {"a.py": DELETED, "b.py": CHANGED, "c.py": CHANGED, "f.py": CREATED}
    (root / "new" / "f.py").write_text("seen again")
    assert changes(watcher) == {"f.py": CHANGED}


def test_an_overflow_reports_only_what_differs(root: Path) -> None:
    queue = ForgetfulQueue()
    watcher = watch(root, queue)
    (root / "d" / "b.py").write_text("after that")
    queue.is_full = True
    assert changes(watcher) == {"b.py": CHANGED}
    watcher.close()


def test_an_overflow_reports_files_again_that_are_too_fresh_to_tell(root: Path) -> None:
    queue = ForgetfulQueue()
    watcher = InotifyWatcher(root.as_posix(), DEFAULT_SKIP, queue)  # by the real clock they were written just now
    queue.is_full = True
    assert changes(watcher) == {"a.py": CHANGED, "b.py": CHANGED, "c.py": CHANGED}
    watcher.close()


@pytest.mark.parametrize(("here", "there"), [("d", "z"), ("z", "d")])
def test_an_overflow_finds_a_moved_directory_whose_old_place_links_to_it(root: Path, here: str, there: str) -> None:
    (root / here / "moving" / "e").mkdir(parents=True)
    (root / here / "moving" / "e" / "x.py").write_text("before")
    (root / there).mkdir(exist_ok=True)
    queue = ForgetfulQueue()
    watcher = watch(root, queue)
    (root / here / "moving").rename(root / there / "moved")
    (root / here / "moving").symlink_to(root / there / "moved")
    queue.is_full = True
    assert {change.path.removeprefix(f"{root.as_posix()}/"): change.kind for change in watcher.drain()} == {
        f"{here}/moving/e/x.py": DELETED,
        f"{here}/moving": CREATED,
        f"{there}/moved/e/x.py": CREATED,
    }
    (root / there / "moved" / "e" / "x.py").write_text("after that")
    assert changes(watcher) == {"x.py": CHANGED}
    watcher.close()


def test_when_files_cannot_be_opened_for_a_while_nothing_is_forgotten(root: Path, watcher: InotifyWatcher) -> None:
    (root / "new").mkdir()
    (root / "new" / "f.py").write_text("text")
    (root / "a.py").write_text("after that")
    free = os.open(root, os.O_RDONLY)
    os.close(free)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, limits[1]))
    try:
        with pytest.raises(Internal, match="Too many open files"):
            watcher.drain()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert changes(watcher) == {"f.py": CREATED, "a.py": CHANGED}


def test_too_few_watches_at_the_start_turn_it_into_a_scan_and_give_the_watches_back(root: Path) -> None:
    queue = LimitedQueue(2)
    watcher = watch(root, queue)
    assert not watcher.is_proof
    assert "max_user_watches" in watcher.note
    assert "slower" in watcher.note
    assert queue.held == set()
    (root / "d" / "e" / "c.py").write_text("after that")
    assert changes(watcher) == {"c.py": CHANGED}
    watcher.close()


def test_watches_that_run_out_later_lose_no_change(root: Path) -> None:
    queue = LimitedQueue(3)
    watcher = watch(root, queue)
    assert (watcher.is_proof, watcher.note) == (True, "")
    (root / "a.py").write_text("after that")
    (root / "new" / "er").mkdir(parents=True)
    (root / "new" / "er" / "f.py").write_text("text")
    (root / "d" / "b.py").unlink()
    assert changes(watcher) == {"a.py": CHANGED, "f.py": CREATED, "b.py": DELETED}
    assert not watcher.is_proof
    assert changes(watcher) == {}
    watcher.close()


def test_directories_that_are_gone_give_their_watches_back(root: Path) -> None:
    queue = LimitedQueue(10)
    watcher = watch(root, queue)
    assert len(queue.held) == 3
    (root / "d").rename(root.parent / f"{root.name}-outside")
    assert changes(watcher) == {"b.py": DELETED, "c.py": DELETED}
    assert len(queue.held) == 1
    watcher.close()


def test_a_directory_that_is_replaced_gives_the_old_watch_back(root: Path) -> None:
    queue = LimitedQueue(10)
    watcher = watch(root, queue)
    (root / "d").rename(root.parent / f"{root.name}-outside")
    (root / "d" / "e").mkdir(parents=True)
    assert changes(watcher) == {"b.py": DELETED, "c.py": DELETED}
    assert len(queue.held) == 3
    watcher.close()


def test_closing_gives_the_descriptor_back_and_may_be_repeated(watcher: InotifyWatcher) -> None:
    descriptor = watcher.fileno()
    watcher.close()
    watcher.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


def test_a_closed_watcher_refuses_instead_of_finding_nothing(root: Path, watcher: InotifyWatcher) -> None:
    watcher.close()
    with pytest.raises(Internal, match="closed"):
        watcher.drain()


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is out of reach for the superuser")
def test_a_directory_that_cannot_be_read_is_empty_until_it_can(root: Path, watcher: InotifyWatcher) -> None:
    (root / "d").chmod(0o000)
    assert changes(watcher) == {"b.py": DELETED, "c.py": DELETED}
    (root / "d").chmod(0o755)
    assert changes(watcher) == {"b.py": CREATED, "c.py": CREATED}

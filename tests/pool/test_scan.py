"""What only the scan has to care for: files whose times cannot tell whether they were written again."""

import os
from pathlib import Path

from groundwire.pool.scan import ScanWatcher
from groundwire.pool.tree import UNSETTLED, fingerprint
from groundwire.pool.watcher import DEFAULT_SKIP
from groundwire.workspace.changes import ChangeKind

MILLISECOND = 1_000_000
SECOND = 1_000 * MILLISECOND


class Clock:
    """Stands still until it is moved."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


def test_a_scan_says_that_it_is_slower_and_no_proof(tmp_path: Path) -> None:
    watcher = ScanWatcher(tmp_path.as_posix(), DEFAULT_SKIP)
    assert not watcher.is_proof
    assert "slower" in watcher.note
    assert watcher.fileno() is None


def test_a_fresh_file_is_reported_again_until_it_is_no_longer_fresh(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("text")
    clock = Clock(file.stat().st_mtime_ns)
    watcher = ScanWatcher(tmp_path.as_posix(), DEFAULT_SKIP, clock=clock)
    assert [change.kind for change in watcher.drain()] == [ChangeKind.CHANGED]
    clock.now += 3 * SECOND
    assert [change.kind for change in watcher.drain()] == [ChangeKind.CHANGED]
    assert watcher.drain() == []


def test_writes_of_the_same_size_within_one_tick_are_all_reported(tmp_path: Path) -> None:
    watcher = ScanWatcher(tmp_path.as_posix(), DEFAULT_SKIP)
    for number in range(50):
        (tmp_path / "a.py").write_text(f"{number:04}")
        assert [change.path for change in watcher.drain()] == [f"{tmp_path.as_posix()}/a.py"]


def at(stamp: int, path: Path) -> os.stat_result:
    """The state of a file last written, and last changed, at that time."""
    found = list(path.stat())
    found[7:10] = [stamp // SECOND] * 3
    return os.stat_result(
        found,
        {"st_atime_ns": stamp, "st_mtime_ns": stamp, "st_ctime_ns": stamp},
    )


def test_a_file_is_settled_when_several_ticks_have_passed_since_its_last_write(tmp_path: Path) -> None:
    written = at(1_000 * SECOND + 1, tmp_path)
    assert fingerprint(written, 1_000 * SECOND + 10 * MILLISECOND) == UNSETTLED
    assert fingerprint(written, 1_000 * SECOND + 60 * MILLISECOND) != UNSETTLED


def test_a_time_in_whole_seconds_stays_unsettled_for_two_of_them(tmp_path: Path) -> None:
    written = at(1_000 * SECOND, tmp_path)
    assert fingerprint(written, 1_001 * SECOND) == UNSETTLED
    assert fingerprint(written, 1_003 * SECOND) != UNSETTLED


def test_a_write_while_we_were_listing_is_unsettled_but_a_far_future_is_not(tmp_path: Path) -> None:
    written = at(1_000 * SECOND + 1, tmp_path)
    assert fingerprint(written, 999 * SECOND) == UNSETTLED
    assert fingerprint(written, 1 * SECOND) != UNSETTLED


def test_the_fingerprint_depends_on_the_time(tmp_path: Path) -> None:
    now = 2_000 * SECOND
    assert fingerprint(at(1_000 * SECOND + 1, tmp_path), now) != fingerprint(at(1_000 * SECOND + 2, tmp_path), now)

"""The cache on disk holds what was put there, or goes without: it never fails for who asks."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.cache.content import Known
from groundwire.cache.store import SCHEMA, Entry, Store

MEGABYTE = 1024 * 1024
KNOWN = Known(7, b"c" * 16, is_stray=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "references.db"


@pytest.fixture
def store(path: Path) -> Store:
    return Store(path, 64 * MEGABYTE)


def test_what_is_written_is_read_again(store: Store, path: Path) -> None:
    assert store.write({b"key": b"body"}, {"a.py": KNOWN, "odd\udcff.py": KNOWN}, {"program 1": "2.0"})
    again = Store(path, MEGABYTE)
    assert again.get(b"key") == Entry(b"body")
    assert again.get(b"other") is None
    assert again.files() == {"a.py": KNOWN, "odd\udcff.py": KNOWN}
    assert again.version_of("program 1") == "2.0"


def test_a_file_that_is_gone_is_forgotten(store: Store) -> None:
    store.write({}, {"a.py": KNOWN, "b.py": KNOWN})
    store.write({}, {"a.py": None})
    assert store.files() == {"b.py": KNOWN}


def _damage(path: Path, how: str) -> None:
    data = path.read_bytes()
    if how == "garbage":
        path.write_bytes(os.urandom(len(data)))
    elif how == "truncated":
        path.write_bytes(data[: len(data) // 3])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "other tables":
        path.unlink()
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE entries (other TEXT)")
            db.execute(f"PRAGMA user_version = {SCHEMA}")
        db.close()
    else:
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA user_version = 99")
        db.close()


@pytest.mark.parametrize("how", ["garbage", "truncated", "empty", "other tables", "another version"])
def test_a_broken_file_is_made_anew(store: Store, path: Path, how: str) -> None:
    store.write({bytes([number]) * 20: os.urandom(500) for number in range(100)}, {"a.py": KNOWN})
    _damage(path, how)
    assert store.get(b"\1" * 20) is None
    assert store.write({b"new": b"body"}, {"b.py": KNOWN})
    assert store.get(b"new") == Entry(b"body")


def test_bytes_that_are_not_those_that_were_put_there_are_not_given(store: Store, path: Path) -> None:
    store.write({b"key": b"body", b"other": b"another body"})
    with sqlite3.connect(path) as db:
        db.execute(
            "UPDATE entries SET body = (SELECT body FROM entries WHERE key = ?) WHERE key = ?", (b"other", b"key")
        )
    db.close()
    assert store.get(b"key") is None
    assert store.get(b"other") == Entry(b"another body")


def test_while_another_process_holds_it_one_goes_without(store: Store, path: Path) -> None:
    store.write({b"key": b"body"})
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert not store.write({b"new": b"body"})
    other.execute("ROLLBACK")
    other.close()
    assert store.get(b"key") == Entry(b"body")
    assert store.get(b"new") is None


def test_where_nothing_can_be_written_one_goes_without(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the directory would be", "utf-8")
    store = Store(tmp_path / "state" / "references.db", MEGABYTE)
    assert not store.write({b"key": b"body"})
    assert store.get(b"key") is None
    assert store.files() == {}


def test_what_was_not_used_for_longest_goes_first(path: Path) -> None:
    now = 1_000_000.0
    store = Store(path, MEGABYTE, clock=lambda: now)
    store.write({b"old": os.urandom(1000)})
    for number in range(20):
        now += 10_000
        store.write({b"%d/%d" % (number, each): os.urandom(1000) for each in range(100)})
    assert store.get(b"old") is None
    assert store.get(b"19/99") is not None
    with sqlite3.connect(path) as db:
        (pages,), (free,) = db.execute("PRAGMA page_count").fetchone(), db.execute("PRAGMA freelist_count").fetchone()
    db.close()
    assert (pages - free) * 4096 <= MEGABYTE


def test_ten_thousand_entries_take_less_than_twenty_megabytes(store: Store, path: Path) -> None:
    store.write({number.to_bytes(20): os.urandom(600) for number in range(10_000)})
    assert sum(file.stat().st_size for file in path.parent.iterdir()) < 20 * MEGABYTE
    assert len(store.sealed()) == 10_000


_WRITER = """
import os, sys
from pathlib import Path
from groundwire.cache.store import Store
store = Store(Path(sys.argv[1]), 64 * 1024 * 1024)
number = 0
while True:
    store.write({b"%d" % each: b"%d" % each * 50 for each in range(number, number + 200)})
    number += 200
    print(number, flush=True)
"""


@pytest.mark.parametrize("pieces", [1, 2, 5])
def test_a_writer_that_is_killed_leaves_only_whole_entries(store: Store, path: Path, pieces: int) -> None:
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    written = [int(writer.stdout.readline()) for _ in range(pieces)][-1]
    writer.send_signal(signal.SIGKILL)
    writer.wait(10)
    writer.stdout.close()
    assert all(store.get(b"%d" % each) == Entry(b"%d" % each * 50) for each in range(written))
    assert store.write({b"new": b"body"})
    assert store.get(b"new") == Entry(b"body")

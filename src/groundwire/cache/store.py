"""The cache on disk: one SQLite file for each workspace, in the user's state directory.

An entry lies under a key that is a hash of everything it depends on, so it is never out of date, only never found
again; what was not used for longest goes when there is too much. Nothing here may fail for the asker: a file that is
broken is made anew, one that cannot be had (locked, read-only, full) is done without. A connection lives for one piece
of work, in whatever thread does it. Above: ``operations.reference_cache``, ``archive``. Below: ``content``.
"""

import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from groundwire.cache.content import Known, short_hash

log = logging.getLogger(__name__)

SCHEMA = 1
WAIT_S = 0.2
"""How long another process may hold the file."""
_USED_AGAIN_S = 3600
_CHECK_SIZE = 8
_SHARE_KEPT = 0.8

_TABLES = """
CREATE TABLE files (path BLOB PRIMARY KEY, stamp INTEGER, content BLOB, is_stray INTEGER) WITHOUT ROWID;
CREATE TABLE programs (stamp TEXT PRIMARY KEY, version TEXT) WITHOUT ROWID;
CREATE TABLE entries (key BLOB PRIMARY KEY, body BLOB, used INTEGER, is_imported INTEGER) WITHOUT ROWID;
CREATE INDEX entries_used ON entries (used);
"""
_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH})

T = TypeVar("T")


class Entry(NamedTuple):
    """What was kept, and whether somebody else's cache brought it."""

    body: bytes
    is_imported: bool = False


class Store:
    """Reads and writes, each by itself."""

    def __init__(self, path: Path, max_bytes: int, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self._max_bytes = max_bytes
        self._clock = clock

    def files(self) -> dict[str, Known]:
        """What was known of the files of the workspace."""

        def read(db: sqlite3.Connection) -> dict[str, Known]:
            rows = db.execute("SELECT path, stamp, content, is_stray FROM files")
            return {os.fsdecode(path): Known(stamp, content, bool(stray)) for path, stamp, content, stray in rows}

        return self._work(read, {})

    def version_of(self, program: str) -> str | None:
        """What a program with this stamp said its version was."""

        def read(db: sqlite3.Connection) -> str | None:
            row = db.execute("SELECT version FROM programs WHERE stamp = ?", (program,)).fetchone()
            return row[0] if row is not None else None

        return self._work(read, None)

    def get(self, key: bytes) -> Entry | None:
        """What lies under the key, unless its bytes are not those that were put there."""

        def read(db: sqlite3.Connection) -> Entry | None:
            row = db.execute("SELECT body, used, is_imported FROM entries WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            sealed, used, is_imported = row
            if self._clock() - used > _USED_AGAIN_S:
                db.execute("UPDATE entries SET used = ? WHERE key = ?", (int(self._clock()), key))
            body = unseal(key, sealed)
            return Entry(body, bool(is_imported)) if body is not None else None

        return self._work(read, None)

    def write(
        self,
        entries: Mapping[bytes, bytes],
        files: Mapping[str, Known | None] | None = None,
        programs: Mapping[str, str] | None = None,
    ) -> bool:
        """All of it or nothing; False when it could not be."""
        now = int(self._clock())
        sealed = [(key, seal(key, body), now, 0) for key, body in entries.items()]
        known = [(os.fsencode(path), at) for path, at in (files or {}).items()]

        def write(db: sqlite3.Connection) -> bool:
            with _transaction(db):
                db.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", sealed)
                db.executemany("DELETE FROM files WHERE path = ?", [(path,) for path, at in known if at is None])
                rows = [(path, *at) for path, at in known if at is not None]
                db.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", rows)
                db.executemany("INSERT OR REPLACE INTO programs VALUES (?, ?)", (programs or {}).items())
            self._make_room(db)
            return True

        return self._work(write, default=False)

    def sealed(self) -> list[tuple[bytes, bytes]]:
        """Every entry as it lies there, the one used last first."""
        return self._work(lambda db: db.execute("SELECT key, body FROM entries ORDER BY used DESC").fetchall(), [])

    def replace(self, entries: Iterable[tuple[bytes, bytes]]) -> bool:
        """Only these from now on, at once; False when that could not be done."""
        now = int(self._clock())
        rows = [(key, body, now, 1) for key, body in entries]

        def write(db: sqlite3.Connection) -> bool:
            with _transaction(db):
                db.execute("DELETE FROM entries")
                db.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
            self._make_room(db)
            return True

        return self._work(write, default=False)

    def _make_room(self, db: sqlite3.Connection) -> None:
        pages, free, size = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in _SIZES)
        used = (pages - free) * size
        if used <= self._max_bytes:
            return
        (count,) = db.execute("SELECT COUNT(*) FROM entries").fetchone()
        surplus = count - int(count * self._max_bytes * _SHARE_KEPT / used)
        with _transaction(db):
            oldest = "SELECT key FROM entries ORDER BY used LIMIT ?"
            db.execute(f"DELETE FROM entries WHERE key IN ({oldest})", (surplus,))  # noqa: S608  no value is in it

    def _work(self, work: Callable[[sqlite3.Connection], T], default: T) -> T:
        """One piece of work; after a second failure, or one that is nobody's fault, without the cache."""
        for attempt in range(2):
            try:
                with contextlib.closing(self._connect()) as db:
                    return work(db)
            except sqlite3.Error as error:
                code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
                if attempt or code & 0xFF not in _BROKEN:
                    log.info("the reference cache %s is not used: %s", self.path, error)
                    break
                log.warning("the reference cache %s is broken and made anew: %s", self.path, error)
                self._remove()
            except OSError as error:
                log.info("the reference cache %s is not used: %s", self.path, error)
                break
        return default

    def _connect(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        db = sqlite3.connect(self.path, timeout=WAIT_S, isolation_level=None)
        try:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            db.execute("PRAGMA synchronous = NORMAL")
            if version != SCHEMA:
                self._lay_out(db, version)
        except BaseException:
            db.close()
            raise
        return db

    def _lay_out(self, db: sqlite3.Connection, version: int) -> None:
        """Another process may do the same at this moment: who is second finds it done."""
        db.execute("PRAGMA journal_mode = WAL")
        with _transaction(db):
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version == SCHEMA:
                return
            names = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            for (name,) in names.fetchall():
                quoted = name.replace('"', '""')
                db.execute(f'DROP TABLE "{quoted}"')
            for statement in _TABLES.strip().split("\n"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {SCHEMA}")

    def _remove(self) -> None:
        for ending in ("", "-wal", "-shm", "-journal"):
            with contextlib.suppress(OSError):
                Path(f"{self.path}{ending}").unlink()


_SIZES = ("page_count", "freelist_count", "page_size")


def seal(key: bytes, body: bytes) -> bytes:
    """The body with a check that it belongs under the key and is whole."""
    return short_hash(key + body)[:_CHECK_SIZE] + body


def unseal(key: bytes, sealed: object) -> bytes | None:
    """The body; None when it is not whole, or lies under another's key."""
    if not isinstance(sealed, bytes) or len(sealed) < _CHECK_SIZE:
        return None
    body = sealed[_CHECK_SIZE:]
    return body if sealed[:_CHECK_SIZE] == short_hash(key + body)[:_CHECK_SIZE] else None


@contextmanager
def _transaction(db: sqlite3.Connection) -> Generator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")

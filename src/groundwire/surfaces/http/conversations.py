"""Where each conversation works: its directory, kept in a SQLite file, so that it outlives the front.

Several fronts may share the file. One that is broken is put aside and begun anew; that is said in the log.
Above: ``app``, ``conversation_routes``. Below: nothing.
"""

import asyncio
import contextlib
import logging
import os
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from groundwire.errors import InvalidArgument, WriteFailed

log = logging.getLogger(__name__)

LONGEST_ID = 200
FILE = "conversations.sqlite3"
_WAIT_S = 5.0
_TABLE = "CREATE TABLE IF NOT EXISTS conversations (id TEXT PRIMARY KEY, cwd BLOB NOT NULL, changed REAL NOT NULL)"
_SET = """
INSERT INTO conversations SELECT ?1, ?2, ?3
WHERE EXISTS (SELECT 1 FROM conversations WHERE id = ?1) OR (SELECT COUNT(*) FROM conversations) < ?4
ON CONFLICT (id) DO UPDATE SET cwd = excluded.cwd, changed = excluded.changed
"""
_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH})

T = TypeVar("T")


def check_id(conversation: str) -> str:
    """The same. Raises InvalidArgument for what is no id."""
    is_visible = all("!" <= character <= "~" and character != "/" for character in conversation)
    if not 1 <= len(conversation) <= LONGEST_ID or not is_visible:
        hint = f"An id has 1 to {LONGEST_ID} visible ASCII characters, none of them a slash."
        raise InvalidArgument("this is not the id of a conversation", hint=hint)
    return conversation


class Conversations:
    """One thread does all the work, a piece at a time. Each raises WriteFailed when there is no file to be had."""

    def __init__(self, directory: Path, most: int = 100_000) -> None:
        self.path = directory / FILE
        self._most = most
        self._thread = ThreadPoolExecutor(1, "conversations")
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    async def cwd(self, conversation: str) -> Path | None:
        """Where it works; None when nobody has said."""
        check_id(conversation)
        rows = await self._do(lambda db: _rows(db, "SELECT id, cwd FROM conversations WHERE id = ?", conversation))
        return rows.get(conversation)

    async def set_cwd(self, conversation: str, cwd: Path) -> None:
        """From now on there."""
        check_id(conversation)
        row = (conversation, os.fsencode(cwd), time.time(), self._most)
        if not await self._do(lambda db: db.execute(_SET, row).rowcount):
            raise WriteFailed(f"there are {self._most:,} conversations already", hint="Delete some of them.")

    async def remove(self, conversation: str) -> bool:
        """Whether there was one."""
        check_id(conversation)
        delete = "DELETE FROM conversations WHERE id = ?"
        return bool(await self._do(lambda db: db.execute(delete, (conversation,)).rowcount))

    async def all(self) -> dict[str, Path]:
        """Every one that has a directory of its own."""
        return await self._do(lambda db: _rows(db, "SELECT id, cwd FROM conversations"))

    def close(self) -> None:
        """What is being written is written first."""
        self._thread.submit(self._disconnect)
        self._thread.shutdown(wait=True)

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        done = asyncio.get_running_loop().run_in_executor(self._thread, self._worked, work)
        return await asyncio.shield(done)  # who hangs up meanwhile does not undo what it asked for

    def _worked(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What the work gives. A file that is broken is opened again first: another front may have begun it anew."""
        for is_opened_again in (False, True):
            try:
                return work(self._connect())
            except sqlite3.Error as error:
                self._disconnect()
                if not _is_broken(error):
                    raise self._failure(error) from None
                if is_opened_again:
                    log.warning("%s is broken (%s); it is put aside, and begun anew", self.path, error)
            except OSError as error:
                raise self._failure(error) from None
        try:
            self._put_aside()
            return work(self._connect())
        except (sqlite3.Error, OSError) as error:
            self._disconnect()
            raise self._failure(error) from None

    def _failure(self, error: Exception) -> WriteFailed:
        log.error("%s cannot be used: %s", self.path, error)
        return WriteFailed("what is known of conversations cannot be had", hint="The log of the service tells why.")

    def _connect(self) -> sqlite3.Connection:
        if self._db is not None and self._file != _file_at(self.path):
            self._disconnect()  # the file was removed or replaced: what is written to the old one nobody will read
        if self._db is None:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._db = sqlite3.connect(self.path, timeout=_WAIT_S, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute(_TABLE)
            self.path.chmod(0o600)
            self._file = _file_at(self.path)
        return self._db

    def _disconnect(self) -> None:
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    def _put_aside(self) -> None:
        """Somebody may want to look at it; only the last one is kept."""
        self.path.replace(self.path.with_suffix(".broken"))
        for ending in ("-wal", "-shm", "-journal"):
            Path(f"{self.path}{ending}").unlink(missing_ok=True)


def _file_at(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _rows(db: sqlite3.Connection, question: str, *values: str) -> dict[str, Path]:
    return {name: Path(os.fsdecode(cwd)) for name, cwd in db.execute(question, values)}


def _is_broken(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _BROKEN

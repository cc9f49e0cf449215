"""Where conversations work, and that this outlives whatever happens to the front and to the file."""

import asyncio
import logging
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.errors import InvalidArgument, WriteFailed
from groundwire.surfaces.http.conversations import FILE, Conversations

pytestmark = pytest.mark.anyio


@pytest.fixture
def store(tmp_path: Path) -> Generator[Conversations]:
    made = Conversations(tmp_path / "state")
    yield made
    made.close()


async def test_what_was_set_is_there_until_it_is_removed(store: Conversations) -> None:
    assert await store.cwd("a") is None
    await store.set_cwd("a", Path("/x"))
    await store.set_cwd("a", Path("/y"))
    await store.set_cwd("b", Path("/z"))
    assert await store.cwd("a") == Path("/y")
    assert await store.all() == {"a": Path("/y"), "b": Path("/z")}
    assert await store.remove("a")
    assert not await store.remove("a")
    assert await store.all() == {"b": Path("/z")}


async def test_it_is_there_for_the_next_process_and_for_one_beside(tmp_path: Path, store: Conversations) -> None:
    await store.set_cwd("a", Path("/x"))
    beside = Conversations(tmp_path / "state")
    assert await beside.cwd("a") == Path("/x")
    await beside.set_cwd("a", Path("/y"))
    assert await store.cwd("a") == Path("/y")
    beside.close()


async def test_only_this_user_can_read_it(store: Conversations) -> None:
    await store.set_cwd("a", Path("/x"))
    assert store.path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["", "x" * 201, "a b", "a/b", "a\n", "é", "a\0", "\x7f"])
async def test_what_is_no_id_is_refused(store: Conversations, name: str) -> None:
    with pytest.raises(InvalidArgument):
        await store.cwd(name)
    with pytest.raises(InvalidArgument):
        await store.set_cwd(name, Path("/x"))
    with pytest.raises(InvalidArgument):
        await store.remove(name)


@pytest.mark.parametrize("name", ["a", "x" * 200, "..", "%_?';--"])
async def test_an_id_may_look_like_anything_else(store: Conversations, name: str) -> None:
    await store.set_cwd(name, Path("/x"))
    assert await store.all() == {name: Path("/x")}


async def test_writers_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    stores = [Conversations(tmp_path) for _ in range(4)]
    writes = [
        each.set_cwd(f"{index}-{number}", Path("/x")) for index, each in enumerate(stores) for number in range(10)
    ]
    await asyncio.gather(*writes)
    assert len(await stores[0].all()) == 40
    for each in stores:
        each.close()


async def test_beyond_the_most_a_new_one_is_refused_and_a_known_one_is_not(tmp_path: Path) -> None:
    store = Conversations(tmp_path, most=2)
    await store.set_cwd("a", Path("/x"))
    await store.set_cwd("b", Path("/x"))
    with pytest.raises(WriteFailed, match="conversations already"):
        await store.set_cwd("c", Path("/x"))
    await store.set_cwd("b", Path("/y"))
    assert await store.all() == {"a": Path("/x"), "b": Path("/y")}
    store.close()


async def test_a_write_whose_asker_hangs_up_is_written_or_not_but_never_half(store: Conversations) -> None:
    await store.set_cwd("a", Path("/x"))
    task = asyncio.ensure_future(store.set_cwd("a", Path("/y")))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await store.cwd("a") == Path("/y")


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
async def test_a_broken_file_is_put_aside_and_begun_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    path = tmp_path / FILE
    path.write_bytes(content)
    store = Conversations(tmp_path)
    with caplog.at_level(logging.WARNING):
        assert await store.cwd("a") is None
        await store.set_cwd("a", Path("/x"))
    assert await store.cwd("a") == Path("/x")
    assert "is broken" in caplog.text
    assert path.with_suffix(".broken").read_bytes() == content
    store.close()


async def test_a_file_that_breaks_while_it_is_used_is_begun_anew(
    store: Conversations, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(40):
        await store.set_cwd(f"{number}", Path("/x" * 500))
    checkpoint = sqlite3.connect(store.path)
    checkpoint.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    checkpoint.close()
    with store.path.open("r+b") as file:
        file.write(b"\xff" * store.path.stat().st_size)
    assert await store.all() in ({}, {f"{number}": Path("/x" * 500) for number in range(40)})
    await store.set_cwd("a", Path("/y"))
    assert await store.cwd("a") == Path("/y")


async def test_another_table_of_that_name_is_put_aside(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("CREATE TABLE conversations (other TEXT)")
    other.close()
    store = Conversations(tmp_path)
    await store.set_cwd("a", Path("/x"))
    assert await store.cwd("a") == Path("/x")
    store.close()


async def test_a_file_that_was_removed_is_made_again(store: Conversations) -> None:
    await store.set_cwd("a", Path("/x"))
    for file in store.path.parent.iterdir():
        file.unlink()
    assert await store.cwd("a") is None
    await store.set_cwd("b", Path("/x"))
    assert store.path.exists()


async def test_where_no_file_can_be_it_says_so_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    store = Conversations(tmp_path / "state")
    for _ in range(2):
        with pytest.raises(WriteFailed, match="cannot be had"):
            await store.set_cwd("a", Path("/x"))
    (tmp_path / "state").unlink()
    await store.set_cwd("a", Path("/x"))
    store.close()


KILLED = """
import asyncio, os, sys
from pathlib import Path
from groundwire.surfaces.http.conversations import Conversations
async def write():
    store = Conversations(Path(sys.argv[1]))
    for number in range(20):
        await store.set_cwd(str(number), Path("/x"))
    os.kill(os.getpid(), 9)
asyncio.run(write())
"""


async def test_what_was_confirmed_is_there_when_the_process_was_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    await asyncio.to_thread(subprocess.run, command, check=False, timeout=30)
    store = Conversations(tmp_path)
    assert len(await store.all()) == 20
    store.close()

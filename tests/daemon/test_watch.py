"""Watching a daemon: first everything, then every change, and nothing while nobody watches."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.daemon.clients import Clients
from groundwire.daemon.greeting import Greeting
from groundwire.daemon.watch import WatchConversation
from groundwire.daemon.watch_messages import CallEnded, EditMade, FindingsChanged, ServersChanged, Snapshot
from groundwire.operations.diagnostics.diagnose import check_files
from groundwire.operations.editing.rename import rename_symbol
from groundwire.operations.journal import Journal
from groundwire.operations.navigation.search import find_symbol
from groundwire.operations.serving.stop_servers import stop_servers
from groundwire.operations.speculation.preview_edit import preview_edit
from groundwire.pool.pool import Pool
from tests.daemon.watchers import Watcher, watching
from tests.operations.toy_project import ask, zoo

pytestmark = pytest.mark.anyio

_EVERY_S = 0.02
_WRONG = "class Animal\n    😀 this is wrong here\n"


@asynccontextmanager
async def watched(pool: Pool, tmp_path: Path, **options: str) -> AsyncGenerator[Watcher]:
    async with watching(WatchConversation(pool, _EVERY_S), pool, tmp_path / "socket", **options) as watcher:
        yield watcher


async def checked(pool: Pool, *names: str) -> None:
    await check_files(pool, [pool.workspace / name for name in names])


async def test_the_first_thing_told_is_everything(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        (pool.workspace / "animals.toy").write_text(_WRONG, "utf-8")
        await ask(pool, find_symbol, query="bark")
        await checked(pool, "animals.toy")
        async with watched(pool, tmp_path) as watcher:
            told = await watcher.hear()
    assert isinstance(told, Snapshot)
    (server,) = told.servers
    assert (told.root, server.server, server.state) == (str(pool.workspace), "well_read", "active")
    assert server.memory_mb is not None
    assert server.memory_mb > 1
    assert [(each.operation, each.outcome) for each in told.calls] == [("find_symbol", "confirmed")]
    assert [(each.operation, each.count, sum(each.buckets)) for each in told.tallies] == [("find_symbol", 1, 1)]
    assert [(each.starts, each.crashes, each.restarts) for each in told.counts] == [(1, 0, 0)]
    (file,) = told.findings
    (finding,) = file.findings
    # The server says that 14 units of the protocol are before it: that is 13 characters, for the smiley has two.
    assert (file.file, file.is_current, finding.line, finding.column) == ("animals.toy", True, 2, 14)
    assert (finding.severity, finding.server, finding.text) == ("error", "well_read", "    😀 this is wrong here")


async def test_who_wants_it_once_hears_it_once(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool, watched(pool, tmp_path, once="1") as watcher:
        assert isinstance(await watcher.hear(), Snapshot)
        assert await watcher.rest() == b""


async def test_a_call_is_told_when_it_has_ended(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool, watched(pool, tmp_path) as watcher:
        await watcher.first(Snapshot)
        await ask(pool, find_symbol, query="bark")
        news = await watcher.first(CallEnded)
    assert (news.call.operation, news.call.outcome, news.call.effect) == ("find_symbol", "confirmed", "reads")


async def test_an_edit_is_told_with_what_it_did(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool, watched(pool, tmp_path) as watcher:
        await watcher.first(Snapshot)
        await ask(pool, rename_symbol, symbol="bark", new_name="woof", apply=True)
        edit = (await watcher.first(EditMade)).edit
    assert (edit.tool, edit.status, sorted(edit.files)) == ("rename_symbol", "applied", ["animals.toy", "voices.toy"])


async def test_findings_come_and_go_with_edits_on_disk_that_nobody_asks_about(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool, watched(pool, tmp_path) as watcher:
        await watcher.first(Snapshot)
        await checked(pool, "animals.toy", "voices.toy")
        (pool.workspace / "animals.toy").write_text(_WRONG, "utf-8")
        news = await watcher.first(FindingsChanged, lambda each: each.files[0].findings)
        assert [(each.file, each.is_current) for each in news.files] == [("animals.toy", True)]
        (pool.workspace / "animals.toy").write_text("class Animal\n", "utf-8")
        clean = await watcher.until(lambda seen: not seen.findings)
    assert clean.findings == ()


async def test_findings_go_with_their_file(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool, watched(pool, tmp_path) as watcher:
        (pool.workspace / "animals.toy").write_text(_WRONG, "utf-8")
        await checked(pool, "animals.toy")
        await watcher.until(lambda seen: seen.findings)
        (pool.workspace / "animals.toy").unlink()
        gone = await watcher.until(lambda seen: not seen.findings)
    assert gone.findings == ()


async def test_a_server_that_is_killed_is_told_and_nobody_vouches_for_its_findings(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool, watched(pool, tmp_path) as watcher:
        (pool.workspace / "animals.toy").write_text(_WRONG, "utf-8")
        await checked(pool, "animals.toy")
        await watcher.until(lambda seen: seen.findings and seen.servers[0].state == "active")
        (instance,) = pool.instances()
        pool_process = instance.session.transport
        assert pool_process is not None
        await pool_process.close()
        news = await watcher.first(ServersChanged, lambda each: each.servers[0].state == "idle")
        assert news.servers[0].reason
        assert [(each.crashes, each.restarts) for each in news.counts] == [(1, 0)]
        doubted = await watcher.until(lambda seen: not seen.findings[0].is_current)
        assert doubted.findings[0].findings
        await checked(pool, "animals.toy")
        again = await watcher.until(lambda seen: seen.findings[0].is_current and seen.servers[0].state == "active")
    assert [(each.starts, each.crashes, each.restarts) for each in again.counts] == [(2, 1, 1)]


async def test_a_server_that_was_stopped_stays_stopped_while_somebody_watches(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool, watched(pool, tmp_path) as watcher:
        await checked(pool, "animals.toy")
        await watcher.until(lambda seen: seen.servers and seen.servers[0].state == "active")
        answer = await ask(pool, stop_servers, server_id="well_read")
        assert answer.value.stopped == 1
        (pool.workspace / "animals.toy").write_text(_WRONG, "utf-8")
        idle = await watcher.until(lambda seen: seen.servers[0].state == "idle")
        assert idle.servers[0].reason == "somebody stopped it"
        await _looks(5)
        assert pool.instances() == ()


async def test_what_a_server_says_of_content_that_is_not_on_disk_is_told_to_nobody(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool, watched(pool, tmp_path) as watcher:
        await watcher.first(Snapshot)
        await checked(pool, "lonely.toy")
        answer = await ask(pool, preview_edit, file_path="lonely.toy", old_text="nobody", new_text="wrong")
        assert answer.value.verdict == "breaks"
        await watcher.first(CallEnded, lambda each: each.call.operation == "preview_edit")
        await _looks(5)
        (pool.workspace / "voices.toy").write_text("this is wrong\n", "utf-8")
        await checked(pool, "voices.toy")
        seen = await watcher.until(lambda seen: seen.findings)
    assert [each.file for each in seen.findings] == ["voices.toy"]


async def test_many_findings_are_told_in_part_and_how_many_more_there_are(tmp_path: Path) -> None:
    names = [f"file{number:03}.toy" for number in range(203)]
    files = dict.fromkeys(names, "wrong\n") | {"file000.toy": "wrong\n" * 60}
    async with zoo(tmp_path, files=files) as pool, watched(pool, tmp_path) as watcher:
        await watcher.first(Snapshot)
        await checked(pool, names[0])
        await watcher.until(lambda seen: seen.findings)
        await checked(pool, *names)
        seen = await watcher.until(lambda seen: seen.more_files)
    first = seen.findings[0]
    assert (len(seen.findings), first.file, len(first.findings), first.more) == (200, "file000.toy", 50, 10)
    assert seen.more_files <= 3


async def test_a_watcher_that_does_not_read_is_not_waited_for_and_begins_anew(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool, watched(pool, tmp_path) as watcher:
        await watcher.first(Snapshot)
        journal = pool.kept.get(Journal)
        for number in range(30_000):
            journal.note_call(f"operation{number}", "reads", outcome="confirmed", elapsed_ms=1.0)
            if not number % 1000:
                await asyncio.sleep(0)
        told = await watcher.until(lambda seen: seen.calls and seen.calls[-1].operation == "operation29999")
    assert len(told.calls) == 100


async def test_nothing_runs_for_watchers_that_are_gone(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        before = len(asyncio.all_tasks())
        async with watched(pool, tmp_path) as watcher:
            await watcher.first(Snapshot)
            assert pool.kept.get(Journal).listeners
        assert (pool.kept.get(Journal).listeners, pool.seen) == ([], [])
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) <= before + 1


async def test_two_watchers_are_told_the_same(tmp_path: Path) -> None:
    async with zoo(tmp_path) as pool:
        conversation = WatchConversation(pool, _EVERY_S)
        async with (
            watching(conversation, pool, tmp_path / "one") as one,
            watching(conversation, pool, tmp_path / "two") as two,
        ):
            await one.first(Snapshot)
            await two.first(Snapshot)
            await ask(pool, find_symbol, query="bark")
            assert (await one.first(CallEnded)) == (await two.first(CallEnded))


def test_who_watches_is_no_client_that_keeps_a_daemon_alive() -> None:
    clients = Clients(lambda: 5.0)
    with clients.present(Greeting("watch", "/root", "http")):
        assert (len(clients), clients.all) == (0, ())


async def _looks(number: int) -> None:
    """As long as so many looks take, at least."""
    done = asyncio.Event()
    asyncio.get_running_loop().call_later(number * _EVERY_S, done.set)
    await done.wait()

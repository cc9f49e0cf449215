"""Bringing a server up to date: what it believes is what the disk holds, told in the order of a writing editor."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.client.session import RECONFIGURE
from groundwire.client.sync import (
    announce,
    close_file,
    close_surplus,
    send_late_saves,
    sync_file,
    sync_open_documents,
    uri_of,
)
from groundwire.errors import FileNotFound, FileTooLarge, GroundwireError, NotAFile
from groundwire.workspace.changes import ChangeKind, FileChange
from groundwire.workspace.rules import ReadinessRule, SaveCheck, SettleRule, TangleRule
from tests.fakes.server import FakeServer, Json, running_session, toy_options

pytestmark = pytest.mark.anyio

WATCHED = "workspace/didChangeWatchedFiles"
QUIET = {"textDocumentSync": {"openClose": True, "change": 2}}


def toy(root: Path, name: str, text: str = "one\ntwo\n") -> Path:
    path = root / name
    path.write_bytes(text.encode())
    return path


def changed(path: Path) -> FileChange:
    return FileChange(str(path), ChangeKind.CHANGED)


def believed(server: FakeServer, path: Path) -> str:
    return server.documents[path.as_uri()].text


async def told(server: FakeServer) -> list[str]:
    """What was told since the start, once all of it has arrived."""
    await server.caught_up()
    return server.methods[2:]


async def test_a_file_is_opened_with_its_text_language_and_first_version(tmp_path: Path):
    path = toy(tmp_path, "ä b.toy", "größe\r\n")
    async with running_session(toy_options(tmp_path)) as (session, server):
        document = sync_file(session, path, "toy")
        assert await told(server) == ["textDocument/didOpen"]
        assert believed(server, path) == "größe\r\n"
        assert server.documents[path.as_uri()].language == "toy"
        assert server.documents[path.as_uri()].version == document.version == 1


async def test_a_file_that_did_not_change_is_not_told_again(tmp_path: Path):
    path = toy(tmp_path, "a.toy")
    async with running_session(toy_options(tmp_path)) as (session, server):
        sync_file(session, path, "toy")
        sync_file(session, path, "toy")
        assert await told(server) == ["textDocument/didOpen"]


async def test_a_file_is_not_read_twice_for_one_question_but_is_for_the_next(tmp_path: Path):
    path = toy(tmp_path, "a.toy")
    async with running_session(toy_options(tmp_path)) as (session, server):
        asked_at = session.now()
        sync_file(session, path, "toy")
        toy(tmp_path, "a.toy", "newer\n")
        assert sync_file(session, path, "toy", since=asked_at - 1).text == "one\ntwo\n"
        assert sync_file(session, path, "toy", since=session.now()).text == "newer\n"
        assert await told(server) == ["textDocument/didOpen", "textDocument/didChange", "textDocument/didSave"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes among files")
async def test_a_named_pipe_is_no_file_and_holds_nobody_up(tmp_path: Path):
    path = tmp_path / "a.toy"
    os.mkfifo(path)
    async with running_session(toy_options(tmp_path)) as (session, _):
        with pytest.raises(NotAFile):
            sync_file(session, path, "toy")


async def test_an_edit_from_outside_is_told_as_a_range_then_saved_before_the_next_question(tmp_path: Path):
    path = toy(tmp_path, "a.toy", "one\ntwo\nthree\n")
    async with running_session(toy_options(tmp_path), {"question": 1}) as (session, server):
        sync_file(session, path, "toy")
        toy(tmp_path, "a.toy", "one\n2\nthree\n")
        sync_file(session, path, "toy")
        await session.request("question")
        assert server.methods[3:] == ["textDocument/didChange", "textDocument/didSave", "question"]
        change = server.all("textDocument/didChange")[0]
        assert change["contentChanges"][0]["range"]["start"] == {"line": 1, "character": 0}
        assert change["contentChanges"][0]["text"] == "2"
        assert believed(server, path) == "one\n2\nthree\n"


async def test_a_server_that_takes_only_whole_texts_gets_whole_texts(tmp_path: Path):
    path = toy(tmp_path, "a.toy", "one\n")
    async with running_session(toy_options(tmp_path), capabilities={"textDocumentSync": 1}) as (session, server):
        sync_file(session, path, "toy")
        toy(tmp_path, "a.toy", "two\n")
        sync_file(session, path, "toy")
        await server.caught_up()
        assert server.all("textDocument/didChange")[0]["contentChanges"] == [{"text": "two\n"}]
        assert believed(server, path) == "two\n"


@pytest.mark.parametrize(
    ("save", "expected"),
    [(None, []), (False, []), (True, [None]), ({"includeText": True}, ["two\n"]), ({}, [None])],
)
async def test_a_save_is_told_as_the_server_wants_it(tmp_path: Path, save: Json, expected: list[str | None]):
    path = toy(tmp_path, "a.toy", "one\n")
    sync = {"openClose": True, "change": 2, "save": save}
    async with running_session(toy_options(tmp_path), capabilities={"textDocumentSync": sync}) as (session, server):
        sync_file(session, path, "toy")
        toy(tmp_path, "a.toy", "two\n")
        sync_file(session, path, "toy")
        await server.caught_up()
        assert [saved.get("text") for saved in server.all("textDocument/didSave")] == expected


async def test_watched_files_are_told_after_the_change_and_the_save_of_an_open_document(tmp_path: Path):
    path, other = toy(tmp_path, "a.toy"), toy(tmp_path, "b.toy")
    async with running_session(toy_options(tmp_path)) as (session, server):
        await server.register(WATCHED, {"watchers": [{"globPattern": "**/*.toy"}]})
        sync_file(session, path, "toy")
        toy(tmp_path, "a.toy", "other\n")
        announce(session, [changed(other), changed(path)])
        assert (await told(server))[1:] == ["textDocument/didChange", "textDocument/didSave", WATCHED]
        assert {event["uri"] for event in server.all(WATCHED)[0]["changes"]} == {path.as_uri(), other.as_uri()}
        assert believed(server, path) == "other\n"


async def test_a_deleted_file_is_closed_and_what_was_said_of_it_forgotten(tmp_path: Path):
    path = toy(tmp_path, "a.toy")
    async with running_session(toy_options(tmp_path)) as (session, server):
        sync_file(session, path, "toy")
        server.publish(path.as_uri(), "wrong", version=1)
        await server.caught_up()
        path.unlink()
        announce(session, [FileChange(str(path), ChangeKind.DELETED)])
        assert (await told(server))[1:] == ["textDocument/didClose", WATCHED]
        assert session.state.diagnostics.record(path.as_uri()).pushed is None
        assert server.documents == {}


async def test_a_file_that_is_opened_again_never_repeats_a_version(tmp_path: Path):
    path = toy(tmp_path, "a.toy")
    async with running_session(toy_options(tmp_path)) as (session, server):
        sync_file(session, path, "toy")
        close_file(session, uri_of(path))
        assert sync_file(session, path, "toy").version == 2
        await server.caught_up()
        assert server.documents[path.as_uri()].version == 2


async def test_the_least_used_documents_are_closed_when_too_many_are_open(tmp_path: Path):
    a, b, c = (toy(tmp_path, name) for name in ("a.toy", "b.toy", "c.toy"))
    async with running_session(toy_options(tmp_path, max_open_documents=2)) as (session, server):
        for path in (a, b, a, c):
            sync_file(session, path, "toy")
            await asyncio.sleep(1)
        assert WATCHED not in await told(server)
        assert len(server.documents) == 3
        close_surplus(session)
        await server.caught_up()
        assert sorted(server.documents) == [a.as_uri(), c.as_uri()]
        assert server.all("textDocument/didClose") == [{"textDocument": {"uri": b.as_uri()}}]


async def test_every_open_document_can_be_compared_with_the_disk(tmp_path: Path):
    a, b, c = (toy(tmp_path, name) for name in ("a.toy", "b.toy", "c.toy"))
    async with running_session(toy_options(tmp_path), capabilities=QUIET) as (session, server):
        for path in (a, b, c):
            sync_file(session, path, "toy")
        toy(tmp_path, "a.toy", "new\n")
        b.unlink()
        sync_open_documents(session)
        await server.caught_up()
        assert {uri: opened.text for uri, opened in server.documents.items()} == {
            a.as_uri(): "new\n",
            c.as_uri(): "one\ntwo\n",
        }


def make_missing(path: Path) -> None:
    path.unlink()


def make_binary(path: Path) -> None:
    path.write_bytes(b"\x7fELF\0\0")


def make_large(path: Path) -> None:
    path.write_bytes(b"x" * 1001)


def make_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


TROUBLES = [
    (make_missing, FileNotFound),
    (make_binary, NotAFile),
    (make_large, FileTooLarge),
    (make_directory, NotAFile),
    (make_loop, NotAFile),
]


@pytest.mark.parametrize(("spoil", "error"), TROUBLES)
async def test_a_file_that_cannot_be_read_as_text_is_typed_and_closed(
    tmp_path: Path, spoil: Callable[[Path], None], error: type[GroundwireError]
):
    path = toy(tmp_path, "a.toy")
    async with running_session(toy_options(tmp_path, max_file_size=1000)) as (session, server):
        sync_file(session, path, "toy")
        spoil(path)
        with pytest.raises(error, match=r"a\.toy"):
            sync_file(session, path, "toy")
        await server.caught_up()
        assert server.documents == {}


@pytest.mark.parametrize(("spoil", "error"), TROUBLES)
async def test_an_open_file_that_became_unreadable_does_not_hold_up_news_of_the_others(
    tmp_path: Path, spoil: Callable[[Path], None], error: type[GroundwireError]
):
    path, other = toy(tmp_path, "a.toy"), toy(tmp_path, "b.toy")
    async with running_session(toy_options(tmp_path, max_file_size=1000)) as (session, server):
        sync_file(session, path, "toy")
        sync_file(session, other, "toy")
        spoil(path)
        toy(tmp_path, "b.toy", "new\n")
        announce(session, [changed(path), changed(other)])
        await server.caught_up()
        assert {uri: opened.text for uri, opened in server.documents.items()} == {other.as_uri(): "new\n"}


async def test_a_change_from_before_the_server_registered_watchers_is_told_at_once_and_again_then(
    tmp_path: Path,
):
    path = toy(tmp_path, "b.toy")
    async with running_session(toy_options(tmp_path)) as (session, server):
        announce(session, [changed(path)])
        await server.register(WATCHED, {"watchers": [{"globPattern": "**/*.toy"}]})
        before = session.state.documents.clock
        announce(session, [])
        announce(session, [])
        await server.caught_up()
        assert server.all(WATCHED) == [{"changes": [{"uri": path.as_uri(), "type": 2}]}] * 2
        assert session.state.documents.clock > before


async def test_a_change_that_nobody_ever_watches_is_not_kept_for_ever(tmp_path: Path):
    path = toy(tmp_path, "b.toy")
    async with running_session(toy_options(tmp_path, registration_wait=10.0)) as (session, server):
        announce(session, [changed(path)])
        await asyncio.sleep(11)
        announce(session, [])
        assert not session.state.unwatched
        await server.register(WATCHED, {"watchers": [{"globPattern": "**/*.toy"}]})
        announce(session, [])
        assert (await told(server)).count(WATCHED) == 1  # when it happened


async def test_a_new_file_is_told_of_as_changed_too_where_it_may_have_been_read_half_written(tmp_path: Path):
    path = toy(tmp_path, "b.toy")
    options = toy_options(tmp_path, settle=SettleRule(rereads_created=True))
    async with running_session(options) as (session, server):
        announce(session, [FileChange(str(path), ChangeKind.CREATED)])
        await server.caught_up()
        assert [event["type"] for event in server.all(WATCHED)[0]["changes"]] == [2, 1]


async def test_what_was_checked_before_the_server_heard_of_another_file_is_not_proven(tmp_path: Path):
    path, other = toy(tmp_path, "a.toy"), toy(tmp_path, "b.toy")
    async with running_session(toy_options(tmp_path)) as (session, server):
        await server.register(WATCHED, {"watchers": [{"globPattern": "**/*.toy"}]})
        document = sync_file(session, path, "toy")
        toy(tmp_path, "a.toy", "newer\n")
        announce(session, [changed(path), changed(other)])
        assert document.told_at < session.state.documents.clock


NASTY_TEXTS = [
    "",
    "a",
    "a\r\nb",
    "a\rb\nc\r\n",
    "größe 😀\n",
    "😀😀\n\u2028x",
    "a\r\nb😀",
    "\n\n\n",
    "x" * 5000 + "\n😀",
    "",
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_after_any_edit_the_server_believes_what_the_disk_holds(tmp_path: Path, encoding: str):
    path = toy(tmp_path, "a.toy")
    async with running_session(toy_options(tmp_path), capabilities={"positionEncoding": encoding}) as (session, server):
        for before in NASTY_TEXTS:
            for after in NASTY_TEXTS:
                for text in (before, after):
                    toy(tmp_path, "a.toy", text)
                    sync_file(session, path, "toy")
                await server.caught_up()
                assert believed(server, path) == after


async def test_an_open_file_is_told_once_where_twice_is_too_often_and_again_when_it_closes(tmp_path: Path):
    settle = SettleRule(tells_open_files=False)
    async with running_session(toy_options(tmp_path, settle=settle, watches=("**/*",))) as (session, server):
        path = tmp_path / "a.toy"
        path.write_text("one\n", "utf-8")
        sync_file(session, path, "toy")
        path.write_text("two\n", "utf-8")
        announce(session, [FileChange(str(path), ChangeKind.CHANGED)])
        await server.caught_up()
        assert "workspace/didChangeWatchedFiles" not in server.methods
        assert server.documents[uri_of(path)].text == "two\n"
        close_file(session, uri_of(path))
        await server.caught_up()
        assert server.methods[-2:] == ["textDocument/didClose", "workspace/didChangeWatchedFiles"]


async def test_directories_that_are_gone_with_their_files_are_told_of_where_that_is_needed(tmp_path: Path):
    options = toy_options(tmp_path, settle=SettleRule(tells_directories=True), watches=("**",))
    async with running_session(options) as (session, server):
        (tmp_path / "kept").mkdir()
        names = ["kept/a.toy", "gone/sub/a.toy", "gone/b.toy"]
        announce(session, [FileChange(str(tmp_path / name), ChangeKind.DELETED) for name in names])
        await server.caught_up()
        events = server.all(WATCHED)[0]["changes"]
        assert [each["uri"] for each in events] == [uri_of(tmp_path / name) for name in (*names, "gone/sub", "gone")]
        assert {each["type"] for each in events} == {ChangeKind.DELETED}


async def test_a_save_that_can_wait_is_told_when_it_is_asked_for(tmp_path: Path):
    async with running_session(toy_options(tmp_path, settle=SettleRule(saves_late=True))) as (session, server):
        path = tmp_path / "a.toy"
        for text in ("one\n", "two\n", "three\n"):
            path.write_text(text, "utf-8")
            sync_file(session, path, "toy")
        await server.caught_up()
        assert "textDocument/didSave" not in server.methods
        send_late_saves(session)
        await server.caught_up()
        assert server.methods.count("textDocument/didSave") == 1


async def test_of_files_that_one_check_looks_at_together_one_save_is_told(tmp_path: Path) -> None:
    rule = SettleRule(saves_late=True, save_check=SaveCheck(name="check", token_prefix="check", unit="unit.toml"))
    for unit in ("one", "other"):
        (tmp_path / unit / "src").mkdir(parents=True)
        (tmp_path / unit / "unit.toml").write_text("")
    names = ["one/a.toy", "one/src/b.toy", "one/src/c.toy", "other/src/d.toy"]
    async with running_session(toy_options(tmp_path, settle=rule)) as (session, server):
        for text in ("before", "after"):
            for name in names:
                (tmp_path / name).write_text(text)
                sync_file(session, tmp_path / name, "toy")
        send_late_saves(session)
        await server.caught_up()
        assert server.methods.count("textDocument/didSave") == 2


async def test_a_server_that_does_not_say_that_it_looked_for_files_is_made_to_look_at_everything(tmp_path: Path):
    rule = ReadinessRule(rescans_on_new=(".toy",), rescan_log=("Found ",), rescan_nudge_ms=1)
    options = toy_options(tmp_path, readiness=rule, settings={"toy": {"depth": 3}})
    async with running_session(options) as (session, server):
        await server.register(WATCHED, {"watchers": [{"globPattern": "**/*.toy"}]})
        announce(session, [FileChange(str(tmp_path / "gone.toy"), ChangeKind.DELETED)])
        await server.until_heard(RECONFIGURE, times=2)  # the first is part of every start
        assert server.all(RECONFIGURE)[1] == {"settings": {"toy": {"depth": 3}}}
        assert session.state.readiness.is_rescan_expected
        server.tell("window/logMessage", {"type": 3, "message": "Found 2 source files"})
        await server.ask("workspace/workspaceFolders")
        assert not session.state.readiness.is_rescan_expected


async def test_of_new_files_a_sign_counts_only_once_the_server_has_read_of_them(tmp_path: Path):
    rule = ReadinessRule(rescans_on_new=(".toy",), rescan_log=("Found ",), rescan_grace_ms=60_000)

    def is_complete() -> bool:
        return session.state.readiness.gate("references", session.now()).is_open

    async def log(message: str) -> None:
        server.tell("window/logMessage", {"type": 3, "message": message})
        await server.ask("workspace/workspaceFolders")

    async with running_session(toy_options(tmp_path, readiness=rule)) as (session, server):
        await server.register(WATCHED, {"watchers": [{"globPattern": "**/*.toy"}]})
        server.tell("window/logMessage", {"type": 3, "message": "Found 0 source files"})
        announce(session, [FileChange(str(tmp_path / "one.toy"), ChangeKind.CREATED)])
        announce(session, [FileChange(str(tmp_path / "two.toy"), ChangeKind.CREATED)])
        await server.until_heard(WATCHED, times=3)  # whether it has looked for the second one already nobody knows
        assert server.all(WATCHED)[1] == server.all(WATCHED)[2]
        assert not is_complete()
        await log("Found 2 source files")
        assert is_complete()
        announce(session, [FileChange(str(tmp_path / "one.toy"), ChangeKind.CHANGED)])
        assert is_complete()


TANGLES = TangleRule(message="^circle", ending=".toy", head_ends="^(body)", binding="^needs", notice="made/notice")


def notices(server: FakeServer) -> int:
    """How often it was told of the file whose change makes it look at everything."""
    return sum(event["uri"].endswith("/made/notice") for told in server.all(WATCHED) for event in told["changes"])


async def test_the_first_change_of_a_closed_file_may_end_a_tangle_where_one_is_told_of(tmp_path: Path):
    one, two, other = toy(tmp_path, "a.toy"), toy(tmp_path, "b.toy"), toy(tmp_path, "other.txt")
    async with running_session(toy_options(tmp_path, settle=SettleRule(tangles=TANGLES))) as (session, server):
        await server.register(WATCHED, {"watchers": [{"globPattern": "**/*"}]})
        announce(session, [changed(other)])
        await server.caught_up()
        assert notices(server) == 0
        server.publish(two.as_uri(), "circle of files", version=None)
        await server.caught_up()
        announce(session, [changed(other)])
        await server.caught_up()
        assert notices(server) == 0
        announce(session, [changed(one), changed(two)])
        await server.caught_up()
        assert notices(server) == 1
        announce(session, [changed(one), changed(two)])
        await server.caught_up()
        assert notices(server) == 1


async def test_a_later_change_of_a_closed_file_ends_a_tangle_by_what_it_loses(tmp_path: Path):
    path = toy(tmp_path, "a.toy", "needs b\nbody\n")
    async with running_session(toy_options(tmp_path, settle=SettleRule(tangles=TANGLES))) as (session, server):
        announce(session, [FileChange(str(path), ChangeKind.CREATED)])
        announce(session, [changed(toy(tmp_path, "a.toy", "needs b\nneeds c\nbody\n"))])
        await server.caught_up()
        assert notices(server) == 0
        announce(session, [changed(toy(tmp_path, "a.toy", "needs c\nbody\n"))])
        await server.caught_up()
        assert notices(server) == 1
        path.unlink()
        announce(session, [changed(path)])
        await server.caught_up()
        assert notices(server) == 2


async def test_an_open_file_ends_a_tangle_only_where_it_loses_what_binds_it(tmp_path: Path):
    path = toy(tmp_path, "a.toy", "needs b\nbody\n")
    async with running_session(toy_options(tmp_path, settle=SettleRule(tangles=TANGLES))) as (session, server):
        sync_file(session, path, "toy")
        server.publish(path.as_uri(), "circle of files", version=None)
        await server.caught_up()
        announce(session, [changed(toy(tmp_path, "a.toy", "needs b\nbody of more\n"))])
        await server.caught_up()
        assert notices(server) == 0
        announce(session, [changed(toy(tmp_path, "a.toy", "body of more\n"))])
        assert [each.removeprefix("textDocument/") for each in (await told(server))[-3:]] == [
            "didChange",
            WATCHED,
            "didSave",
        ]
        assert notices(server) == 1

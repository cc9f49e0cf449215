"""A session with several folders: each is answered for by its own settings, and watched like the first."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from groundwire.client.sync import announce, sync_file
from groundwire.pool.folders import FolderSession
from groundwire.workspace.changes import ChangeKind, FileChange
from groundwire.workspace.rules import ReadinessRule
from tests.fakes.instances import FakeProcess
from tests.fakes.server import FakeServer, Json, toy_options
from tests.fakes.virtual_time import VIRTUAL_TIME

pytestmark = pytest.mark.anyio

WATCHED = "workspace/didChangeWatchedFiles"
CHANGED = "workspace/didChangeWorkspaceFolders"


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Callable[[], asyncio.AbstractEventLoop]]]:
    """Asyncio on a clock that jumps."""
    return VIRTUAL_TIME


@asynccontextmanager
async def conversation(root: Path, **options: object) -> AsyncGenerator[tuple[FolderSession, FakeServer]]:
    """A started session whose first folder is ``one``."""
    for name in ("one", "two"):
        (root / name).mkdir()
    process = FakeProcess(toy_options(root / "one", settings={"toy": {"word": "first"}}, **options))
    await process.begin()
    try:
        yield process.session, process.server
    finally:
        await process.end()


def join(session: FolderSession, root: Path) -> None:
    session.add_folder(root / "two", {"toy": {"word": "second"}})


async def asked_for_settings(server: FakeServer, *items: Json) -> Json:
    return await server.ask("workspace/configuration", {"items": list(items)})


async def test_the_server_is_told_of_a_folder_that_joins_and_one_that_leaves(tmp_path: Path):
    async with conversation(tmp_path) as (session, server):
        join(session, tmp_path)
        two = {"uri": (tmp_path / "two").as_uri(), "name": "two"}
        assert await server.until_heard(CHANGED) == {"event": {"added": [two], "removed": []}}
        assert [folder["name"] for folder in await server.ask("workspace/workspaceFolders")] == ["one", "two"]
        session.remove_folder(tmp_path / "two")
        assert await server.until_heard(CHANGED, 2) == {"event": {"added": [], "removed": [two]}}
        assert [folder["name"] for folder in await server.ask("workspace/workspaceFolders")] == ["one"]
        session.remove_folder(tmp_path / "two")
        await server.caught_up()
        assert len(server.all(CHANGED)) == 2, "it left once"


async def test_settings_are_those_of_the_folder_that_is_asked_about(tmp_path: Path):
    async with conversation(tmp_path) as (session, server):
        join(session, tmp_path)
        answers = await asked_for_settings(
            server,
            {"section": "toy.word"},
            {"section": "toy.word", "scopeUri": (tmp_path / "one").as_uri()},
            {"section": "toy.word", "scopeUri": (tmp_path / "two").as_uri()},
            {"section": "toy.word", "scopeUri": (tmp_path / "two/deep/a.toy").as_uri()},
            {"section": "toy.word", "scopeUri": (tmp_path / "twofold").as_uri()},
            {"section": "toy.word", "scopeUri": "untitled:nowhere"},
            {"section": "other", "scopeUri": (tmp_path / "two").as_uri()},
            {"scopeUri": (tmp_path / "two").as_uri()},
        )
        assert answers == ["first", "first", "second", "second", "first", "first", {}, {"toy": {"word": "second"}}]


async def test_a_section_that_nobody_set_is_null_where_the_server_wants_it_so(tmp_path: Path):
    async with conversation(tmp_path, unknown_settings="null") as (session, server):
        join(session, tmp_path)
        assert await asked_for_settings(server, {"section": "x", "scopeUri": (tmp_path / "two").as_uri()}) == [None]


def changed(*paths: Path) -> list[FileChange]:
    return [FileChange(str(path), ChangeKind.CREATED) for path in paths]


@pytest.mark.parametrize("registers", ["before", "after"])
async def test_what_is_watched_is_watched_in_every_folder(tmp_path: Path, registers: str):
    options = {"watchers": [{"globPattern": "*.toy"}]}
    async with conversation(tmp_path) as (session, server):
        if registers == "before":
            await server.register(WATCHED, options, id="w")
        join(session, tmp_path)
        if registers == "after":
            await server.register(WATCHED, options, id="w")
        files = [tmp_path / "one/a.toy", tmp_path / "two/b.toy", tmp_path / "two/deep/c.toy"]
        announce(session, changed(*files))
        told = await server.until_heard(WATCHED)
        assert [change["uri"] for change in told["changes"]] == [file.as_uri() for file in files[:2]]
        unregistration = {"unregisterations": [{"id": "w", "method": WATCHED}]}
        await server.ask("client/unregisterCapability", unregistration)
        announce(session, changed(tmp_path / "one/d.toy", tmp_path / "two/d.toy"))
        await server.caught_up()
        assert len(server.all(WATCHED)) == 1


async def test_what_the_data_says_is_watched_is_watched_in_every_folder(tmp_path: Path):
    async with conversation(tmp_path, watches=("*.lock",)) as (session, server):
        join(session, tmp_path)
        announce(session, changed(tmp_path / "two/toy.lock"))
        assert len((await server.until_heard(WATCHED))["changes"]) == 1
        session.remove_folder(tmp_path / "two")
        announce(session, changed(tmp_path / "two/other.lock"))
        await server.caught_up()
        assert len(server.all(WATCHED)) == 1


async def test_files_of_a_folder_that_leaves_are_closed_and_others_stay_open(tmp_path: Path):
    async with conversation(tmp_path) as (session, server):
        join(session, tmp_path)
        for name in ("one/a.toy", "two/b.toy"):
            (tmp_path / name).write_text("text\n")
            sync_file(session, tmp_path / name, "toy")
        session.remove_folder(tmp_path / "two")
        await server.until_heard(CHANGED, 2)
        assert list(server.documents) == [(tmp_path / "one/a.toy").as_uri()]


async def test_what_was_said_of_having_loaded_counts_no_more_once_a_folder_has_joined(tmp_path: Path):
    rule = ReadinessRule(progress_titles=("Indexing",), gates_diagnostics=True)
    async with conversation(tmp_path, readiness=rule) as (session, server):

        async def load() -> None:
            server.begin("1", "Indexing")
            server.end("1")
            await server.caught_up()

        def is_loaded() -> bool:
            return session.state.readiness.gate("diagnostics", session.now()).is_open

        await load()
        assert is_loaded()
        clock = session.state.documents.clock
        join(session, tmp_path)
        assert not is_loaded()
        assert session.state.documents.clock > clock
        await load()
        assert is_loaded()

"""What the front knows of workspaces: live, from daemons that it never starts."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest

from groundwire.surfaces.http.workspace_feeds import MOST_EVENTS, Event, Feeds
from groundwire.surfaces.http.workspaces import Workspaces, WorkspaceView
from tests.daemon.homes import Home, within

pytestmark = pytest.mark.anyio

_WAIT_S = 30.0


async def heard(events: AsyncGenerator[Event], kind: str) -> Event:
    """The next of its kind."""
    async with asyncio.timeout(_WAIT_S):
        async for event in events:
            if event.kind == kind:
                return event
    raise AssertionError(f"it ended without {kind}")


async def seen(workspaces: Workspaces, is_so: Callable[[WorkspaceView], object]) -> WorkspaceView:
    """The only workspace, once it is so."""
    events = workspaces.subscribe()
    async with asyncio.timeout(_WAIT_S):
        async for _ in events:
            (view,) = workspaces.snapshot()
            if is_so(view):
                await events.aclose()
                return view
    raise AssertionError("it ended before")


async def test_a_workspace_is_followed_from_before_its_daemon_begins_until_after_it_ends(home: Home) -> None:
    async with Workspaces(home.environment) as workspaces:
        workspaces.want(home.root)
        events = workspaces.subscribe()
        stopped = json.loads((await heard(events, "stopped")).data)
        assert (stopped["workspace"], stopped["kind"]) == (str(home.root), "stopped")
        assert (home.status(), workspaces.snapshot()[0].is_running) == (None, False)
        pid = await asyncio.to_thread(home.start)
        snapshot = json.loads((await heard(events, "snapshot")).data)
        assert (snapshot["workspace"], snapshot["kind"], snapshot["pid"]) == (str(home.root), "snapshot", pid)
        await asyncio.to_thread(home.check, "animals.toy")
        call = json.loads((await heard(events, "call")).data)
        assert (call["workspace"], call["call"]["operation"]) == (str(home.root), "command_check_files")
        view = await seen(workspaces, lambda view: view.snapshot and view.snapshot.servers)
        assert (view.is_running, view.root) == (True, str(home.root))
        await asyncio.to_thread(home.stop)
        await heard(events, "stopped")
        assert (workspaces.snapshot()[0].is_running, workspaces.snapshot()[0].snapshot) == (False, None)
        await events.aclose()


async def test_a_daemon_that_was_killed_is_seen_to_be_gone_and_the_next_is_found(home: Home) -> None:
    async with Workspaces(home.environment) as workspaces:
        await asyncio.to_thread(home.start)
        workspaces.want(home.root)
        events = workspaces.subscribe()
        first = json.loads((await heard(events, "snapshot")).data)["pid"]
        home.daemons()[0].kill()
        await heard(events, "stopped")
        await asyncio.to_thread(home.start)
        assert json.loads((await heard(events, "snapshot")).data)["pid"] != first
        await events.aclose()


async def test_a_file_whose_name_is_no_text_does_not_blind_whoever_watches(home: Home) -> None:
    name = os.fsdecode(b"odd\xff.toy")
    home.configure(takes_any_name=True)
    (home.root / name).write_text("wrong\n", "utf-8")
    async with Workspaces(home.environment) as workspaces:
        await asyncio.to_thread(home.start)
        workspaces.want(home.root)
        check = [sys.executable, "-m", "groundwire", "check", name]
        process = await asyncio.create_subprocess_exec(*check, cwd=home.root, env=home.environment, stdout=PIPE)
        async with asyncio.timeout(_WAIT_S):
            await process.communicate()
        assert process.returncode == 1
        view = await seen(workspaces, lambda view: view.snapshot and view.snapshot.findings)
        assert view.snapshot is not None
        assert [each.file for each in view.snapshot.findings] == [r"odd\xff.toy"]


async def test_what_cannot_be_looked_at_is_said_and_looked_at_again(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    async with Workspaces(home.environment) as workspaces:
        with monkeypatch.context() as patched:
            patched.setattr("groundwire.surfaces.http.workspaces.house_of", refuse)
            workspaces.want(home.root)
            view = await seen(workspaces, lambda view: view.problem)
            assert "Permission denied" in view.problem
        await asyncio.to_thread(home.start)
        assert (await seen(workspaces, lambda view: view.is_running)).problem == ""


def _uptime_s(workspaces: Workspaces) -> float:
    snapshot = workspaces.snapshot()[0].snapshot
    assert snapshot is not None
    return snapshot.uptime_s


async def test_how_long_things_last_goes_on_between_news(home: Home) -> None:
    async with Workspaces(home.environment) as workspaces:
        await asyncio.to_thread(home.start)
        workspaces.want(home.root)
        view = await seen(workspaces, lambda view: view.snapshot)
        assert view.snapshot is not None
        told = view.snapshot.uptime_s
        assert await asyncio.to_thread(within, lambda: _uptime_s(workspaces) > told)


async def test_the_same_workspace_by_another_name_is_watched_once(home: Home, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(home.root)
    async with Workspaces(home.environment) as workspaces:
        workspaces.want(home.root)
        workspaces.want(link)
        assert [view.root for view in workspaces.snapshot()] == [str(home.root)]


async def test_closing_ends_whoever_listens(home: Home) -> None:
    workspaces = Workspaces(home.environment)
    workspaces.want(home.root)
    listening = asyncio.create_task(heard(workspaces.subscribe(), "nothing of the kind"))
    assert await asyncio.to_thread(within, lambda: workspaces.subscribers)
    await workspaces.close()
    with pytest.raises(AssertionError, match="ended without"):
        await listening
    assert workspaces.subscribers == 0


async def test_a_listener_that_falls_behind_begins_anew_and_holds_up_nobody() -> None:
    feeds = Feeds(lambda: [("/w", "snapshot", b"{}")])
    slow, fast = feeds.listen(), feeds.listen()
    assert [(await anext(each)).kind for each in (slow, fast)] == ["snapshot", "snapshot"]
    for number in range(MOST_EVENTS + 500):
        feeds.tell("/w", "call", b"%d" % number)
        assert (await anext(fast)).data == b"%d" % number
    lagging, anew = await anext(slow), await anext(slow)
    assert (lagging.kind, json.loads(lagging.data)["dropped"], anew.kind) == ("lagging", MOST_EVENTS + 500, "snapshot")
    feeds.tell("/w", "call", b"after")
    assert (await anext(slow)).data == b"after"
    for each in (slow, fast):
        await each.aclose()
    assert len(feeds) == 0


async def test_who_listens_to_one_workspace_hears_of_no_other() -> None:
    feeds = Feeds(lambda: [("/a", "snapshot", b"a"), ("/b", "snapshot", b"b")])
    listening = feeds.listen("/b")
    assert (await anext(listening)).data == b"b"
    feeds.tell("/a", "call", b"1")
    feeds.tell("/b", "call", b"2")
    assert (await anext(listening)).data == b"2"
    await listening.aclose()

"""What becomes of sessions, subscriptions and calls over HTTP when their daemon is killed."""

import asyncio
import json

import psutil
import pytest

from tests.daemon.homes import Home
from tests.surfaces.http.front import Front, serving
from tests.surfaces.http.mcp_clients import (
    Events,
    Session,
    message_of,
    modern,
    modern_headers,
    session_of,
    text_of,
    until,
)

pytestmark = pytest.mark.anyio

URI = "lsp-diagnostics:///a.toy"


def kill_daemon(home: Home) -> psutil.Process:
    (daemon,) = home.daemons()
    daemon.kill()
    daemon.wait(10)
    return daemon


async def test_what_was_agreed_with_a_daemon_holds_with_the_next_one(home: Home) -> None:
    home.fill(home.root, {"a.toy": "wrong\n"})
    with serving(Front(home, "--profile=full")) as front:
        async with session_of(front) as subscriber, session_of(front) as skilled:
            await subscriber.post("resources/subscribe", uri=URI)
            assert "voices.toy" in await subscriber.use("find_references", symbol="shout")
            await skilled.use("activate_skill", skill_name="lsp-safe-edit", mode="block")
            first = kill_daemon(home)
            await _a_session_outlives_its_daemon_with_its_subscriptions(subscriber, home, first)
            await _a_skill_outlives_the_daemon_of_its_session(skilled)
        await _who_listens_is_told_what_changes_and_is_told_by_the_next_daemon_too(front)


async def _a_session_outlives_its_daemon_with_its_subscriptions(
    session: Session, home: Home, first: psutil.Process
) -> None:
    assert "voices.toy" in await session.use("find_references", symbol="shout")
    (second,) = home.daemons()
    assert second.pid != first.pid
    async with session.listening() as events:
        again = await events.message()  # nobody looked between the two
        assert again["method"] == "notifications/resources/updated"
        home.fill(home.root, {"a.toy": "well\n"})
        assert (await events.message())["params"]["uri"] == URI


async def _a_skill_outlives_the_daemon_of_its_session(session: Session) -> None:
    assert "setup" in await session.use("get_skill_phase")
    edit = {"file_path": "lonely.toy", "old_text": "nobody", "new_text": "somebody"}
    assert "PhaseViolation" in await session.use("apply_edit", **edit)


async def _who_listens_is_told_what_changes_and_is_told_by_the_next_daemon_too(front: Front) -> None:
    home = front.home
    message = modern("subscriptions/listen", "mine", notifications={"resourceSubscriptions": [URI]})
    headers = {**modern_headers(message), "Content-Type": "application/json"}
    async with front.async_client() as http:
        body = json.dumps({"jsonrpc": "2.0", **message})
        async with http.stream("POST", "/mcp", content=body, headers=headers) as response:
            assert response.headers["content-type"].startswith("text/event-stream")
            events = Events(response)
            assert (await events.message())["method"] == "notifications/subscriptions/acknowledged"
            home.fill(home.root, {"a.toy": "wrong\n"})
            told = await events.message()
            assert told["params"]["uri"] == URI
            assert told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "mine"
            kill_daemon(home)
            again = await events.message()
            assert (again["method"], again["params"]["uri"]) == ("notifications/resources/updated", URI)
            home.fill(home.root, {"a.toy": "well again\n"})
            assert (await events.message())["method"] == "notifications/resources/updated"


async def test_a_daemon_that_is_killed_while_it_reads_is_asked_again_and_one_that_wrote_is_not(home: Home) -> None:
    home.configure(server="mute_in_its_first_life")
    home.fill(home.root, {"a.toy": "fish\nfish\n"})
    with serving(Front(home)) as front:
        async with session_of(front) as reader, session_of(front) as writer:
            place = {"file_path": "a.toy", "line": 1, "column": 1, "include_declaration": True}
            reading = asyncio.create_task(reader.call("find_references", **place))
            await until(lambda: home.log.count("textDocument/references") >= 1)
            edit = {"file_path": "a.toy", "old_text": "fish\nfish", "new_text": "bird\nbird"}
            writing = asyncio.create_task(writer.call("apply_edit", **edit))
            await until(lambda: home.log.count("textDocument/diagnostic") >= 1)
            home.daemons()[0].kill()
            assert "2 references" in text_of(message_of(await reading))
            told = message_of(await writing)["result"]
            assert told["structuredContent"]["kind"] == "SessionDead"
            assert (home.root / "a.toy").read_text() == "fish\nfish\n"
            await writer.use("apply_edit", **edit)
            assert (home.root / "a.toy").read_text() == "bird\nbird\n"

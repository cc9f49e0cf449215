"""Where sessions work, and what becomes of them when their daemon ends."""

import asyncio

import pytest

from tests.daemon.homes import Home
from tests.surfaces.http.front import Front, serving
from tests.surfaces.http.mcp_clients import Session, ask_modern, message_of, modern, session_of, text_of, until

pytestmark = pytest.mark.anyio

HERE = {"Groundwire-Conversation": "talk"}


async def settle_in(front: Front, name: str, directory: str) -> None:
    async with front.async_client() as http:
        answer = await http.put(f"/conversations/{name}/cwd", json={"cwd": str(front.home.root / directory)})
        assert answer.is_success, answer.text


async def test_a_session_names_files_from_the_directory_of_its_conversation(home: Home) -> None:
    home.fill(home.root, {"part/a.toy": "def inner()\n", "a.toy": "def outer()\n"})
    (home.root / ".git").mkdir()
    with serving(Front(home)) as front:
        await settle_in(front, "talk", "part")
        async with session_of(front, **HERE) as session, session_of(front) as elsewhere:
            listed = await session.use("list_symbols", file_path="a.toy")
            assert "inner" in listed
            assert "part/a.toy" in listed
            assert "outer" in await session.use("list_symbols", file_path="../a.toy")
            assert "outer" in await elsewhere.use("list_symbols", file_path="a.toy")
            other = await session.send({"id": 1, "method": "ping"}, **{"Groundwire-Conversation": "another"})
            assert other.status_code == 400
            params = {"_meta": {"groundwire/conversation": "another"}}
            assert (await session.send({"id": 1, "method": "ping", "params": params})).status_code == 400
            named = await elsewhere.send({"id": 1, "method": "ping"}, **HERE)
            assert named.status_code == 400
        async with front.async_client() as http:
            meta = {"groundwire/conversation": "talk"}
            by_meta = Session(http)
            await by_meta.greet(_meta=meta)
            assert "inner" in await by_meta.use("list_symbols", file_path="a.toy")
            message = modern("tools/call", name="list_symbols", arguments={"file_path": "a.toy"}, _meta=meta)
            assert "inner" in text_of(message_of(await ask_modern(http, message)))
            await settle_in(front, "talk", "")
            assert "outer" in text_of(message_of(await ask_modern(http, message)))
            assert (await Session(http, **{"Groundwire-Conversation": "a/b"}).greet()).status_code == 400
        assert len(home.daemons()) == 1


async def test_conversations_in_different_workspaces_are_served_by_daemons_of_their_own(home: Home) -> None:
    others = [home.fill(home.directory / name, {"a.toy": f"def of_{name}()\n"}) for name in ("first", "second")]
    with serving(Front(home, roots=(home.root, *others))) as front:
        for other in others:
            await settle_in(front, other.name, str(other))
        for other in others:
            async with session_of(front, **{"Groundwire-Conversation": other.name}) as session:
                assert f"of_{other.name}" in await session.use("list_symbols", file_path="a.toy")
        assert len(home.daemons()) == 2


async def test_a_session_outlives_daemons_with_its_subscriptions(front: Front) -> None:
    home = front.home
    home.fill(home.root, {"a.toy": "wrong\n"})
    async with session_of(front) as session:
        await session.post("resources/subscribe", uri="lsp-diagnostics:///a.toy")
        assert "voices.toy" in await session.use("find_references", symbol="shout")
        (first,) = home.daemons()
        first.kill()
        first.wait(10)
        assert "voices.toy" in await session.use("find_references", symbol="shout")
        (second,) = home.daemons()
        assert second.pid != first.pid
        async with session.listening() as events:
            again = await events.message()  # nobody looked between the two
            assert again["method"] == "notifications/resources/updated"
            home.fill(home.root, {"a.toy": "well\n"})
            assert (await events.message())["params"]["uri"] == "lsp-diagnostics:///a.toy"


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


async def test_without_a_daemon_every_question_is_told_why(home: Home) -> None:
    home.config_file.write_text("nonsense = [", "utf-8")
    with serving(Front(home)) as front:
        async with session_of(front) as session:
            answer = message_of(await session.call("find_symbol", query="x"))["result"]
            assert answer["isError"]
            assert "config.toml" in text_of({"result": answer})
            listed = (await session.post("tools/list")).json()
            assert "config.toml" in listed["error"]["message"]
            home.configure()
            assert "voices.toy" in await session.use("find_references", symbol="shout")

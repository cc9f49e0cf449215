"""Where sessions work."""

from pathlib import Path

import pytest

from tests.daemon.homes import Home
from tests.surfaces.http.front import Front, serving
from tests.surfaces.http.mcp_clients import Session, ask_modern, message_of, modern, session_of, text_of

pytestmark = pytest.mark.anyio

HERE = {"Groundwire-Conversation": "talk"}


async def settle_in(front: Front, name: str, directory: str) -> None:
    async with front.async_client() as http:
        answer = await http.put(f"/conversations/{name}/cwd", json={"cwd": str(front.home.root / directory)})
        assert answer.is_success, answer.text


async def test_a_session_works_in_the_directory_of_its_conversation_or_is_told_why_it_cannot(home: Home) -> None:
    home.fill(home.root, {"part/a.toy": "def inner()\n", "a.toy": "def outer()\n"})
    (home.root / ".git").mkdir()
    others = [home.fill(home.directory / name, {"a.toy": f"def of_{name}()\n"}) for name in ("first", "second")]
    home.config_file.write_text("nonsense = [", "utf-8")
    with serving(Front(home, roots=(home.root, *others))) as front:
        await _without_a_daemon_every_question_is_told_why(front)
        await _a_session_names_files_from_the_directory_of_its_conversation(front)
        assert _roots_of_daemons(home) == [home.root]
        await _conversations_in_different_workspaces_are_served_by_daemons_of_their_own(front, others)
        assert _roots_of_daemons(home) == sorted([home.root, *others])


def _roots_of_daemons(home: Home) -> list[Path]:
    return sorted(Path(daemon.cmdline()[-1]) for daemon in home.daemons())


async def _without_a_daemon_every_question_is_told_why(front: Front) -> None:
    async with session_of(front) as session:
        answer = message_of(await session.call("find_symbol", query="x"))["result"]
        assert answer["isError"]
        assert "config.toml" in text_of({"result": answer})
        listed = (await session.post("tools/list")).json()
        assert "config.toml" in listed["error"]["message"]
        front.home.configure()
        assert "voices.toy" in await session.use("find_references", symbol="shout")


async def _a_session_names_files_from_the_directory_of_its_conversation(front: Front) -> None:
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


async def _conversations_in_different_workspaces_are_served_by_daemons_of_their_own(
    front: Front, others: list[Path]
) -> None:
    for other in others:
        await settle_in(front, other.name, str(other))
    for other in others:
        async with session_of(front, **{"Groundwire-Conversation": other.name}) as session:
            assert f"of_{other.name}" in await session.use("list_symbols", file_path="a.toy")

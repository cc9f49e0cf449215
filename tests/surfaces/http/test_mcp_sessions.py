"""Clients that greet first, over HTTP, message by message."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from tests.daemon.agents import HELLO
from tests.daemon.homes import Home
from tests.surfaces.http.front import Front, serving
from tests.surfaces.http.mcp_clients import BOTH, Session, message_of, session_of, text_of

pytestmark = pytest.mark.anyio

SAYS = {"Content-Type": "application/json", "Accept": BOTH}


async def test_a_session_is_opened_by_a_greeting_and_ended_by_its_client(common: Front) -> None:
    async with common.async_client() as http:
        session = Session(http)
        hello = await session.greet()
        assert hello.headers["content-type"] == "application/json"
        assert hello.json()["result"]["protocolVersion"] == HELLO["protocolVersion"]
        assert len(session.headers["Mcp-Session-Id"]) == 32
        assert "voices.toy" in await session.use("find_references", symbol="shout")
        ended = await http.delete("/mcp", headers=session.headers)
        assert ended.status_code == 200
        gone = await session.call("find_references", symbol="shout")
        assert gone.status_code == 404
        assert gone.json()["error"]["message"] == "Session not found"
        assert (await http.delete("/mcp", headers=session.headers)).status_code == 404


async def test_the_root_takes_messages_as_the_endpoint_does(common: Front) -> None:
    async with common.async_client() as http:
        session = Session(http, "/")
        assert (await session.greet()).status_code == 200
        assert "voices.toy" in await session.use("find_references", symbol="shout")


REFUSED = [
    ({**SAYS, "Accept": "application/json"}, b"{}", 406),
    ({**SAYS, "Content-Type": "text/plain"}, b"{}", 415),
    (SAYS, b"not json", 400),
    (SAYS, b"{}", 400),
    (SAYS, b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400),
    (SAYS, b'{"jsonrpc":"2.0","id":1,"method":"ping"}', 400),
    (SAYS, b'{"jsonrpc":"2.0","id":null,"method":"ping"}', 400),
    (SAYS, b'{"jsonrpc":"2.0","id":true,"method":"ping"}', 400),
    (SAYS, b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', 400),
    ({**SAYS, "Mcp-Session-Id": "nobody"}, b'{"jsonrpc":"2.0","id":1,"method":"ping"}', 404),
    ({**SAYS, "Mcp-Session-Id": "nobody"}, b'{"jsonrpc":"2.0","method":"notifications/initialized"}', 404),
    ({**SAYS, "Mcp-Protocol-Version": "1999-01-01"}, b'{"jsonrpc":"2.0","id":1,"method":"ping"}', 400),
    (SAYS, b"[" * 100_000, 400),
    (SAYS, b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}', 400),
]


async def test_what_is_no_message_of_a_session_is_refused(common: Front) -> None:
    async with common.async_client() as http:
        for headers, body, status in REFUSED:
            answer = await http.post("/mcp", content=body, headers=headers)
            assert answer.status_code == status, (body[:100], answer.text)
            assert answer.json()["jsonrpc"] == "2.0"
            assert answer.json()["error"]["message"]
        assert (await http.put("/mcp", content=b"")).status_code == 405
        assert (await http.get("/mcp", headers={"Accept": "text/event-stream"})).status_code == 400
        assert (await http.get("/mcp", headers={"Accept": "application/json"})).status_code == 406
        session = Session(http)
        await session.greet()
        again = await session.post("initialize", **HELLO)
        assert again.status_code == 400
        assert (await session.send({"id": 3})).status_code == 400
        assert "error" in (await session.send({"id": 5, "method": "ping", "params": "odd"})).json()
        assert (await session.post("no/such/method")).json()["error"]["code"] == -32601
        assert "Traceback" not in common.said()


async def test_the_same_ids_from_two_clients_and_from_one_get_each_their_own_answers(common: Front) -> None:
    async with session_of(common) as one, session_of(common) as other:

        async def ask(session: Session, symbol: str) -> str:
            params = {"name": "find_symbol", "arguments": {"query": symbol}}
            answer = await session.send({"id": "same", "method": "tools/call", "params": params})
            assert message_of(answer)["id"] == "same"
            return text_of(message_of(answer))

        asked = [(session, symbol) for session in (one, other) for symbol in ("shout", "bark", "nobody") * 5]
        answers = await asyncio.gather(*(ask(*each) for each in asked))
        assert all(symbol in answer for (_, symbol), answer in zip(asked, answers, strict=True))


async def test_a_body_that_is_spread_over_lines_is_one_message(common: Front) -> None:
    async with session_of(common) as session:
        body = '{\n "jsonrpc": "2.0",\r\n "id": 7,\n "method": "tools/call",\n "params": {\n "name": "find_symbol",\n'
        body += '  "arguments": {\n "query": "shout"\n } } }'
        answer = await session.http.post("/mcp", content=body, headers={**SAYS, **session.headers})
        assert "shout" in text_of(message_of(answer))
        assert message_of(answer)["id"] == 7


async def test_what_one_session_did_another_cannot_undo(common: Front) -> None:
    common.home.fill(common.home.root, {"undone.toy": "def left_alone()\n"})
    undone = common.home.root / "undone.toy"
    async with session_of(common) as one, session_of(common) as other:
        edit = {"file_path": "undone.toy", "old_text": "left_alone", "new_text": "visited"}
        assert "undo_edit" in await one.use("apply_edit", **edit)
        await other.use("undo_edit")
        assert "visited" in undone.read_text()
        await one.use("undo_edit")
        assert "left_alone" in undone.read_text()


async def test_what_changes_is_told_on_the_stream_of_the_session_that_subscribed(common: Front) -> None:
    common.home.fill(common.home.root, {"a.toy": "wrong\n"})
    async with session_of(common) as session, session_of(common) as other:
        uri = "lsp-diagnostics:///a.toy"
        assert "error" not in (await session.post("resources/subscribe", uri=uri)).json()
        async with session.listening() as events, other.listening() as silent:
            second = await session.http.get("/mcp", headers={**session.headers, "Accept": "text/event-stream"})
            assert second.status_code == 409
            common.home.fill(common.home.root, {"a.toy": "well\n"})
            told = await events.message()
            assert told["method"] == "notifications/resources/updated"
            assert told["params"]["uri"] == uri
            await session.http.delete("/mcp", headers=session.headers)
            await other.http.delete("/mcp", headers=other.headers)
            with pytest.raises(StopAsyncIteration):
                await silent.message()


async def test_a_stream_is_kept_alive_and_one_that_was_left_can_be_opened_again(home: Home) -> None:
    with serving(Front(home, limits={"keep_alive_s": 0.2})) as front:
        async with session_of(front) as session:
            assert '"result":{}' in (await session.post("ping")).text
            for _ in range(3):
                async with session.listening() as events:
                    assert (await events.line()).startswith(":")
                assert await becomes(lambda: stream_status(session), 200)


async def stream_status(session: Session) -> int:
    headers = {**session.headers, "Accept": "text/event-stream"}
    async with session.http.stream("GET", "/mcp", headers=headers) as again:
        return again.status_code


async def becomes(status: Callable[[], Awaitable[int]], wanted: int) -> bool:
    """Whether it does, within limits."""
    async with asyncio.timeout(20):
        while await status() != wanted:  # noqa: ASYNC110  it cannot tell us
            await asyncio.sleep(0.01)
    return True


async def test_sessions_are_bounded_and_end_when_nobody_uses_them(home: Home) -> None:
    with serving(Front(home, limits={"sessions": 2, "session_idle_s": 1.0})) as front:
        async with front.async_client() as http:
            sessions = [Session(http), Session(http)]
            for session in sessions:
                assert (await session.greet()).status_code == 200
                assert (await session.post("ping")).json()["result"] == {}
            refused = await Session(http).post("initialize", **HELLO)
            assert refused.status_code == 503
            assert refused.headers["retry-after"]

            async def status_of_another() -> int:
                return (await Session(http).post("initialize", **HELLO)).status_code

            assert await becomes(status_of_another, 200)
            statuses = [(await session.post("ping")).status_code for session in sessions]
            assert 404 in statuses

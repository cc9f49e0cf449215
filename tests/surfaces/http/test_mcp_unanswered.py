"""Requests that nobody answers, over HTTP: who takes one back ends it, and who hangs up does so in one era only."""

import asyncio
import contextlib
from typing import Any

import pytest

from tests.daemon.homes import Home
from tests.surfaces.http.front import Front, serving
from tests.surfaces.http.mcp_clients import Session, ask_modern, modern, session_of, until

pytestmark = pytest.mark.anyio

ARGUMENTS = {"file_path": "a.toy", "line": 1, "column": 1, "include_declaration": True}
REFERENCES: dict[str, Any] = {"name": "find_references", "arguments": ARGUMENTS}


class Heard:
    """What the server heard of since this was made; all that was asked before has ended."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._asked = self._ended = 0
        self._asked, self._ended = self.asked, self.ended

    @property
    def asked(self) -> int:
        return self._home.log.count("textDocument/references") - self._asked

    @property
    def ended(self) -> int:
        return self._home.log.count("$/cancelRequest") - self._ended


async def test_requests_end_when_their_client_says_so_or_closes_the_answer_of_one_without_a_session(home: Home) -> None:
    home.configure(server="never_answers")
    home.fill(home.root, {"a.toy": "fish\nfish\n"})
    with serving(Front(home)) as front:
        for conversation in ("", "one"):
            await _closing_the_answer_ends_a_request_without_a_session(front, conversation)
        await _progress_comes_as_events_under_the_token_of_the_client(front)
        await _a_client_that_takes_its_request_back_ends_it_and_one_that_hangs_up_does_not(front)


async def _closing_the_answer_ends_a_request_without_a_session(front: Front, conversation: str) -> None:
    heard = Heard(front.home)
    async with front.async_client() as http:
        headers = {"Groundwire-Conversation": conversation} if conversation else {}
        asking = asyncio.create_task(ask_modern(http, modern("tools/call", **REFERENCES), **headers))
        await until(lambda: heard.asked >= 1)
        asking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asking
        await until(lambda: heard.ended == heard.asked)


async def _progress_comes_as_events_under_the_token_of_the_client(front: Front) -> None:
    heard = Heard(front.home)
    async with session_of(front) as session:
        params = {**REFERENCES, "_meta": {"progressToken": "mine"}}
        body = {"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": params}
        async with session.http.stream("POST", "/mcp", json=body, headers=session.headers) as response:
            assert response.headers["content-type"].startswith("text/event-stream")
            lines = response.aiter_lines()
            async with asyncio.timeout(30):
                first = await anext(line async for line in lines if line.startswith("data: "))
                assert '"progressToken":"mine"' in first
                told = await session.send({"method": "notifications/cancelled", "params": {"requestId": "slow"}})
                assert told.status_code == 202
                rest = [line async for line in lines if '"id":"slow"' in line]
        assert len(rest) == 1
        assert "-32800" in rest[0]
        await until(lambda: heard.ended >= 1)
        await session.http.delete("/mcp", headers=session.headers)
        await until(lambda: heard.ended == heard.asked)


async def _a_client_that_takes_its_request_back_ends_it_and_one_that_hangs_up_does_not(front: Front) -> None:
    heard = Heard(front.home)
    async with session_of(front) as session:
        left = asyncio.create_task(_references(session, "left"))
        await until(lambda: heard.asked >= 1)
        left.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await left
        before = heard.asked
        back = asyncio.create_task(_references(session, "back"))
        await until(lambda: heard.asked > before)
        assert heard.ended == 0
        await session.send({"method": "notifications/cancelled", "params": {"requestId": "back"}})
        answer = await asyncio.wait_for(back, 20)
        assert answer.json()["error"]["code"] == -32800
        await until(lambda: heard.ended >= 1)
        assert heard.ended < heard.asked
        await session.http.delete("/mcp", headers=session.headers)
        await until(lambda: heard.ended == heard.asked)


def _references(session: Session, request: str) -> Any:
    return session.send({"id": request, "method": "tools/call", "params": REFERENCES})

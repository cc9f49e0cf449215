"""A front that hands out no sessions: each request of a client that greeted is served by itself."""

import pytest

from tests.daemon.homes import Home
from tests.surfaces.http.front import Front, serving
from tests.surfaces.http.mcp_clients import ERAS, Session, sdk_client
from tests.surfaces.mcp.conversations import text_of

pytestmark = pytest.mark.anyio


async def test_a_front_without_sessions_serves_clients_of_either_era_and_keeps_what_conversations_left(
    home: Home,
) -> None:
    with serving(Front(home, limits={"is_stateless": True, "profile": "full"})) as front:
        await _a_greeting_gives_no_session_and_requests_need_none(front)
        await _what_a_request_left_is_there_for_its_conversation_alone(front)
        for era in ERAS:
            await _a_client_of_the_library_is_served(front, era)


async def _a_greeting_gives_no_session_and_requests_need_none(front: Front) -> None:
    async with front.async_client() as http:
        session = Session(http)
        hello = await session.greet()
        assert hello.json()["result"]["serverInfo"]["name"] == "groundwire"
        assert "mcp-session-id" not in hello.headers
        assert "voices.toy" in await session.use("find_references", symbol="shout")
        assert (await session.send({"method": "notifications/cancelled"})).status_code == 202
        for method in ("GET", "DELETE"):
            refused = await http.request(method, "/mcp", headers={"Accept": "text/event-stream"})
            assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


async def _what_a_request_left_is_there_for_its_conversation_alone(front: Front) -> None:
    lonely = front.home.root / "lonely.toy"
    async with front.async_client() as http:
        one, other, nobody = Session(http), Session(http), Session(http)
        one.headers["Groundwire-Conversation"] = "one"
        other.headers["Groundwire-Conversation"] = "other"
        await one.use("apply_edit", file_path="lonely.toy", old_text="nobody", new_text="somebody")
        for stranger in (other, nobody):
            await stranger.use("undo_edit")
            assert "somebody" in lonely.read_text()
        await one.use("undo_edit")
        assert "nobody" in lonely.read_text()


async def _a_client_of_the_library_is_served(front: Front, era: str) -> None:
    async with sdk_client(front, era) as client:
        assert "find_references" in [tool.name for tool in (await client.list_tools()).tools]
        for _ in range(3):
            assert "voices.toy" in text_of(await client.call_tool("find_references", {"symbol": "shout"}))

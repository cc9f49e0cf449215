"""A front that hands out no sessions: each request of a client that greeted is served by itself."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.surfaces.http.front import Front, shared_front
from tests.surfaces.http.mcp_clients import Session

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Generator[Front]:
    directory: Path = tmp_path_factory.mktemp("stateless")
    with shared_front(directory, {"is_stateless": True, "profile": "full"}) as started:
        yield started


async def test_a_greeting_gives_no_session_and_requests_need_none(front: Front) -> None:
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


async def test_what_a_request_left_is_there_for_its_conversation_alone(front: Front) -> None:
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

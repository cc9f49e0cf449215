"""Requests that say everything themselves, over HTTP."""

import asyncio
from typing import Any

import pytest

from tests.surfaces.http.front import Front
from tests.surfaces.http.mcp_clients import (
    MODERN,
    ask_modern,
    message_of,
    modern,
    modern_headers,
    sdk_client,
    text_of,
)

pytestmark = pytest.mark.anyio


def call(tool: str, request: int | str = 1, **arguments: Any) -> dict[str, Any]:
    return modern("tools/call", request, name=tool, arguments=arguments)


def in_conversation(message: dict[str, Any], name: str) -> dict[str, Any]:
    message["params"]["_meta"]["groundwire/conversation"] = name
    return message


async def test_what_does_not_agree_with_itself_is_refused_with_the_status_of_this_era(common: Front) -> None:
    async with common.async_client() as http:
        good = call("find_symbol", query="shout")
        assert (await ask_modern(http, good)).status_code == 200
        wrong_method = await ask_modern(http, good, **{"Mcp-Method": "tools/list"})
        wrong_name = await ask_modern(http, good, **{"Mcp-Name": "other"})
        wrong_version = await ask_modern(http, good, **{"Mcp-Protocol-Version": "2031-01-01"})
        bare = await ask_modern(http, {"id": 1, "method": "tools/list", "params": {}})
        for refused in (wrong_method, wrong_name, wrong_version, bare):
            assert refused.status_code == 400, refused.text
            assert refused.json()["id"] == 1
        assert wrong_method.json()["error"]["code"] == wrong_name.json()["error"]["code"] == -32020
        unknown = await ask_modern(http, modern("no/such/method"))
        assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, -32601)
        for method in ("GET", "DELETE"):
            headers = {"Mcp-Protocol-Version": MODERN, "Accept": "text/event-stream", "Mcp-Session-Id": "x"}
            assert (await http.request(method, "/mcp", headers=headers)).status_code == 405
        told = await ask_modern(http, {"method": "notifications/cancelled", "params": {"requestId": 1}})
        assert told.status_code == 202
        for odd in ("[]", '{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":[],"method":"ping"}'):
            headers = {**modern_headers(good), "Content-Type": "application/json"}
            assert (await http.post("/mcp", content=odd, headers=headers)).status_code == 400


async def test_requests_of_one_conversation_share_what_they_left_and_others_do_not(common: Front) -> None:
    common.home.fill(common.home.root, {"shared.toy": "def left_alone()\n"})
    shared = common.home.root / "shared.toy"
    async with common.async_client() as http:
        edit = call("apply_edit", file_path="shared.toy", old_text="left_alone", new_text="visited")
        answer = await ask_modern(http, edit, **{"Groundwire-Conversation": "one"})
        assert "undo_edit" in text_of(message_of(answer))
        for message in (call("undo_edit"), in_conversation(call("undo_edit"), "other")):
            assert (await ask_modern(http, message)).status_code == 200
            assert "visited" in shared.read_text()
        await ask_modern(http, in_conversation(call("undo_edit"), "one"))
        assert "left_alone" in shared.read_text()
        both = await ask_modern(http, in_conversation(call("undo_edit"), "one"), **{"Groundwire-Conversation": "b"})
        assert both.status_code == 400


async def test_the_library_listens_through_it(common: Front) -> None:
    common.home.fill(common.home.root, {"listened.toy": "wrong\n"})
    async with sdk_client(common, MODERN) as client:
        async with client.listen(resource_subscriptions=["lsp-diagnostics:///listened.toy"]) as events:
            common.home.fill(common.home.root, {"listened.toy": "well\n"})
            async with asyncio.timeout(30):
                event = await anext(events)
        assert "listened.toy" in str(event)

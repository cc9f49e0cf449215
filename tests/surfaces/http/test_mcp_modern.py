"""Requests that say everything themselves, over HTTP."""

import asyncio
import contextlib
import json
from typing import Any

import pytest

from tests.daemon.homes import Home
from tests.surfaces.http.front import Front, serving
from tests.surfaces.http.mcp_clients import (
    MODERN,
    Events,
    ask_modern,
    message_of,
    modern,
    modern_headers,
    sdk_client,
    text_of,
    until,
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


async def test_requests_of_one_conversation_share_what_they_left_and_others_do_not(home: Home) -> None:
    with serving(Front(home, "--profile=full")) as front:
        async with front.async_client() as http:
            edit = call("apply_edit", file_path="lonely.toy", old_text="nobody", new_text="somebody")
            answer = await ask_modern(http, edit, **{"Groundwire-Conversation": "one"})
            assert "undo_edit" in text_of(message_of(answer))
            for message in (call("undo_edit"), in_conversation(call("undo_edit"), "other")):
                assert (await ask_modern(http, message)).status_code == 200
                assert "somebody" in (home.root / "lonely.toy").read_text()
            await ask_modern(http, in_conversation(call("undo_edit"), "one"))
            assert "nobody" in (home.root / "lonely.toy").read_text()
            both = await ask_modern(http, in_conversation(call("undo_edit"), "one"), **{"Groundwire-Conversation": "b"})
            assert both.status_code == 400


@pytest.mark.parametrize("conversation", ["", "one"])
async def test_closing_the_answer_ends_the_request(home: Home, conversation: str) -> None:
    home.configure(server="never_answers")
    home.fill(home.root, {"a.toy": "fish\nfish\n"})
    with serving(Front(home)) as front:
        async with front.async_client() as http:
            headers = {"Groundwire-Conversation": conversation} if conversation else {}
            message = call("find_references", file_path="a.toy", line=1, column=1, include_declaration=True)
            asking = asyncio.create_task(ask_modern(http, message, **headers))
            await until(lambda: home.log.count("textDocument/references") >= 1)
            asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asking
            await until(lambda: home.log.count("$/cancelRequest") == home.log.count("textDocument/references"))


async def test_who_listens_is_told_what_changes_and_is_told_by_the_next_daemon_too(front: Front) -> None:
    front.home.fill(front.home.root, {"a.toy": "wrong\n"})
    uri = "lsp-diagnostics:///a.toy"
    message = modern("subscriptions/listen", "mine", notifications={"resourceSubscriptions": [uri]})
    headers = {**modern_headers(message), "Content-Type": "application/json"}
    async with front.async_client() as http:
        body = json.dumps({"jsonrpc": "2.0", **message})
        async with http.stream("POST", "/mcp", content=body, headers=headers) as response:
            assert response.headers["content-type"].startswith("text/event-stream")
            events = Events(response)
            assert (await events.message())["method"] == "notifications/subscriptions/acknowledged"
            front.home.fill(front.home.root, {"a.toy": "well\n"})
            told = await events.message()
            assert told["params"]["uri"] == uri
            assert told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "mine"
            (daemon,) = front.home.daemons()
            daemon.kill()
            daemon.wait(10)
            again = await events.message()
            assert (again["method"], again["params"]["uri"]) == ("notifications/resources/updated", uri)
            front.home.fill(front.home.root, {"a.toy": "wrong again\n"})
            assert (await events.message())["method"] == "notifications/resources/updated"


async def test_the_library_listens_through_it(common: Front) -> None:
    common.home.fill(common.home.root, {"listened.toy": "wrong\n"})
    async with sdk_client(common, MODERN) as client:
        async with client.listen(resource_subscriptions=["lsp-diagnostics:///listened.toy"]) as events:
            common.home.fill(common.home.root, {"listened.toy": "well\n"})
            async with asyncio.timeout(30):
                event = await anext(events)
        assert "listened.toy" in str(event)

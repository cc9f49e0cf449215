"""Which message of a daemon is for whom, without a daemon."""

import asyncio
import json
from typing import Any

import pytest

from groundwire.surfaces.http.mcp_demultiplexer import Demultiplexer, Exchange
from groundwire.surfaces.http.mcp_exchange import HUNG_UP, SILENCE, Outlet
from groundwire.surfaces.http.mcp_messages import Request, read_body, request_of

pytestmark = pytest.mark.anyio

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


def request(message: dict[str, Any]) -> Request:
    return request_of(read_body(json.dumps({"jsonrpc": "2.0", **message}).encode()))


def line(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()


async def heard(outlet: Outlet) -> list[Any]:
    """All that has come so far."""
    messages: list[Any] = []
    while (event := await outlet.next(0)).message:
        messages.append(json.loads(event.message))
    return messages


async def test_answers_find_those_who_asked_whatever_they_call_their_requests() -> None:
    traffic = Demultiplexer()
    exchanges = [traffic.begin(Request(name, "ping")) for name in (1, 1, "1", "ä")]
    for exchange in reversed(exchanges):
        traffic.heard(line(id=exchange.own_id, result={"own": exchange.own_id}))
    for exchange in exchanges:
        (answer,) = await heard(exchange)
        assert answer == {"jsonrpc": "2.0", "id": exchange.request.id, "result": {"own": exchange.own_id}}
    assert len(traffic) == 0


async def test_answers_are_understood_however_they_are_spelled() -> None:
    traffic = Demultiplexer()
    one, other = traffic.begin(Request(7, "ping")), traffic.begin(Request(8, "ping"))
    traffic.heard(f'{{"result": {{"id": 2}}, "id": {one.own_id}, "jsonrpc": "2.0"}}'.encode())
    traffic.heard(f'{{ "jsonrpc":"2.0", "error": {{"code": -1}}, "id": {other.own_id} }}'.encode())
    assert (await heard(one))[0]["result"] == {"id": 2}
    assert (await heard(other))[0] == {"jsonrpc": "2.0", "id": 8, "error": {"code": -1}}


async def test_progress_goes_to_its_request_under_the_token_of_the_client() -> None:
    traffic = Demultiplexer()
    asked = request({"id": 1, "method": "tools/call", "params": {"name": "x", "_meta": {"progressToken": "t"}}})
    exchange, other = traffic.begin(asked), traffic.begin(asked)
    sent = json.loads(asked.line(exchange.own_id))
    assert sent["params"] == {"name": "x", "_meta": {"progressToken": exchange.own_id}}
    params = {"progressToken": exchange.own_id, "progress": 1.5, "message": "loads"}
    traffic.heard(line(method="notifications/progress", params=params))
    (told,) = await heard(exchange)
    assert told["params"] == {**params, "progressToken": "t"}
    assert await heard(other) == []
    assert await heard(traffic.unsolicited) == []


async def test_news_of_a_subscription_go_to_it_under_the_id_of_the_client() -> None:
    traffic = Demultiplexer()
    exchange = traffic.begin(Request("mine", "subscriptions/listen"))
    meta = {SUBSCRIPTION: exchange.own_id}
    for _ in range(2):  # a second daemon says it again: what is watched may have changed meanwhile
        params = {"notifications": {"resourceSubscriptions": ["u"]}, "_meta": meta}
        traffic.heard(line(method="notifications/subscriptions/acknowledged", params=params))
    traffic.heard(line(method="notifications/resources/updated", params={"uri": "u", "_meta": meta}))
    traffic.heard(line(id=exchange.own_id, result={"_meta": meta}))
    methods = await heard(exchange)
    assert [each.get("method") for each in methods] == [
        "notifications/subscriptions/acknowledged",
        "notifications/resources/updated",
        "notifications/resources/updated",
        None,
    ]
    assert all(each["params"]["_meta"][SUBSCRIPTION] == "mine" for each in methods[:3])
    assert methods[1] == methods[2]
    assert methods[3] == {"jsonrpc": "2.0", "id": "mine", "result": {"_meta": {SUBSCRIPTION: "mine"}}}


async def test_what_belongs_to_no_request_is_unsolicited_and_what_is_about_one_that_is_gone_is_nobodys() -> None:
    traffic = Demultiplexer()
    gone = traffic.begin(Request(1, "tools/call", token=b'"t"'))
    traffic.drop(gone)
    traffic.heard(line(method="notifications/progress", params={"progressToken": gone.own_id, "progress": 1}))
    traffic.heard(line(id=gone.own_id, result={}))
    for stray in (b"nonsense", b"[]", line(id=None, error={"code": 1}), line(id=99, result={})):
        traffic.heard(stray)
    unasked = [
        {"method": "notifications/tools/list_changed"},
        {"method": "notifications/resources/updated", "params": {"uri": "u"}},
        {"id": 1, "method": "roots/list"},
        {"method": "notifications/message", "params": ["odd"]},
    ]
    for message in unasked:
        traffic.heard(line(**message))
    assert await heard(traffic.unsolicited) == [{"jsonrpc": "2.0", **message} for message in unasked]
    assert await gone.next(0) is HUNG_UP


async def test_a_request_that_was_taken_back_is_answered_once() -> None:
    traffic = Demultiplexer()
    exchange = traffic.begin(Request("x", "ping"))
    assert traffic.of_client("x") == [exchange]
    traffic.cancelled(exchange)
    traffic.heard(line(id=exchange.own_id, result={}))
    (answer,) = await heard(exchange)
    assert answer["error"]["code"] == -32800
    assert traffic.of_client("x") == []


async def test_everybody_who_waits_is_told_when_all_ends() -> None:
    traffic = Demultiplexer()
    exchange = traffic.begin(Request("x", "ping"))
    traffic.end(-1, "over")
    assert (await heard(exchange))[0]["error"] == {"code": -1, "message": "over"}
    assert await traffic.unsolicited.next(10) is HUNG_UP


async def test_an_outlet_wakes_its_reader_holds_a_bounded_number_and_tells_silence_from_the_end() -> None:
    outlet = Outlet(most=2)
    waiting = asyncio.create_task(outlet.next(20))
    await asyncio.sleep(0)
    outlet.put(b"1")
    assert (await asyncio.wait_for(waiting, 5)).message == b"1"
    assert await outlet.next(0.001) is SILENCE
    for number in range(5):
        outlet.put(b"%d" % number)
    assert [(await outlet.next(1)).message for _ in range(2)] == [b"3", b"4"]
    outlet.put(b"last", is_last=True)
    outlet.put(b"too late")
    assert await outlet.next(1) == (b"last", True)
    assert await outlet.next(1) is HUNG_UP


@pytest.mark.parametrize("meta", [None, [], "x", {"progressToken": True}, {"progressToken": {}}, {"other": 1}])
def test_what_is_said_beside_a_question_and_concerns_nobody_here_goes_on_as_it_is(meta: object) -> None:
    asked = request({"id": 1, "method": "m", "params": {"a": 1.0, "_meta": meta}})
    assert asked.token == b""
    assert json.loads(asked.line(5)) == {"jsonrpc": "2.0", "id": 5, "method": "m", "params": {"a": 1.0, "_meta": meta}}


def test_a_conversation_is_taken_out_of_what_goes_on() -> None:
    meta = {"groundwire/conversation": "c", "progressToken": 3}
    asked = request({"id": 1, "method": "m", "params": {"_meta": meta}})
    assert (asked.conversation, asked.token) == ("c", b"3")
    assert json.loads(asked.line(5))["params"] == {"_meta": {"progressToken": 5}}
    alone = request({"id": 1, "method": "m", "params": {"a": 2, "_meta": {"groundwire/conversation": "c"}}})
    assert json.loads(alone.line(5))["params"] == {"a": 2}


def test_an_exchange_is_one_of_a_kind() -> None:
    traffic = Demultiplexer()
    first, second = traffic.begin(Request(1, "ping")), traffic.begin(Request(1, "ping"))
    assert isinstance(first, Exchange)
    assert first.own_id != second.own_id
    assert traffic.of_client(1) == [first, second]

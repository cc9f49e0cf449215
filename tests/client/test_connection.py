"""The conversation with a server: answers to the right questions, typed failures, cancellation, retries."""

import asyncio
from collections.abc import Callable, Iterator

import msgspec
import pytest

from groundwire.client.connection import Connection, Limits
from groundwire.errors import CapabilityMissing, RequestTimeout, ServerError
from groundwire.transport.memory import memory_pair
from tests.client.conversation import Client, conversation, never

pytestmark = pytest.mark.anyio


def failing(*codes: int, then: object) -> Callable[[object], object]:
    """A handler that fails with those codes, one after the other, then answers."""
    left: Iterator[int] = iter(codes)

    def answer(_: object) -> object:
        code = next(left, None)
        if code is not None:
            raise ServerError(code, "not now")
        return then

    return answer


async def test_a_request_gets_its_answer():
    async with conversation({"add": lambda params: params["a"] + params["b"]}) as (connection, _, _client):
        assert msgspec.json.decode(await connection.request("add", {"a": 2, "b": 3}, timeout=1)) == 5


async def test_answers_in_another_order_reach_the_right_questions():
    async def slow(_: object) -> str:
        await asyncio.sleep(1)
        return "slow"

    async with conversation({"slow": slow, "quick": "quick"}) as (connection, _, _client):
        answers = await asyncio.gather(connection.request("slow", timeout=2), connection.request("quick", timeout=2))
        assert [bytes(answer) for answer in answers] == [b'"slow"', b'"quick"']


async def test_no_params_are_sent_where_none_are_given():
    async with conversation({"plain": 1}) as (connection, server, _):
        await connection.request("plain", timeout=1)
        assert server.heard[0].params is None


async def test_a_failure_of_the_server_keeps_its_code_and_words():
    async with conversation({"odd": failing(-32099, then=None)}) as (connection, _, _client):
        with pytest.raises(ServerError, match="odd: not now") as caught:
            await connection.request("odd", timeout=1)
        assert caught.value.code == -32099


async def test_a_request_that_is_not_answered_in_time_is_typed_and_cancelled_at_the_server():
    async with conversation({"never": never}) as (connection, server, _):
        loop = asyncio.get_running_loop()
        began = loop.time()
        with pytest.raises(RequestTimeout, match="never"):
            await connection.request("never", timeout=7)
        assert loop.time() - began == pytest.approx(7)
        await server.until(lambda: server.cancelled == ["never"])


async def test_a_caller_who_gives_up_cancels_the_request_at_the_server():
    async with conversation({"never": never}) as (connection, server, _):
        asking = asyncio.ensure_future(connection.request("never", timeout=60))
        await server.until_heard("never")
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await server.until(lambda: server.cancelled == ["never"])


async def test_an_answer_that_comes_too_late_is_swallowed_and_the_next_one_is_right():
    async def late(_: object) -> str:
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            return "late"
        return "in time"

    async with conversation({"late": late, "next": "next"}) as (connection, _, client):
        with pytest.raises(RequestTimeout):
            await connection.request("late", timeout=1)
        assert bytes(await connection.request("next", timeout=1)) == b'"next"'
        assert client.noise == []
        assert "0 pending" in repr(connection)


@pytest.mark.parametrize("code", [-32801, -32802, -32800])
async def test_what_the_server_asks_to_be_retried_is_retried_with_growing_pauses(code: int):
    handlers = {"busy": failing(code, code, code, then="done")}
    async with conversation(handlers, Limits(retry_delays_s=(0.5, 1.0, 2.0))) as (connection, server, _):
        loop = asyncio.get_running_loop()
        began = loop.time()
        assert bytes(await connection.request("busy", timeout=60)) == b'"done"'
        assert loop.time() - began == pytest.approx(0.5 + 1 + 2)
        assert server.methods == ["busy"] * 4


async def test_a_retry_that_would_miss_the_deadline_is_not_waited_for():
    handlers = {"busy": failing(-32801, -32801, then="done")}
    async with conversation(handlers, Limits(retry_delays_s=(0.5, 1.0))) as (connection, server, _):
        loop = asyncio.get_running_loop()
        began = loop.time()
        with pytest.raises(ServerError) as caught:
            await connection.request("busy", timeout=1.2)
        assert caught.value.code == -32801
        assert loop.time() - began == pytest.approx(0.5)
        assert server.methods == ["busy"] * 2


async def test_retries_end_even_where_there_is_time():
    limits = Limits(retry_delays_s=(0.1, 0.1))
    async with conversation({"busy": failing(*[-32801] * 9, then="done")}, limits) as (connection, server, _):
        with pytest.raises(ServerError):
            await connection.request("busy", timeout=60)
        assert server.methods == ["busy"] * 3


async def test_a_cancelled_request_that_is_not_to_be_sent_again_is_not():
    def cancelled(_: object) -> object:
        raise ServerError(-32802, "cancelled", data=b'{"retriggerRequest": false}')

    async with conversation({"busy": cancelled}) as (connection, server, _):
        with pytest.raises(ServerError):
            await connection.request("busy", timeout=60)
        assert server.methods == ["busy"]


async def test_another_failure_is_not_retried():
    async with conversation({"wrong": failing(-32602, then="done")}) as (connection, server, _):
        with pytest.raises(ServerError):
            await connection.request("wrong", timeout=60)
        assert server.methods == ["wrong"]


async def test_a_question_of_the_server_is_answered_at_once_or_later():
    async def later() -> str:
        await asyncio.sleep(3)
        return "later"

    async with conversation() as (_, server, client):
        client.answers["later"] = later
        assert await server.ask("double") == 42
        assert await server.ask("later") == "later"


async def refuse() -> object:
    raise CapabilityMissing("not here")


def stumble() -> object:
    raise ZeroDivisionError("by zero")


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [(refuse, -32803, "not here"), (stumble, -32603, "by zero"), (object, -32603, "object")],
)
async def test_a_question_that_we_fail_at_is_answered_with_an_error_and_the_conversation_goes_on(
    answer: Callable[[], object], code: int, words: str
):
    async with conversation({"next": 1}) as (connection, server, client):
        client.answers["odd"] = answer
        with pytest.raises(ServerError, match=words) as caught:
            await server.ask("odd")
        assert caught.value.code == code
        assert await server.ask("double") == 42
        assert bytes(await connection.request("next", timeout=1)) == b"1"


async def test_a_question_that_the_server_cancels_is_answered_as_cancelled():
    async with conversation() as (_, server, client):
        client.answers["long"] = lambda: never(None)
        asking = asyncio.ensure_future(server.connection.request("long", timeout=1))
        with pytest.raises(RequestTimeout):
            await asking
        assert await server.ask("double") == 42


async def test_a_question_cancelled_in_the_same_breath_is_answered_and_its_work_never_lost():
    ours, theirs = memory_pair()
    client = Client()
    client.answers["long"] = lambda: never(None)
    connection = Connection(ours, client)
    received: list[bytes] = []
    done = asyncio.Event()

    def take(data: bytes) -> None:
        received.append(data)
        done.set()

    theirs.start(take, lambda _: None)
    theirs.send(
        _frame({"jsonrpc": "2.0", "id": 9, "method": "long"})
        + _frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 9}})
    )
    await asyncio.wait_for(done.wait(), 1)
    assert b'"id":9' in received[0]
    assert b"-32800" in received[0]
    await connection.close()


@pytest.mark.parametrize("params", [None, {}, [], {"id": None}, {"id": 12345}, "x"])
async def test_a_cancellation_that_names_nothing_hurts_nothing(params: object):
    async with conversation({"next": 1}) as (connection, server, client):
        server.tell("$/cancelRequest", params)
        server.tell("after")
        await server.ask("double")
        assert client.heard == ["after"]
        assert bytes(await connection.request("next", timeout=1)) == b"1"


async def test_questions_beyond_the_limit_are_refused_and_the_others_answered():
    gate = asyncio.Event()

    async def wait() -> str:
        await gate.wait()
        return "done"

    async with conversation(limits=Limits(max_answering=2)) as (_, server, client):
        client.answers["wait"] = wait
        asking = [asyncio.ensure_future(server.ask("wait")) for _ in range(3)]
        with pytest.raises(ServerError, match="too many"):
            await asking[2]
        gate.set()
        assert await asyncio.gather(*asking[:2]) == ["done", "done"]


async def test_a_notification_that_we_mishandle_does_not_end_the_conversation():
    async with conversation() as (_, server, client):
        server.tell("bad")
        server.tell("good")
        await server.ask("double")
        assert client.heard == ["good"]


def _frame(message: object) -> bytes:
    body = msgspec.json.encode(message)
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@pytest.mark.parametrize("handlers", [{"probe": 1}, {}], ids=["answered", "refused"])
async def test_who_probes_knows_of_the_answer_before_of_what_was_said_after_it(handlers: dict[str, object]):
    async with conversation(handlers) as (connection, server, client):
        known: list[list[str]] = []
        server.tell("before")
        connection.probe("probe", lambda: known.append(list(client.heard)))
        await server.until_heard("probe")
        server.tell("after")
        await server.ask("double")
        assert known == [["before"]]
        assert client.heard == ["before", "after"]
        assert not connection.has_pending

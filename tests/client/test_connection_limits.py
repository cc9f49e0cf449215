"""What a connection puts up with: huge messages, floods, a server that stops reading, and its end."""

import asyncio
import time
from collections.abc import Awaitable

import pytest

from groundwire.client.connection import Limits
from groundwire.errors import MessageTooLarge, RequestTimeout, ServerError, SessionDead
from tests.client.conversation import conversation, never

pytestmark = pytest.mark.anyio

MEGABYTE = 1024 * 1024


async def test_an_answer_over_the_limit_fails_its_own_request_and_the_next_one_works():
    async with conversation({"huge": "x" * 5000, "next": 1}, Limits(max_message=1000)) as (connection, _, _client):
        asking = asyncio.ensure_future(connection.request("next", timeout=1))
        with pytest.raises(MessageTooLarge) as caught:
            await connection.request("huge", timeout=1)
        assert caught.value.limit == 1000
        assert caught.value.size > 5000
        assert bytes(await asking) == b"1"
        assert bytes(await connection.request("next", timeout=1)) == b"1"


async def test_a_question_over_the_limit_is_refused_so_that_the_server_does_not_wait():
    async with conversation(limits=Limits(max_message=1000)) as (_, server, _client):
        with pytest.raises(ServerError, match="too large"):
            await server.ask("double", {"text": "x" * 5000})
        assert await server.ask("double") == 42


async def test_a_flood_of_notifications_leaves_the_loop_to_others():
    async with conversation() as (_, server, client):
        pauses: list[float] = []
        ticking = asyncio.ensure_future(_tick(pauses))
        for number in range(20_000):
            server.tell("log", {"message": f"line {number}"})
            if number % 200 == 0:
                await asyncio.sleep(0)
        await server.ask("double")
        ticking.cancel()
        assert client.heard == ["log"] * 20_000
        assert len(pauses) > 90
        assert max(pauses) < 0.5


async def test_requests_to_a_server_that_stops_reading_time_out_typed_without_piling_up():
    limits = Limits(hold_back=1000)
    async with conversation({"question": 1}, limits) as (connection, server, _):
        server.stall()
        connection.notify("change", {"text": "x" * 2000})
        with pytest.raises(RequestTimeout, match="stopped reading"):
            await connection.request("question", timeout=2)
        with pytest.raises(RequestTimeout, match="stopped reading"):
            await connection.request("question", timeout=2)
        assert server.methods == []


async def test_a_server_that_leaves_too_much_unread_is_given_up_with_the_reason():
    async with conversation({"question": 1}, Limits(max_unsent=MEGABYTE)) as (connection, server, client):
        server.stall()
        asking = asyncio.ensure_future(connection.request("question", timeout=60))
        await asyncio.sleep(0)
        connection.notify("change", {"text": "x" * MEGABYTE})
        with pytest.raises(SessionDead, match="stopped reading"):
            await asking
        assert "stopped reading" in client.reasons[0]
        with pytest.raises(SessionDead, match="stopped reading"):
            connection.notify("more")


async def test_closing_fails_everything_that_waits_and_tells_once():
    async with conversation({"never": never}) as (connection, server, client):
        waiting = [asyncio.ensure_future(connection.request("never", timeout=60)) for _ in range(3)]
        await server.until_heard("never", times=3)
        await connection.close()
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [SessionDead] * 3
        await connection.close()
        assert client.reasons == ["closed by groundwire"]
        with pytest.raises(SessionDead, match="closed by groundwire"):
            await connection.request("never", timeout=1)


async def test_a_server_that_crashes_fails_everything_that_waits_with_its_reason():
    async with conversation({"never": never}) as (connection, server, client):
        client.answers["long"] = lambda: never(None)
        theirs = asyncio.ensure_future(_outcome(server.ask("long")))
        waiting = asyncio.ensure_future(connection.request("never", timeout=60))
        await server.until_heard("never")
        server.crash("it fell over")
        with pytest.raises(SessionDead, match="it fell over"):
            await waiting
        assert isinstance(await theirs, SessionDead)
        assert client.reasons == ["it fell over"]


async def _tick(pauses: list[float]) -> None:
    last = time.perf_counter()
    while True:
        await asyncio.sleep(0)
        now = time.perf_counter()
        pauses.append(now - last)
        last = now


async def _outcome(asking: Awaitable[object]) -> object:
    try:
        return await asking
    except SessionDead as error:
        return error


async def test_a_probe_is_not_answered_by_what_was_too_large_to_be_looked_at():
    answers = {"large": "x" * 5000, "small": 1}
    async with conversation(answers, Limits(max_message=1000)) as (connection, _, _client):
        heard: list[str] = []
        connection.probe("large", lambda: heard.append("large"))
        connection.probe("small", lambda: heard.append("small"))
        await connection.request("small", timeout=1)
        assert heard == ["small"]

"""Who has said all is still answered; who is gone is not waited for."""

import asyncio
import os
import socket

import pytest
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from groundwire.surfaces.mcp.last_words import Unanswered, is_hung_up

pytestmark = pytest.mark.anyio

REQUEST = JSONRPCRequest(jsonrpc="2.0", id=1, method="ping")
ANSWER = JSONRPCResponse(jsonrpc="2.0", id=1, result={})


async def test_what_is_under_way_is_waited_for_until_it_is_answered():
    unanswered = Unanswered()
    unanswered.asked(REQUEST)
    waiting = asyncio.ensure_future(unanswered.all_answered(lambda: False, within_s=30))
    await asyncio.sleep(0)
    assert not waiting.done()
    unanswered.answered(ANSWER)
    await asyncio.wait_for(waiting, 5)


async def test_where_nothing_was_asked_nothing_is_waited_for():
    unanswered = Unanswered()
    unanswered.asked(JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized"))
    await asyncio.wait_for(unanswered.all_answered(lambda: False, within_s=30), 5)


async def test_nobody_is_waited_for_who_is_gone():
    unanswered = Unanswered()
    unanswered.asked(REQUEST)
    await asyncio.wait_for(unanswered.all_answered(lambda: True, within_s=30), 5)


async def test_the_time_for_it_is_bounded():
    unanswered = Unanswered()
    unanswered.asked(REQUEST)
    await asyncio.wait_for(unanswered.all_answered(lambda: False, within_s=0.01), 5)


def test_a_socket_that_only_speaks_no_more_is_not_hung_up():
    ours, theirs = socket.socketpair()
    with ours:
        assert not is_hung_up(ours.fileno())
        theirs.shutdown(socket.SHUT_WR)
        assert not is_hung_up(ours.fileno())
        theirs.close()
        assert is_hung_up(ours.fileno())


def test_a_pipe_that_nobody_reads_is_hung_up():
    reading, writing = os.pipe()
    assert not is_hung_up(writing)
    os.close(reading)
    assert is_hung_up(writing)
    os.close(writing)

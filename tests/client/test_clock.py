"""Whoever looks at the time sees the event loop's."""

import asyncio
import time

from groundwire.client.clock import clock_of
from tests.fakes.virtual_time import VirtualTimeLoop


def test_asyncios_own_loop_goes_by_the_clock_of_the_system():
    loop = asyncio.new_event_loop()
    try:
        assert clock_of(loop) is time.monotonic
        before = clock_of(loop)()
        assert before <= loop.time() <= clock_of(loop)()
    finally:
        loop.close()


def test_a_loop_with_a_clock_of_its_own_is_believed():
    loop = VirtualTimeLoop()
    try:
        assert clock_of(loop) == loop.time
    finally:
        loop.close()

"""The clock of an event loop, for those who look at it many times while they answer one question.

Above: ``session``, ``connection``. Below: the event loop.
"""

import asyncio
from collections.abc import Callable
from time import monotonic


def clock_of(loop: asyncio.AbstractEventLoop) -> Callable[[], float]:
    """The loop's own clock; that of asyncio's loops is the system's, taken here without a call in between."""
    return monotonic if type(loop).time is asyncio.BaseEventLoop.time else loop.time

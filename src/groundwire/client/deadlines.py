"""When those who wait for answers give up: one timer for all of them, for nearly every answer comes long before.

Above: ``connection``. Below: the event loop.
"""

import asyncio
import math
from collections.abc import Callable


class Deadlines:
    """Moments by the clock of the running event loop. ``expire`` is called with what was not taken back by then."""

    def __init__(self, expire: Callable[[int], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._expire = expire
        self._due: dict[int, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._rings_at = math.inf

    def set(self, request_id: int, when: float) -> None:
        """Give up waiting for it then."""
        self._due[request_id] = when
        if when < self._rings_at:
            self._set_timer(when)

    def take_back(self, request_id: int) -> None:
        """Nobody waits for it any more. The timer goes on: whoever asks next would only set it again."""
        self._due.pop(request_id, None)

    def stop(self) -> None:
        """Nothing expires any more, nor what is set later."""
        self._due.clear()
        self._rings_at = -math.inf
        if self._timer is not None:
            self._timer.cancel()

    def _set_timer(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(when, self._ring)
        self._rings_at = when

    def _ring(self) -> None:
        self._timer, self._rings_at = None, math.inf
        now = self._loop.time()
        for request_id in [each for each, when in self._due.items() if when <= now]:
            del self._due[request_id]
            self._expire(request_id)
        if self._due:
            self._set_timer(min(self._due.values()))

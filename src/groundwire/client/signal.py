"""A bell that rings whenever a server said something: whoever waits for a state looks again.

Above: ``session`` and ``diagnose``. Below: asyncio.
"""

import asyncio


class Signal:
    """Wakes every waiter; holds no state of its own, so there is nothing to miss between looking and waiting."""

    def __init__(self) -> None:
        self._waiters: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        """Wake all who wait now."""
        if not self._waiters:
            return
        waiters, self._waiters = self._waiters, set()
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self, until: float) -> bool:
        """Wait for the next ring, at most until that loop time. True if it rang."""
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[None] = loop.create_future()
        self._waiters.add(waiter)
        alarm = loop.call_at(until, _expire, waiter)
        try:
            await waiter
        except TimeoutError:
            return False
        else:
            return True
        finally:
            alarm.cancel()
            self._waiters.discard(waiter)


def _expire(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_exception(TimeoutError())

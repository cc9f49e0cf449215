"""An event loop whose clock jumps to the next alarm instead of waiting for it.

What takes seconds takes none, always in the same order. Only for tests whose every event comes from the loop itself: a
process or a socket would be jumped over. A loop with nothing left to wait for says so instead of hanging.
"""

import asyncio
import selectors
from collections.abc import Callable


class _JumpingSelector(selectors.DefaultSelector):
    """Never waits: the time it would have waited is added to the clock."""

    def __init__(self) -> None:
        super().__init__()
        self.elapsed = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        if events or timeout == 0:
            return events
        if timeout is None:
            raise RuntimeError("every task waits for something that nothing will bring about")
        self.elapsed += timeout
        return []


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """``time()`` is virtual; so is every timeout, sleep and alarm."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return 1000.0 + self._jumping.elapsed


VIRTUAL_TIME: tuple[str, dict[str, Callable[[], asyncio.AbstractEventLoop]]] = (
    "asyncio",
    {"loop_factory": VirtualTimeLoop},
)
"""What the fixture ``anyio_backend`` returns for tests on virtual time."""

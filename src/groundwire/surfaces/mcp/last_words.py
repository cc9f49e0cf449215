"""Answers that are still under way when a client has said all: it may be waiting for them, or it may be gone.

Above: ``lines``. Below: nothing.
"""

import asyncio
import contextlib
import select
from collections.abc import Callable

from mcp_types import JSONRPCError, JSONRPCMessage, JSONRPCRequest, JSONRPCResponse

LAST_WORDS_S = 5.0
"""How long they are waited for."""

_EVERY_S = 0.05


class Unanswered:
    """The requests of a client that have no answer yet."""

    def __init__(self) -> None:
        self._ids: set[str | int] = set()
        self._answered = asyncio.Event()

    def asked(self, message: JSONRPCMessage) -> None:
        """A message of the client."""
        if isinstance(message, JSONRPCRequest):
            self._ids.add(message.id)

    def answered(self, message: JSONRPCMessage) -> None:
        """A message to the client; it has been sent."""
        if isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None:
            self._ids.discard(message.id)
            self._answered.set()

    async def all_answered(
        self,
        is_gone: Callable[[], bool],
        is_busy: Callable[[], bool] = lambda: False,
        *,
        within_s: float = LAST_WORDS_S,
    ) -> None:
        """Returns when every one has its answer, those that others give too, or nobody is there, or time is over."""
        loop = asyncio.get_running_loop()
        until = loop.time() + within_s
        while (self._ids or is_busy()) and not is_gone() and loop.time() < until:
            self._answered.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._answered.wait(), _EVERY_S)


def is_hung_up(descriptor: int) -> bool:
    """Whether nobody is at the other end of a pipe or socket any more; false where the system cannot say."""
    if not hasattr(select, "poll"):
        return False
    look = select.poll()
    look.register(descriptor, 0)
    return any(event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in look.poll(0))

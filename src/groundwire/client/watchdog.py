"""Telling a server that is busy from one that is stuck: alive, connected, and never going to answer.

While a question waits and the server has said nothing for a while, it is asked something any server refuses at once. No
answer is no proof: a server with one thread computes for minutes. But one whose processes use no processor time at all
meanwhile is stuck, and so is one that stays silent beyond all patience. Above: ``session``. Below: ``connection``.
"""

import asyncio
import logging
from collections.abc import Callable

import msgspec

from groundwire.client.connection import Connection
from groundwire.errors import GroundwireError, RequestTimeout

log = logging.getLogger(__name__)

CANARY = "groundwire/canary"
_IDLE_SHARE = 0.02
"""Less processor time than this share of the waiting counts as none."""


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds."""

    silence_s: float = 8.0
    """Nothing was heard for this long while a question waits: then the server is probed."""
    canary_s: float = 5.0
    """The time a probe has to be answered."""
    longest_s: float = 180.0
    """A server that computes but says nothing is given up after this."""


class Watchdog:
    """Watches one connection, only while something is asked. ``cpu_s`` tells the server's processor time, if known."""

    def __init__(
        self,
        connection: Connection,
        patience: Patience,
        cpu_s: Callable[[], float | None],
        give_up: Callable[[str], None],
    ) -> None:
        self._connection = connection
        self._patience = patience
        self._cpu_s = cpu_s
        self._give_up = give_up
        self._alarm: asyncio.TimerHandle | None = None
        self._probing: asyncio.Task[None] | None = None

    def asked(self) -> None:
        """A question was sent."""
        if self._alarm is None and self._probing is None:
            self._alarm = asyncio.get_running_loop().call_later(self._patience.silence_s, self._look)

    def stop(self) -> None:
        """Nobody has to be watched any more."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._probing is not None:
            self._probing.cancel()
            self._probing = None

    def _look(self) -> None:
        self._alarm = None
        loop = asyncio.get_running_loop()
        if not self._connection.has_pending or self._connection.close_reason:
            return
        silent_s = loop.time() - self._connection.heard_at
        if silent_s < self._patience.silence_s:
            self._alarm = loop.call_later(self._patience.silence_s - silent_s, self._look)
        else:
            self._probing = asyncio.ensure_future(self._probe())

    async def _probe(self) -> None:
        loop, patience = asyncio.get_running_loop(), self._patience
        began, heard_at = loop.time(), self._connection.heard_at
        while self._connection.heard_at == heard_at and self._connection.has_pending:
            cpu_before, asked_at = self._cpu_s(), loop.time()
            try:
                await self._connection.request(CANARY, timeout=patience.canary_s)
            except RequestTimeout:
                waited = loop.time() - asked_at
                if self._is_stuck(cpu_before, waited) or loop.time() - began > patience.longest_s:
                    self._give_up(f"it said nothing for {loop.time() - heard_at:.0f} s and does not answer")
                    return
            except GroundwireError as error:
                log.debug("the canary was answered: %s", error)
        self._probing = None
        self.asked()

    def _is_stuck(self, cpu_before: float | None, waited: float) -> bool:
        cpu_after = self._cpu_s()
        if cpu_before is None or cpu_after is None:
            return False
        return cpu_after - cpu_before < _IDLE_SHARE * waited

"""Letting a server begin with what it was just told, while we look at other things before we ask.

Who reads from a pipe is woken where its writer runs. On virtual machines, whose resting processors look busy from
within, it also stays there, and begins only when the writer has nothing more to do. Giving the processor away for a
moment lets it begin: it hands the work on to another processor, and from then on both go on at once. Where others want
this processor that moment lasts as long as they like, so after a long one it is kept for a while, and for ever longer
while long ones are no exception.
Above: ``session``. Below: the system's scheduler.
"""

import os
from collections.abc import Callable
from time import perf_counter

FIRST_REST_S, LONGEST_REST_S = 0.1, 10.0
"""How long nothing is given away after others took long. Once may be chance: the next time it is four times as long."""
_LONGER, _SHORTER = 4, 0.97
"""A short moment makes the next rest shorter by so little that it stays long where one moment of forty is: a long one
costs more than so many short ones gain."""
_LONG_S = 0.0002


def system_call() -> Callable[[], None] | None:
    """How this system gives a processor away; None where it cannot."""
    return getattr(os, "sched_yield", None)


class GivingWay:
    """Call it when a server was told something and will soon be asked. ``give`` gives the processor away, if it can."""

    def __init__(self, give: Callable[[], None] | None, clock: Callable[[], float] = perf_counter) -> None:
        self._give = give
        self._clock = clock
        self._not_before = 0.0
        self._rest_s = FIRST_REST_S

    def __call__(self) -> None:
        """Once, unless that took long lately."""
        if self._give is None:
            return
        began = self._clock()
        if began < self._not_before:
            return
        self._give()
        ended = self._clock()
        if ended - began <= _LONG_S:
            self._rest_s = max(self._rest_s * _SHORTER, FIRST_REST_S)
        else:
            self._not_before = ended + self._rest_s
            self._rest_s = min(self._rest_s * _LONGER, LONGEST_REST_S)

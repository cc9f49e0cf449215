"""How often it is asked anew because files changed meanwhile.

A few times at once, for an edit or a formatter; then after rests, for a build or a server that has just started and
writes files of its own. A log that is written all the time ends it, and so does a share of the time: an answer that
says what it lacks is worth more than none. Above: ``question``, ``diagnostics.diagnose``. Below: nothing.
"""

import asyncio

AT_ONCE = 4
RESTS_S = (0.05, 0.1, 0.2, 0.4)
SHARE = 0.25
"""Of the time that is left after the first round; within it rests are taken."""


class Rounds:
    """Of one question, of which a first round is always made."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._made = 0
        self._rests_until = 0.0

    async def another(self) -> bool:
        """Whether there is one more after the round that was just made; returns when it is to begin."""
        now = asyncio.get_running_loop().time()
        self._made += 1
        if self._made == 1:
            self._rests_until = now + (self._deadline - now) * SHARE
        if self._made < AT_ONCE:
            return True
        rests = self._made - AT_ONCE
        if rests >= len(RESTS_S) or now + RESTS_S[rests] > self._rests_until:
            return False
        await asyncio.sleep(RESTS_S[rests])
        return True

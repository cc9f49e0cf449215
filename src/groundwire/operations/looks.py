"""Looks at the disk that questions of one moment share: eight files of a patch are asked about at once, and each would
look for itself.

What woke a question came before the look that it shares, so that nothing is missed that was there by then.
Above: ``operation``. Below: ``pool``.
"""

import asyncio

from groundwire.pool.pool import Pool


class Looks:
    """For one call that writes nothing itself: it would not see that."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._has_looked = False

    def look(self) -> None:
        """Tell servers what has changed on disk, unless that was done in this turn of the event loop."""
        if not self._has_looked:
            self._has_looked = True
            asyncio.get_running_loop().call_soon(self._turn_is_over)
            self._pool.refresh()

    def _turn_is_over(self) -> None:
        self._has_looked = False

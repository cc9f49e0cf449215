"""When a burst is over: what happens again and again is told once, a moment after the last time.

Above: ``watching``, ``notices``. Below: nothing; time is passed in.
"""

_MOST_BURSTS = 5
"""What never stops is told of after this many such moments."""


class Quiet:
    """``quiet_s`` without anything happening make an end."""

    def __init__(self, quiet_s: float) -> None:
        self._quiet_s = quiet_s
        self._first: float | None = None
        self._last = 0.0

    def happened(self, now: float) -> None:
        """Once more."""
        self._first = now if self._first is None else self._first
        self._last = now

    @property
    def is_on(self) -> bool:
        """Whether something happened that was not told yet."""
        return self._first is not None

    def is_over(self, now: float) -> bool:
        """Whether something happened, and it is time to tell of it. ``forget`` makes it nothing."""
        if self._first is None:
            return False
        return now - self._last >= self._quiet_s or now - self._first >= _MOST_BURSTS * self._quiet_s

    def forget(self) -> None:
        """It has been told."""
        self._first = None

"""How often a server that fails is started again, and when: pure bookkeeping, the clock is passed in.

Above: ``seat``. Below: nothing.
"""

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_FORGIVEN_AFTER_S = 600.0
"""A server that ran this long before it failed starts with a clean record."""


class Restarts:
    """The failures of one server at one root."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.count = 0
        """Failures in a row; each but the last was followed by a restart."""
        self.reason = ""
        self._failed_at = 0.0

    def failed(self, now: float, reason: str, ran_s: float) -> None:
        """It crashed, or could not be started, after it had run for so long."""
        if ran_s >= _FORGIVEN_AFTER_S:
            self.count = 0
        self.count += 1
        self.reason = reason
        self._failed_at = now

    def forgive(self) -> None:
        """Start with a clean record: somebody asked for a restart."""
        self.count = 0
        self.reason = ""

    @property
    def is_broken(self) -> bool:
        """Whether it failed once more than it may be restarted."""
        return self.count > self._most

    @property
    def next_start(self) -> float:
        """When it may be started again; the pauses double."""
        if not self.count:
            return 0.0
        return self._failed_at + min(_FIRST_PAUSE_S * 2 ** (self.count - 1), _LONGEST_PAUSE_S)

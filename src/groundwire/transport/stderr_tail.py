"""The end of what a child said on standard error: enough to tell why it died, never more than a fixed size.

Above: ``process``. Below: nothing.
"""

KEPT_BYTES = 64 * 1024


class StderrTail:
    """Takes any amount, keeps the last bytes."""

    def __init__(self, kept: int = KEPT_BYTES) -> None:
        self._kept = kept
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Append, and forget what is too old."""
        self._bytes += data[-self._kept :]
        if len(self._bytes) > 2 * self._kept:
            del self._bytes[: -self._kept]

    def lines(self, count: int) -> list[str]:
        """The last lines, oldest first. Bytes that are no text show as replacement characters."""
        return self._bytes[-self._kept :].decode("utf-8", "replace").splitlines()[-count:] if count > 0 else []

    def last_line(self) -> str:
        """The last line that says anything, or nothing."""
        spoken = (line.strip() for line in reversed(self.lines(self._kept)))
        return next((line for line in spoken if line), "")

"""A checker that runs on what the disk holds after a save, and what its runs prove.

Saves are counted, and so are those the server is known to have read: it answered a request that was sent after them. A
run that begins after that reads the disk as it was at those saves or later, whatever caused it; of a run that was heard
to begin before, nobody can tell. A run during which another save may have been read was perhaps cut short, and proves
nothing.

The server may hear of a run's beginning later than of a save, and the end of a run that the save cut short looks like
any other. So only when nothing was under way at the save is the end of the next run taken at once; otherwise it counts
after a doubt long enough for the run that replaces it to begin, which takes the proof back. Above: ``client.diagnose``.
Below: ``rules``.
"""

from groundwire.workspace.rules import SaveCheck

_NEVER = -1


class SaveCheckRuns:
    """The runs of one save-triggered checker; clocks are those of ``Documents``. ``told`` counts the saves."""

    def __init__(self, rule: SaveCheck) -> None:
        self.rule = rule
        self.told = 0
        self._read = 0
        self._saved_clock = _NEVER
        self._awaits_begin = False
        self._running: dict[int | str, int] = {}
        """Token to the number of saves that had been read when it began."""
        self._proven_clock = _NEVER
        self._ended = 0.0
        self._has_run = False
        self._is_certain = False

    def is_token(self, token: int | str) -> bool:
        """Whether a progress token is one of this checker's runs."""
        return isinstance(token, str) and token.startswith(self.rule.token_prefix)

    def saved(self, clock: int, now: float) -> None:
        """A save was told at this clock."""
        # A server may run a check of its own accord when it starts, so before the first run nothing is certain.
        is_idle = not self._awaits_begin and not self._running and now >= self._tail_end
        self._is_certain = self._has_run and is_idle
        self.told += 1
        self._saved_clock = clock
        self._awaits_begin = True

    def read(self, told: int) -> None:
        """A request that was sent after ``told`` saves has been answered."""
        self._read = max(self._read, told)

    def began(self, token: int | str) -> None:
        """A run began; what an earlier one published is being replaced."""
        self._running[token] = self._read
        self._proven_clock = _NEVER
        self._awaits_begin = False

    def ended(self, token: int | str, now: float) -> None:
        """A run ended, by itself or cut short."""
        read = self._running.pop(token, None)
        self._ended = now
        self._has_run = True
        if read == self.told:
            self._proven_clock = self._saved_clock

    def is_settled(self, clock: int, now: float) -> bool:
        """Whether the findings published by now are those of the world at ``clock``."""
        return self._proven_clock >= clock and not self._running and now >= self._tail_end

    def needs_save(self, clock: int) -> bool:
        """Whether nothing under way will prove ``clock``, so that another save must be told."""
        return not self._awaits_begin and not self._running and self._proven_clock < clock

    def look_again(self, now: float) -> float | None:
        """When to look again without a sign: at the end of the tail."""
        return self._tail_end if now < self._tail_end else None

    @property
    def _tail_end(self) -> float:
        tail = self.rule.tail_ms if self._is_certain else max(self.rule.tail_ms, self.rule.doubt_ms)
        return self._ended + tail / 1000

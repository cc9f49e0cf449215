"""A checker that runs on what the disk holds after a save, and what its runs prove.

A run proves the world as it was at the last save told before the run began: what was told was on disk by then. When two
saves wait for one beginning, the run that begins may still be the first one's, so it proves nothing and another save is
asked for. A run that a newer save cuts short ends like any other; the run that replaces it begins within the tail, and
takes the proof back until it ends itself. Above: ``client.diagnose``. Below: ``rules``.
"""

from groundwire.workspace.rules import SaveCheck

_NEVER = -1


class SaveCheckRuns:
    """The runs of one save-triggered checker; clocks are those of ``Documents``."""

    def __init__(self, rule: SaveCheck) -> None:
        self.rule = rule
        self._saved_clock = _NEVER
        self._awaits_begin = False
        self._is_certain = True
        self._running: dict[int | str, int] = {}
        self._proven_clock = _NEVER
        self._ended = 0.0

    def is_token(self, token: int | str) -> bool:
        """Whether a progress token is one of this checker's runs."""
        return isinstance(token, str) and token.startswith(self.rule.token_prefix)

    def saved(self, clock: int) -> None:
        """A save was told at this clock."""
        self._is_certain = not self._awaits_begin
        self._awaits_begin = True
        self._saved_clock = clock

    def began(self, token: int | str) -> None:
        """A run began, caused by the last save unless two were waiting for it."""
        self._running[token] = self._saved_clock if self._is_certain else _NEVER
        self._proven_clock = _NEVER
        self._awaits_begin = False
        self._is_certain = True

    def ended(self, token: int | str, now: float) -> None:
        """A run ended. One during which another save was told has been cut short."""
        clock = self._running.pop(token, _NEVER)
        self._ended = now
        if not self._awaits_begin:
            self._proven_clock = clock

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
        return self._ended + self.rule.tail_ms / 1000

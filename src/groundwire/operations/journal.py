"""What was asked of a pool lately, how long it took and how it ended; and the same summed up since it began.

Nothing of it leaves the process unless somebody asks. Above: ``runner``, ``audit``, who watch. Below: ``pool.kept``.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count

import msgspec

_RECENT = 200
BUCKETS_MS = (1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1000.0, 2500.0, 5000.0, 10000.0, 30000.0)
"""Upper bounds; what takes longer is in none of them."""


class CallRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call that has ended. ``outcome``: the status of its answer, ``error`` or ``cancelled``."""

    id: int
    operation: str
    effect: str
    outcome: str
    elapsed_ms: float
    ended: float
    """Seconds since the epoch."""
    client: str = ""
    error: str = ""
    """The kind of the error, where there was one."""


Event = CallRecord | Mapping[str, object]
"""A call, or the record of an edit as it is in the audit trail."""


@dataclass
class Tally:
    """Of one operation and outcome. ``buckets`` counts those up to each bound of ``BUCKETS_MS``, not cumulated."""

    count: int = 0
    total_ms: float = 0.0
    buckets: list[int] = field(default_factory=lambda: [0] * len(BUCKETS_MS))

    def add(self, elapsed_ms: float) -> None:
        """One more."""
        self.count += 1
        self.total_ms += elapsed_ms
        for number, bound in enumerate(BUCKETS_MS):
            if elapsed_ms <= bound:
                self.buckets[number] += 1
                break


class Journal:
    """Of one pool; ``pool.kept`` holds it."""

    def __init__(self) -> None:
        self._ids = count(1)
        self.calls: deque[CallRecord] = deque(maxlen=_RECENT)
        self.edits: deque[Mapping[str, object]] = deque(maxlen=_RECENT)
        self.tallies: dict[tuple[str, str], Tally] = {}
        self.listeners: list[Callable[[Event], None]] = []

    def note_call(
        self, operation: str, effect: str, *, outcome: str, elapsed_ms: float, client: str = "", error: str = ""
    ) -> None:
        """A call has ended."""
        record = CallRecord(
            id=next(self._ids),
            operation=operation,
            effect=effect,
            outcome=outcome,
            elapsed_ms=round(elapsed_ms, 2),
            ended=time.time(),
            client=client,
            error=error,
        )
        self.calls.append(record)
        self.tallies.setdefault((operation, outcome), Tally()).add(elapsed_ms)
        self._tell(record)

    def note_edit(self, record: Mapping[str, object]) -> None:
        """An edit was written, taken back or refused; ``record`` is that of the audit trail."""
        self.edits.append(record)
        self._tell(record)

    def _tell(self, event: Event) -> None:
        for listener in tuple(self.listeners):
            listener(event)

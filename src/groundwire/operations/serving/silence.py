"""Which servers are waited for, told where an operation takes long and says nothing of it itself.

Above: ``runner``. Below: ``waiting``, ``pool``.
"""

import asyncio
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from groundwire.operations.operation import no_progress
from groundwire.operations.waiting import ServerWait
from groundwire.pool.instance import Instance
from groundwire.pool.pool import Pool

_FIRST_AFTER = 0.95
"""After whatever the operation may have told, and before surfaces begin to show it."""
_EVERY = 1.0
_MOST_NAMED = 3


class Silence:
    """While it is entered, silence is broken. ``progress`` is the ear for the operation."""

    def __init__(self, pool: Pool, progress: Callable[[str], None]) -> None:
        self._pool = pool
        self._tell = progress
        self._has_heard = False
        self._alarm: asyncio.TimerHandle | None = None
        self.progress = no_progress if progress is no_progress else self._hear

    def __enter__(self) -> Self:
        if self._tell is not no_progress:
            self._alarm = asyncio.get_running_loop().call_later(_FIRST_AFTER, self._ring)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._alarm is not None:
            self._alarm.cancel()

    def _hear(self, words: str) -> None:
        self._has_heard = True
        self._tell(words)

    def _ring(self) -> None:
        self._alarm = asyncio.get_running_loop().call_later(_EVERY, self._ring)
        was_silent, self._has_heard = not self._has_heard, False
        words = waited_for(self._pool.instances())
        if was_silent and words:
            self._tell(words)


def waited_for(instances: Sequence[Instance]) -> str:
    """In words: the servers that start or load, else those that have not answered yet, else all of them."""
    waits = [_wait(instance) for instance in instances if not instance.has_failed]
    loading = [words for wait in waits if not (words := wait.words()).startswith("waiting for ")]
    if loading:
        return "; ".join(dict.fromkeys(loading[:_MOST_NAMED]))
    asked = [wait.server for wait in waits if wait.instance is not None and wait.instance.session.has_pending]
    named = list(dict.fromkeys(asked or [wait.server for wait in waits]))
    more = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
    return f"waiting for {', '.join(named[:_MOST_NAMED])}{more}" if named else ""


def _wait(instance: Instance) -> ServerWait:
    wait = ServerWait(instance.chosen.spec.id)
    wait.instance = instance
    return wait

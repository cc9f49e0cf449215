"""Who is connected to a daemon, and since when nobody is. Above: ``server``, ``control``. Below: ``greeting``."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import NamedTuple

from groundwire.daemon.greeting import Greeting

ONLOOKERS = frozenset({"control", "watch"})
"""Conversations of those who look at the daemon itself, and do not need it for anything else."""


class Connected(NamedTuple):
    """One connection."""

    client: str
    conversation: str
    since: float


class Clients:
    """By connection. Time is that of ``now``."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._connected: dict[object, Connected] = {}
        self._quiet_since = now()

    @contextmanager
    def present(self, greeting: Greeting) -> Generator[None]:
        """As long as it lasts. Who only looks after the daemon itself is not one that needs it."""
        if greeting.conversation in ONLOOKERS:
            yield
            return
        key = object()
        self._connected[key] = Connected(greeting.client, greeting.conversation, self._now())
        try:
            yield
        finally:
            del self._connected[key]
            self._quiet_since = self._now()

    def __len__(self) -> int:
        return len(self._connected)

    @property
    def all(self) -> tuple[Connected, ...]:
        """The longest connected first."""
        return tuple(self._connected.values())

    @property
    def idle_s(self) -> float:
        """For how long nobody has been connected."""
        return 0.0 if self._connected else self._now() - self._quiet_since

"""What becomes of servers, as notices: they are ready, they crash, they are back. Each is told once.

Above: ``notices``. Below: ``pool.status``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from groundwire.pool.status import ServerCounts, ServerStatus

Level = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
"""Of the protocol, the least first."""

_LONGEST_REASON = 500


class Notice(NamedTuple):
    """What is told, and how much it matters."""

    level: Level
    data: Mapping[str, object]


class ServerHealth:
    """Of all servers. What was so at the first look is nobody's news."""

    def __init__(self) -> None:
        self._crashes: dict[tuple[str, str], int] | None = None
        self._ready: dict[tuple[str, str], int] = {}
        """By server and root: which of its starts was told to be ready."""
        self._down: set[tuple[str, str]] = set()

    def look(self, servers: Iterable[ServerStatus], counts: Sequence[ServerCounts]) -> list[Notice]:
        """What has happened since the last time."""
        states = {(each.server, each.root): each for each in servers}
        notices = [*self._crashed(states, counts), *self._recovered(states), *self._became_ready(states, counts)]
        is_first, self._crashes = self._crashes is None, {(each.server, each.root): each.crashes for each in counts}
        return [] if is_first else notices

    def _crashed(
        self, states: Mapping[tuple[str, str], ServerStatus], counts: Sequence[ServerCounts]
    ) -> Iterable[Notice]:
        known = self._crashes or {}
        for each in counts:
            key = (each.server, each.root)
            if self._crashes is not None and each.crashes > known.get(key, 0):
                self._down.add(key)
                reason = states[key].reason[:_LONGEST_REASON] if key in states else ""
                words = f"{each.server} crashed{f': {reason}' if reason else ''}. The next question starts it again."
                if key in states and states[key].state == "broken":
                    words = f"{each.server} crashed too often and is not started again: {reason}"
                yield Notice("error", _health("crashed", each.server, each.root, words))

    def _recovered(self, states: Mapping[tuple[str, str], ServerStatus]) -> Iterable[Notice]:
        for key in sorted(self._down):
            if key in states and states[key].state == "active":
                self._down.discard(key)
                yield Notice("info", _health("recovered", *key, f"{key[0]} runs again."))

    def _became_ready(
        self, states: Mapping[tuple[str, str], ServerStatus], counts: Sequence[ServerCounts]
    ) -> Iterable[Notice]:
        for each in counts:
            key = (each.server, each.root)
            state = states.get(key)
            is_ready = state is not None and state.state == "active" and state.indexing == "ready"
            if is_ready and self._ready.get(key) != each.starts:
                self._ready[key] = each.starts
                words = f"{each.server} has loaded the workspace."
                data = {"type": "workspace_ready", "server": each.server, "root": each.root, "message": words}
                yield Notice("info", data)


def _health(status: str, server: str, root: str, message: str) -> Mapping[str, object]:
    return {"type": "process_health", "status": status, "server": server, "root": root, "message": message}

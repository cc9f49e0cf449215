"""What a client is told beside its answers: lines of its log, each once, and what the servers are busy with.

Above: ``questions``, ``publishing``, ``server``. Below: ``pool``.
"""

from collections.abc import Callable

from groundwire.pool.pool import Pool
from groundwire.protocol.names import shown

_ERROR, WARNING, INFO = 1, 2, 3
_MOST_REMEMBERED = 500

Notify = Callable[[str, object], None]


class Notes:
    """``notify`` sends to the client."""

    def __init__(self, notify: Notify) -> None:
        self._notify = notify
        self._said: dict[str, None] = {}

    def log(self, message: str, kind: int = INFO) -> None:
        """A line for the log, unless it was said before."""
        if message in self._said:
            return
        self._said[message] = None
        if len(self._said) > _MOST_REMEMBERED:
            self._said.pop(next(iter(self._said)))
        self._notify("window/logMessage", {"type": kind, "message": f"groundwire: {shown(message)}"})

    def show(self, message: str) -> None:
        """Something that a person can do something about, once."""
        is_new = message not in self._said
        self.log(message, WARNING)
        if is_new:
            self._notify("window/showMessage", {"type": WARNING, "message": f"groundwire: {shown(message)}"})


class ServerProgress:
    """Which servers start or load, as one progress. ``create`` asks the client to show it."""

    def __init__(self, pool: Pool, notify: Notify, create: Callable[[str], None]) -> None:
        self._pool = pool
        self._notify = notify
        self._create = create
        self._shown = ""
        self._token = ""
        self._count = 0

    def look(self) -> None:
        """Tell what has changed since the last time."""
        words = "; ".join(dict.fromkeys(self._busy()))
        if words == self._shown:
            return
        if not words:
            self._tell({"kind": "end", "message": "ready"})
        elif not self._shown:
            self._count += 1
            self._token = f"groundwire/servers/{self._count}"  # each is good for one piece of work
            self._create(self._token)
            self._tell({"kind": "begin", "title": "groundwire", "message": words})
        else:
            self._tell({"kind": "report", "message": words})
        self._shown = words

    def _busy(self) -> list[str]:
        found: list[str] = []
        for instance in self._pool.instances():
            name = instance.chosen.spec.id
            if instance.is_starting:
                found.append(f"{name} is starting")
                continue
            work = instance.session.state.readiness.describe(instance.session.now())
            if work not in ("ready", "cold"):
                found.append(f"{name}: {work}")
        return found

    def _tell(self, value: object) -> None:
        self._notify("$/progress", {"token": self._token, "value": value})

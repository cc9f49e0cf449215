"""Telling whoever waits what for: within the first second, then about once a second, and nothing where it is quick.

Above: ``question``, ``workspace_symbols`` and what else may take long. Below: ``operation`` (whose ``Call`` has the
ear), ``pool.instance`` (which knows whether its server starts or loads).
"""

import asyncio
import re
from collections.abc import Callable
from types import TracebackType
from typing import Self

from groundwire.operations.operation import Call, no_progress
from groundwire.pool.instance import Instance

_FIRST_AFTER = 0.8
"""Surfaces begin to show what they were told after a second."""
_JOINED_AFTER = 0.9
"""After those that it joins have told."""
_EVERY = 1.0

_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Waiting:
    """While it is entered, the call's ear is told ``words``. It costs one timer, and nothing where nobody listens."""

    def __init__(self, call: Call, words: Callable[[], str], first_after: float = _FIRST_AFTER) -> None:
        self._tell = call.progress
        self._words = words
        self._first_after = first_after
        self._alarm: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        if self._tell is not no_progress:
            self._alarm = asyncio.get_running_loop().call_later(self._first_after, self._ring)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._alarm is not None:
            self._alarm.cancel()

    def _ring(self) -> None:
        self._alarm = asyncio.get_running_loop().call_later(_EVERY, self._ring)
        self._tell(self._words())


class ServerWait:
    """What is waited for at one server; whoever asks it says what."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.instance: Instance | None = None
        self.method = ""

    def words(self) -> str:
        """As it is now."""
        if self.instance is None or self.instance.is_starting:
            return f"{self.server} is starting"
        session = self.instance.session
        readiness, now = session.state.readiness, session.now()
        work = readiness.describe(now)
        if work not in ("ready", "cold"):
            return f"{self.server}: {work}"
        gate = readiness.gate("references", now)
        if not gate.is_open:
            return gate.reason.replace("the server", self.server, 1)
        return f"asking {self.server} for {spoken(self.method)}" if self.method else f"waiting for {self.server}"


class JoinedWait:
    """What several servers are waited for at once, told as one."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._said: dict[str, str] = {}

    def hear(self, server: str) -> Callable[[str], None]:
        """The ear for what concerns one of them."""

        def note(words: str) -> None:
            self._said[server] = words

        return note

    def forget(self, server: str) -> None:
        """It has answered."""
        self._said.pop(server, None)

    def words(self) -> str:
        """As it is now."""
        return "; ".join(self._said.values()) or self._doing

    def told_to(self, call: Call) -> Waiting:
        """To be entered while they are asked."""
        return Waiting(call, self.words, _JOINED_AFTER)


def spoken(method: str) -> str:
    """``textDocument/documentSymbol`` as ``document symbol``."""
    return _CAPITAL.sub(" ", method.rpartition("/")[2]).lower()

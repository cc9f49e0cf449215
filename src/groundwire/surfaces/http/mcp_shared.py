"""Links for requests that have no session: one for each conversation, so that what a request leaves (an undo, a fix, a
simulation) is there for the next; for a request without one, a link that nobody else ever has.

Above: ``mcp_handshake``, ``mcp_modern``. Below: ``mcp_links``, ``mcp_sessions``.
"""

import time
from dataclasses import dataclass, field
from typing import Literal

from groundwire.surfaces.http.mcp_links import Link, Place
from groundwire.surfaces.http.mcp_replies import McpRefused
from groundwire.surfaces.http.mcp_sessions import OpenLink

Era = Literal["handshake", "modern"]
"""A connection is of one era for ever."""

_SPARE_S = 20.0
"""For how long a link is held ready for whoever comes next: as long as it is there, so is its daemon."""
_MOST_SPARES = 8


@dataclass(eq=False)
class _Shared:
    link: Link
    used: float = field(default_factory=time.monotonic)


class SharedLinks:
    """Up to ``most`` conversations."""

    def __init__(self, open_link: OpenLink, most: int) -> None:
        self._open_link = open_link
        self._most = most
        self._of: dict[tuple[str, bool, Era], _Shared] = {}
        self._spares: dict[Place, _Shared] = {}

    def of_conversation(self, name: str, place: Place, era: Era, *, is_authenticated: bool) -> tuple[Link, bool]:
        """Its link, and whether that is new. One that has moved gets another. Raises McpRefused."""
        key = name, is_authenticated, era
        known = self._of.get(key)
        if known is not None and known.link.place == place:
            known.used = time.monotonic()
            return known.link, False
        if known is not None:
            self._of.pop(key).link.close_when_done()
        self._make_room()
        self._of[key] = _Shared(self._open_link(place, f"http {name[:40]}"))
        return self._of[key].link, True

    def of_nobody(self, place: Place) -> Link:
        """For one request. The next one finds a link that is connected already."""
        spare = self._spares.pop(place, None)
        if len(self._spares) < _MOST_SPARES:
            self._spares[place] = _Shared(self._open_link(place, "http"))
        return spare.link if spare is not None else self._open_link(place, "http")

    def end_idle(self, idle_s: float) -> None:
        """Hang up where nothing was asked for so long."""
        now = time.monotonic()
        for key, shared in list(self._of.items()):
            if shared.link.is_busy:
                shared.used = now
            elif now - shared.used > idle_s:
                self._of.pop(key).link.close()
        for place, spare in list(self._spares.items()):
            if now - spare.used > min(_SPARE_S, idle_s):
                self._spares.pop(place).link.close()

    def end_all(self) -> None:
        """The front ends."""
        for shared in (*self._of.values(), *self._spares.values()):
            shared.link.close()
        self._of.clear()
        self._spares.clear()

    def _make_room(self) -> None:
        if len(self._of) < self._most:
            return
        idle = [(shared.used, key) for key, shared in self._of.items() if not shared.link.is_busy]
        if not idle:
            raise McpRefused(
                503, "too many conversations at once", "Ask again later.", headers=((b"retry-after", b"5"),)
            )
        self._of.pop(min(idle)[1]).link.close()

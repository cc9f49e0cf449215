"""Sessions of clients that greet first: each has a link of its own, and nothing of another's.

Above: ``mcp_handshake``. Below: ``mcp_links``.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import uuid4

from groundwire.surfaces.http.mcp_links import Link, Place
from groundwire.surfaces.http.mcp_replies import McpRefused

OpenLink = Callable[[Place, str], Link]
"""A link to the daemon of a place; the text is whom it is for, as it is shown."""


@dataclass(eq=False)
class Session:
    """Bound to the conversation that it named, and to whether its client had the token."""

    id: str
    link: Link
    conversation: str
    is_authenticated: bool
    used: float = field(default_factory=time.monotonic)
    is_greeted: bool = False
    """Whether its client has said that it is ready."""
    is_listened: bool = False
    """Whether somebody reads what comes unasked."""

    @property
    def is_busy(self) -> bool:
        """Whether somebody waits for anything of it."""
        return self.is_listened or self.link.is_busy


class Sessions:
    """All that are open, up to ``most``."""

    def __init__(self, open_link: OpenLink, most: int) -> None:
        self._open_link = open_link
        self._most = most
        self._open: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._open)

    def open(self, place: Place, conversation: str, *, is_authenticated: bool) -> Session:
        """Raises McpRefused when there are too many."""
        if len(self._open) >= self._most:
            hint = "Close sessions that are not needed (DELETE), or ask again later."
            raise McpRefused(503, "too many sessions are open", hint, headers=((b"retry-after", b"5"),))
        name = uuid4().hex
        session = Session(name, self._open_link(place, f"http {name[:8]}"), conversation, is_authenticated)
        self._open[name] = session
        return session

    def find(self, name: str, *, is_authenticated: bool) -> Session:
        """Raises McpRefused when there is none, or it is somebody else's."""
        if not name:
            hint = "Greet first (initialize), then send the Mcp-Session-Id that comes back."
            raise McpRefused(400, "Bad Request: Missing session ID", hint)
        session = self._open.get(name)
        if session is None or session.is_authenticated != is_authenticated:
            raise McpRefused(404, "Session not found", "It has ended: greet again (initialize).")
        session.used = time.monotonic()
        return session

    def end(self, session: Session) -> None:
        """Hang up; its id is unknown from now on."""
        self._open.pop(session.id, None)
        session.link.close()

    def end_idle(self, idle_s: float) -> None:
        """End those that nobody has used for so long."""
        now = time.monotonic()
        for session in list(self._open.values()):
            if session.is_busy:
                session.used = now
            elif now - session.used > idle_s:
                self.end(session)

    def end_all(self) -> None:
        """The front ends."""
        for session in list(self._open.values()):
            self.end(session)

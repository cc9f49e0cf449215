"""A link: what one client, or one conversation, has with the daemon of its workspace, and with the next one when that
daemon ends.

What a daemon must hear again is remembered as the shim does it. Above: ``mcp_sessions``, ``mcp_shared``.
Below: ``mcp_wire``, ``mcp_demultiplexer``, ``surfaces.mcp.shim_memory``.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from groundwire.daemon.greeting import Greeting, relevant
from groundwire.errors import GroundwireError, Internal
from groundwire.surfaces.http.mcp_demultiplexer import Demultiplexer, Exchange, may_have_changed
from groundwire.surfaces.http.mcp_exchange import Outlet
from groundwire.surfaces.http.mcp_messages import INTERNAL_ERROR, Id, Request, cancel_line, encode, text_member
from groundwire.surfaces.http.mcp_replies import McpRefused
from groundwire.surfaces.http.mcp_wire import Meetings, Wire
from groundwire.surfaces.http.settings import ServeSettings
from groundwire.surfaces.mcp.shim_memory import Memory, is_renewal

log = logging.getLogger(__name__)

MOST_EXCHANGES = 512
"""Requests under way on one link."""
_SUBSCRIBE = "resources/subscribe"
_WATCHING = frozenset({_SUBSCRIBE, "resources/unsubscribe"})
_MOST_WATCHED = 1000
_INITIALIZE = (
    b'{"jsonrpc":"2.0","id":"groundwire greets","method":"initialize","params":{"protocolVersion":%b,'
    b'"capabilities":{},"clientInfo":{"name":"http","version":"1"}}}'
)
_INITIALIZED = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
_LONGEST_PAUSE_S = 5.0
_FIRST_PAUSE_S = 0.05


class Place(NamedTuple):
    """Where a conversation works."""

    workspace: Path
    cwd: Path


PlaceOf = Callable[[str | None], Awaitable[Place]]
"""Of a conversation, or of none. Raises a GroundwireError."""


class Link:
    """Use ``open``; ``close`` hangs up, and the daemon ends what was under way."""

    def __init__(self, place: Place, client: str, settings: ServeSettings, meetings: Meetings) -> None:
        self.place = place
        self._client = client
        self._settings = settings
        self._meetings = meetings
        self._memory = Memory(settings.profile)
        self._traffic = Demultiplexer()
        self._wire: Wire | None = None
        self._needed = asyncio.Event()
        self._failures = 0
        """Daemons in a row that said nothing before they ended."""
        self._is_last = False
        self._renewing = 0
        """Subscriptions that a daemon was told again and has not answered yet."""
        self._watched: set[str] = set()
        """Resources that the client wants to hear of."""
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """A daemon is met, beside everything else; what is asked meanwhile waits for it."""
        self._needed.set()
        self._task = asyncio.create_task(self._live())

    @property
    def unsolicited(self) -> Outlet:
        """What the daemon says of its own accord."""
        return self._traffic.unsolicited

    @property
    def is_busy(self) -> bool:
        """Whether a request is under way."""
        return len(self._traffic) > 0

    def check_room(self) -> None:
        """Raises McpRefused when so much is under way that nothing more may be asked."""
        if len(self._traffic) >= MOST_EXCHANGES:
            raise McpRefused(503, "too many requests at once", "Wait for answers.", headers=((b"retry-after", b"1"),))

    async def ask(self, request: Request) -> Exchange:
        """What comes back for the request comes out of the exchange."""
        if self._wire is not None:
            await self._wire.room()
        if request.method in _WATCHING:
            self._note_watched(request)
        exchange = self._traffic.begin(request)
        self._say(request.line(exchange.own_id))
        return exchange

    def tell(self, line: bytes) -> None:
        """A notification, or an answer to the daemon. It is lost where nobody is there to hear it."""
        if self._wire is not None:
            self._say(line)

    def greet(self, ready: bytes) -> None:
        """Say ``notifications/initialized``: whichever daemon comes next hears it, too."""
        self._say(ready)

    def introduce(self, version: str) -> None:
        """Greet for a client that has greeted somebody else."""
        self._say(_INITIALIZE % encode(version))
        self._say(_INITIALIZED)

    def cancel(self, request: Id) -> None:
        """The client wants no answer to that request of its own."""
        for exchange in self._traffic.of_client(request):
            self._say(cancel_line(exchange.own_id))
            self._traffic.cancelled(exchange)
        self._close_if_done()

    def abandon(self, exchange: Exchange) -> None:
        """Nobody waits for it: it is ended, unless it has been answered."""
        if not exchange.is_over:
            self._say(cancel_line(exchange.own_id))
        self._traffic.drop(exchange)

    def close(self) -> None:
        """Hang up; whoever waits is told."""
        if self._task is not None:
            self._task.cancel()
        if self._wire is not None:
            self._wire.close()
            self._wire = None
        self._traffic.end(INTERNAL_ERROR, "the connection was closed before there was an answer")

    def close_when_done(self) -> None:
        """Nothing more will be asked. What is under way is not ended by that."""
        self._is_last = True
        self._close_if_done()

    def _close_if_done(self) -> None:
        if self._is_last and not self.is_busy:
            self.close()

    def _say(self, line: bytes) -> None:
        answer = self._memory.heard(line)
        if self._wire is not None:
            self._wire.write(line + b"\n")
        elif self._memory.is_waiting or self.is_busy:
            self._needed.set()
        if answer:
            self._traffic.heard(answer)

    def _heard(self, line: bytes) -> None:
        self._failures = 0
        if self._memory.answered(line):
            self._traffic.heard(line)
            self._close_if_done()
        elif self._renewing and is_renewal(line):
            self._renewed()

    def _ended(self) -> None:
        self._wire = None
        self._failures += 1
        self._memory.begin_again()
        if self._memory.is_waiting:
            self._needed.set()

    async def _live(self) -> None:
        """One daemon after the other: the first at once, another only when there is something to be asked."""
        while await self._needed.wait():
            self._needed.clear()
            if self._failures > 1:
                await asyncio.sleep(min(_FIRST_PAUSE_S * 2**self._failures, _LONGEST_PAUSE_S))
            try:
                await self._connect()
            except GroundwireError as error:
                self._give_up(error)
            except OSError as problem:
                self._give_up(Internal(f"the connection to the background process failed: {problem}"))

    async def _connect(self) -> None:
        wire = Wire(self._heard, self._ended)
        try:
            await self._meetings.meet(self._greeting(), wire)
        except asyncio.CancelledError:
            wire.close()
            raise
        if wire.is_over:
            return
        for line in self._memory.fatal():
            self._traffic.heard(line)
        told = self._memory.to_be_told()
        self._wire = wire
        self._needed.clear()  # what came meanwhile is among what is told
        self._renewing = sum(map(is_renewal, told)) if self._watched else 0
        wire.write(b"".join(line + b"\n" for line in told))

    def _renewed(self) -> None:
        """Once the daemon watches again, and not before, it is said that nobody has since the last one ended."""
        self._renewing -= 1
        if not self._renewing:
            for uri in self._watched:
                self.unsolicited.put(may_have_changed(uri))

    def _note_watched(self, request: Request) -> None:
        uri = text_member(request.params, "uri")
        if request.method == _SUBSCRIBE and len(self._watched) < _MOST_WATCHED:
            self._watched.add(uri)
        elif request.method != _SUBSCRIBE:
            self._watched.discard(uri)

    def _give_up(self, error: GroundwireError) -> None:
        log.warning("no background process for %s: %s", self.place.workspace, error)
        for line in self._memory.given_up(error):
            self._traffic.heard(line)
        self._needed.clear()
        self._close_if_done()

    def _greeting(self) -> Greeting:
        options = {
            "profile": self._settings.profile,
            "output": self._settings.output,
            "repeated": json.dumps(self._memory.begin_again()),
            "talk": self._memory.talk,
        }
        if self.place.cwd != self.place.workspace:
            options["cwd"] = str(self.place.cwd)
        environment = relevant(self._settings.environment)
        return Greeting("mcp", str(self.place.workspace), self._client, options, environment)

"""The life of one language server: starting → ready → stopping → dead.

It holds its life, its connection and the pure state of ``workspace``, and nothing else: what is told lives in ``sync``,
what is asked in ``ask`` and ``diagnose``, what is heard in ``inbound``. Above: ``pool``. Below: those, ``connection``,
``transport``.
"""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from typing import Literal

from msgspec import Raw

from groundwire.client.clock import clock_of
from groundwire.client.connection import Connection
from groundwire.client.edit_requests import EditRequests
from groundwire.client.giving_way import GivingWay, system_call
from groundwire.client.handshake import initialize_params
from groundwire.client.inbound import Inbound
from groundwire.client.interlude import Interlude
from groundwire.client.options import SessionOptions
from groundwire.client.signal import Signal
from groundwire.client.state import SessionState
from groundwire.client.watchdog import Watchdog
from groundwire.errors import GroundwireError, RequestTimeout, ServerError, SessionDead
from groundwire.protocol.jsonrpc import NO_PARAMS
from groundwire.protocol.lsp import InitializeResult, decode
from groundwire.transport.base import Transport
from groundwire.transport.stdio import StdioTransport
from groundwire.workspace.outgoing import Outgoing

log = logging.getLogger(__name__)

IS_WINDOWS = sys.platform == "win32"
RECONFIGURE = "workspace/didChangeConfiguration"

Life = Literal["starting", "ready", "stopping", "dead"]

_NEXT: dict[Life, frozenset[Life]] = {
    "starting": frozenset({"ready", "stopping", "dead"}),
    "ready": frozenset({"stopping", "dead"}),
    "stopping": frozenset({"dead"}),
    "dead": frozenset(),
}


class Session:
    """One running server. ``await start()`` once; every failure after that is typed; ``await stop()`` always."""

    def __init__(self, options: SessionOptions, connect: Callable[[], Awaitable[Transport]]) -> None:
        self.options = options
        self.signal = Signal()
        self.now = clock_of(asyncio.get_running_loop())
        self.state = SessionState(options)
        self.life: Life = "starting"
        self.ready_since = 0.0
        self.close_reason = ""
        self._connect = connect
        self.edit_requests = EditRequests()
        """What the server wants edited."""
        self._inbound = Inbound(options, self.state, self.now, IS_WINDOWS, self.edit_requests)
        self._connection: Connection | None = None
        self._transport: Transport | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._watchdog: Watchdog | None = None
        self.give_way = GivingWay(system_call())
        self.interlude = Interlude()
        """When it is told other things than the disk holds."""
        self.died_at = 0.0
        self.timeouts = 0
        """How many requests were not answered in time."""

    def __repr__(self) -> str:
        return f"<Session {self.options.server} {self.life} {len(self.state.documents)} open>"

    @property
    def transport(self) -> Transport | None:
        """What the bytes go through, for those who want to know the process behind it."""
        return self._transport

    async def start(self) -> None:
        """Connect and shake hands. Whatever goes wrong, nothing is left running."""
        try:
            self._transport = await self._connect()
            if self.life != "starting":  # stopped meanwhile, when there was nothing to close yet
                await self._transport.close()
                raise SessionDead(f"{self.options.server} was stopped while it started")
            self._connection = Connection(self._transport, self, self.options.limits)
            self._watchdog = Watchdog(
                self._connection, self.options.patience, _processor_time(self._transport), self._connection.give_up
            )
            await self._initialize()
            self._become("ready")
        except (GroundwireError, asyncio.CancelledError):
            await self.stop()
            raise
        self.ready_since = self.now()

    async def stop(self) -> None:
        """Shut down politely, then firmly; bounded. Everyone who calls waits for the same end."""
        if self._stopping is None:
            self._stopping = asyncio.ensure_future(self._stop())
        await asyncio.shield(self._stopping)

    async def request(self, method: str, params: object = NO_PARAMS, *, timeout: float | None = None) -> Raw:
        """Ask the server. Raises as ``Connection.request`` does."""
        check = self.state.save_check
        saves = check.told if check is not None else 0
        if self._watchdog is not None:
            self._watchdog.asked()
        try:  # answered or refused, it shows that what was told before it has been read
            answer = await self.connection.request(method, params, timeout=timeout or self.options.request_timeout)
        except ServerError:
            if check is not None:
                check.read(saves)
            raise
        except RequestTimeout:
            self.timeouts += 1
            raise
        if check is not None:
            check.read(saves)
        return answer

    def unseen(self, method: str) -> str:  # noqa: ARG002  it matters to those that are limited
        """Why an answer of this kind lacks what the server was not to look at; empty: it looks at everything."""
        return ""

    def notify(self, method: str, params: object = NO_PARAMS) -> None:
        """Tell the server."""
        self.connection.notify(method, params)

    def tell(self, messages: list[Outgoing]) -> None:
        """Send what a method of ``workspace`` returned."""
        for message in messages:
            self.connection.notify(message.method, message.params)

    @property
    def connection(self) -> Connection:
        """The open connection; SessionDead when there is none."""
        if self._connection is None:
            raise SessionDead(f"{self.options.server} is not running")
        return self._connection

    @property
    def has_pending(self) -> bool:
        """Whether something is waiting for an answer."""
        return self._connection is not None and self._connection.has_pending

    def raise_if_dead(self) -> None:
        """For those who wait for a sign: a dead server gives none."""
        if self.life == "dead":
            raise SessionDead(f"{self.options.server} went away: {self.close_reason}")

    def asked(self, method: str, params: Raw) -> object:
        """Peer: a request of the server."""
        try:
            return self._inbound.asked(method, params)
        finally:
            self.signal.ring()

    def told(self, method: str, params: Raw) -> None:
        """Peer: a notification of the server."""
        try:
            self._inbound.told(method, params)
        finally:
            self.signal.ring()

    def heard_noise(self, reason: str, sample: str) -> None:
        """Peer: something that is no message. Kept for people to read; never taken for an answer."""
        self.state.log.append(f"{reason}: {sample.strip()}")

    def closed(self, reason: str) -> None:
        """Peer: the connection ended."""
        self.close_reason = self.close_reason or reason
        self.died_at = self.now()
        if self._watchdog is not None:
            self._watchdog.stop()
        if self.life != "dead":
            self._become("dead")
        if self._stopping is None:  # its process may live on, deaf or dumb, and is of no more use
            self._stopping = asyncio.ensure_future(self._stop())
        self.signal.ring()

    async def _initialize(self) -> None:
        params = initialize_params(self.options, windows=IS_WINDOWS)
        raw = await self.request("initialize", params, timeout=self.options.start_timeout)
        result = decode(raw, InitializeResult, "initialize")
        self.state.capabilities.adopt(result.capabilities)
        if result.server_info is not None:
            self.state.server_name = result.server_info.name
            self.state.server_version = result.server_info.version or ""
        self.notify("initialized", {})
        self.state.readiness.initialized(self.now())
        if self.options.settings:
            self.notify(RECONFIGURE, {"settings": self.options.settings})

    async def _stop(self) -> None:
        connection = self._connection
        was_open = connection is not None and not connection.close_reason
        if self.life in ("starting", "ready"):
            was_ready = self.life == "ready"
            self._become("stopping")
            if connection is not None and was_open and was_ready:
                await self._say_goodbye(connection)
        if connection is not None:
            await connection.close()
        elif self._transport is not None:
            await self._transport.close()
        if self.life != "dead":
            self._become("dead")

    async def _say_goodbye(self, connection: Connection) -> None:
        if isinstance(self._transport, StdioTransport):
            self._transport.process.remember_family()
        try:
            await connection.request("shutdown", timeout=self.options.shutdown_timeout)
            connection.notify("exit")
        except (RequestTimeout, GroundwireError) as error:
            log.debug("%s did not shut down politely: %s", self.options.server, error)

    def _become(self, life: Life) -> None:
        if life not in _NEXT[self.life]:
            raise SessionDead(f"{self.options.server} cannot go from {self.life} to {life}")
        self.life = life


def _processor_time(transport: Transport) -> Callable[[], float | None]:
    """How to learn what the server's processes have used; nobody knows of one that runs elsewhere."""
    return transport.process.cpu_seconds if isinstance(transport, StdioTransport) else lambda: None

"""A JSON-RPC conversation over a transport: request, notify, answer. Knows no LSP method.

Bytes are decoded and handed on as they arrive, on the event loop, before more are read, so a server that floods us is
held back by its own full pipe. What we send is queued in order and never blocks; a server that stops reading is given
up when too much is waiting. Above: ``session``. Below: ``dispatch``, ``protocol.correlator`` and a
``Transport``.
"""

import asyncio
import logging
from collections.abc import Callable

import msgspec
from msgspec import Raw

from groundwire.client.clock import clock_of
from groundwire.client.deadlines import Deadlines
from groundwire.client.dispatch import Dispatch, Peer
from groundwire.errors import GroundwireError, MessageTooLarge, RequestTimeout, ServerError, SessionDead
from groundwire.protocol import jsonrpc
from groundwire.protocol.correlator import Answered, Asked, Correlator, Event, Failed, Refused, Strange, Told
from groundwire.protocol.framing import FrameDecoder
from groundwire.protocol.jsonrpc import NO_PARAMS
from groundwire.transport.base import Transport

log = logging.getLogger(__name__)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a connection puts up with."""

    max_message: int = 32 * 1024 * 1024
    """Larger messages are refused with a typed error; decoding one would hold up everything else."""
    max_unsent: int = 64 * 1024 * 1024
    """A server that leaves this much unread is given up."""
    hold_back: int = 1024 * 1024
    """A request waits (within its time) while this much is unread."""
    max_answering: int = 64
    """Requests of the server that are being answered at once."""
    retried_errors: frozenset[int] = frozenset()
    """Failure codes, beside the usual ones, after which a request is sent again."""
    never_cancelled: frozenset[str] = frozenset()
    """Methods of which the server must not be told that nobody waits for the answer any more."""
    retry_delays_s: tuple[float, ...] = (0.02, 0.5, 1.0, 2.0)
    """How long to wait before each further try of a request that the server asks to be retried."""


class Connection:
    """One conversation. ``close_reason`` is empty while it is open."""

    def __init__(self, transport: Transport, peer: Peer, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._transport = transport
        self._peer = peer
        self._correlator = Correlator(FrameDecoder(max_body=self._limits.max_message))
        self._pending: dict[int, asyncio.Future[Raw]] = {}
        self._deadlines = Deadlines(self._expire)
        self._probes: dict[int, Callable[[], None]] = {}
        self._dispatch = Dispatch(peer, self._correlator, self._send_if_open, self._limits.max_answering)
        self.close_reason = ""
        self._now = clock_of(asyncio.get_running_loop())
        self.heard_at = self._now()
        """When the peer last said anything."""
        transport.start(self._received, self._closed)

    def __repr__(self) -> str:
        state = f"closed: {self.close_reason}" if self.close_reason else f"{len(self._pending)} pending"
        return f"<Connection {state}>"

    async def request(self, method: str, params: object = NO_PARAMS, *, timeout: float) -> Raw:
        """Ask and wait. Retries what the server asks to be retried, as long as the time lasts.

        Raises RequestTimeout, ServerError, MessageTooLarge or SessionDead. When the caller is cancelled or the time is
        over, the server is told to cancel too.
        """
        deadline = self._now() + timeout
        delays = iter(self._limits.retry_delays_s)
        while True:
            try:
                return await self._request_once(method, params, deadline)
            except ServerError as error:
                delay = next(delays, None) if _may_retry(error, self._limits.retried_errors) else None
                if delay is None or self._now() + delay >= deadline:
                    raise
                log.debug("%s: retried in %s s: %s", method, delay, error)
                await asyncio.sleep(delay)

    def notify(self, method: str, params: object = NO_PARAMS) -> None:
        """Tell. Raises SessionDead when nobody can hear it."""
        self._send(self._correlator.notify(method, params))

    def probe(self, method: str, answered: Callable[[], None], params: object = NO_PARAMS) -> None:
        """Ask, and have ``answered`` called before anything is heard that was said after the answer or refusal."""
        request_id, data = self._correlator.request(method, params)
        self._probes[request_id] = answered
        self._send(data)

    @property
    def has_pending(self) -> bool:
        """Whether anything is waiting for an answer."""
        return bool(self._pending)

    def give_up(self, reason: str) -> None:
        """End the conversation with a peer that is of no more use; its transport is still to be closed."""
        self._closed(reason)

    async def close(self) -> None:
        """End the conversation and its transport."""
        self._closed("closed by groundwire")
        await self._transport.close()

    async def _request_once(self, method: str, params: object, deadline: float) -> Raw:
        if self._transport.unsent > self._limits.hold_back:
            await self._wait_for_room(method, deadline)
        request_id, data = self._correlator.request(method, params)
        answer: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        self._pending[request_id] = answer
        try:
            self._send(data)
            self._deadlines.set(request_id, deadline)  # the server is at work by now
            return await answer
        except (RequestTimeout, asyncio.CancelledError):
            self._cancel(request_id, method)
            raise
        finally:
            self._deadlines.take_back(request_id)
            self._pending.pop(request_id, None)

    async def _wait_for_room(self, method: str, deadline: float) -> None:
        try:
            async with asyncio.timeout_at(deadline):
                await self._transport.drained()
        except TimeoutError:
            raise RequestTimeout(f"{method}: the server has stopped reading") from None

    def _send(self, data: bytes) -> None:
        if self.close_reason:
            raise SessionDead(f"the connection to the server has ended: {self.close_reason}")
        unsent = self._transport.send(data)
        if unsent > self._limits.max_unsent:
            self._closed(f"the server stopped reading; {unsent:,} bytes are waiting")

    def _cancel(self, request_id: int, method: str) -> None:
        data = self._correlator.cancel(request_id)
        if data is not None and not self.close_reason and method not in self._limits.never_cancelled:
            self._transport.send(data)

    def _received(self, data: bytes) -> None:
        self.heard_at = self._now()
        for event in self._correlator.feed(data):
            self._handle(event)

    def _handle(self, event: Event) -> None:
        match event:
            case Answered():
                self._answered(event.id, event.result)
            case Failed():
                self._answered(event.id, event.as_error())
            case Told():
                self._dispatch.hear(event)
            case Asked():
                self._dispatch.answer(event)
            case Refused():
                self._refused(event)
            case Strange(reason=reason, sample=sample):
                self._peer.heard_noise(reason, sample)

    def _answered(self, request_id: int, outcome: Raw | GroundwireError) -> None:
        # Not for an answer that was too large to be looked at: whose it was nobody knows.
        if (answered := self._probes.pop(request_id, None)) is not None and not self.close_reason:
            answered()
        self._settle(request_id, outcome)

    def _settle(self, request_id: int, outcome: Raw | GroundwireError) -> None:
        answer = self._pending.get(request_id)
        if answer is None or answer.done():
            return
        if isinstance(outcome, GroundwireError):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)

    def _expire(self, request_id: int) -> None:
        method = self._correlator.pending.get(request_id, "a request")
        self._settle(request_id, RequestTimeout(f"{method} was not answered in time"))

    def _refused(self, event: Refused) -> None:
        log.warning("a message of %s bytes was refused (limit %s)", event.size, event.limit)
        for request_id in event.ids:
            self._settle(request_id, MessageTooLarge(event.size, event.limit))
        if event.asked is not None:
            self._dispatch.refuse(event.asked, "message too large")

    def _send_if_open(self, data: bytes) -> None:
        if not self.close_reason:
            self._send(data)

    def _closed(self, reason: str) -> None:
        if self.close_reason:
            return
        self.close_reason = reason
        for event in self._correlator.close():
            self._handle(event)
        self._correlator.abandon_all()
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(SessionDead(f"the server went away: {reason}"))
        self._deadlines.stop()
        self._dispatch.cancel_all()
        self._peer.closed(reason)


def _may_retry(error: ServerError, more: frozenset[int]) -> bool:
    if error.code not in jsonrpc.RETRYABLE and error.code not in more:
        return False
    # A server that cancelled says so where asking again is of no use.
    return b'"retriggerRequest":false' not in (error.data or b"").replace(b" ", b"")

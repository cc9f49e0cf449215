"""Which message of a daemon is for whom: many requests share a connection, each under an id that is only ours.

Pure. Above: ``mcp_links``. Below: ``mcp_exchange``, ``mcp_messages``.
"""

import re
from itertools import count
from typing import Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from groundwire.surfaces.http.mcp_exchange import Outlet
from groundwire.surfaces.http.mcp_messages import CANCELLED, Id, Request, encode, error_answer

_SUBSCRIPTION: Final = "io.modelcontextprotocol/subscriptionId"
_ACKNOWLEDGED: Final = "notifications/subscriptions/acknowledged"
_UPDATED: Final = "notifications/resources/updated"
_PROGRESS: Final = "notifications/progress"
_LISTEN: Final = "subscriptions/listen"

_ANSWER: Final = re.compile(rb'\{"jsonrpc":"2\.0","id":(\d{1,18}),(?="(?:result|error)")')
"""As daemons write nearly all of them."""

_Members = dict[str, Raw]


class _Said(msgspec.Struct):
    id: Id | UnsetType | None = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


class _Meta(msgspec.Struct, rename={"subscription": _SUBSCRIPTION}):
    subscription: Id | None = None


class _Params(msgspec.Struct, rename={"token": "progressToken", "meta": "_meta"}):
    token: Id | None = None
    meta: _Meta | None = None


class _Filter(msgspec.Struct, frozen=True, rename={"resources": "resourceSubscriptions"}):
    resources: tuple[str, ...] = ()


class _Acknowledged(msgspec.Struct):
    notifications: _Filter = _Filter()


_read = msgspec.json.Decoder(_Said).decode
_read_params = msgspec.json.Decoder(_Params).decode
_read_acknowledged = msgspec.json.Decoder(_Acknowledged).decode
_read_members = msgspec.json.Decoder(_Members).decode


class Exchange(Outlet):
    """One request and what comes back for it."""

    __slots__ = ("is_acknowledged", "own_id", "request")

    def __init__(self, own_id: int, request: Request) -> None:
        super().__init__()
        self.own_id = own_id
        self.request = request
        self.is_acknowledged = False
        """Whether a subscription has been said to hold. When another daemon says it again, nobody has looked in
        between: what is watched may be another by now, and that is what the client is told.
        """


class Demultiplexer:
    """Of one connection, through all daemons that it is to."""

    def __init__(self) -> None:
        self.unsolicited = Outlet()
        """What belongs to no request."""
        self._ids = count(1)
        self._open: dict[int, Exchange] = {}

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, request: Request) -> Exchange:
        """A request that is about to be sent on, as ``request.line(own_id)``."""
        own = next(self._ids)
        self._open[own] = exchange = Exchange(own, request)
        return exchange

    def of_client(self, request: Id) -> list[Exchange]:
        """What the client knows under that id, and has no answer to yet."""
        return [each for each in self._open.values() if each.request.id == request]

    def drop(self, exchange: Exchange) -> None:
        """Nobody waits for it, and no answer will come."""
        self._open.pop(exchange.own_id, None)
        exchange.end()

    def cancelled(self, exchange: Exchange) -> None:
        """It is answered here: a daemon says nothing more about it."""
        if self._open.pop(exchange.own_id, None) is not None:
            exchange.put(error_answer(exchange.request.id, CANCELLED, "Request cancelled"), is_last=True)

    def end(self, code: int, why: str) -> None:
        """Whoever still waits is told why in vain."""
        for exchange in self._open.values():
            exchange.put(error_answer(exchange.request.id, code, why), is_last=True)
        self._open.clear()
        self.unsolicited.end()

    def heard(self, line: bytes) -> None:
        """A line of the daemon."""
        found = _ANSWER.match(line)
        if found is not None:
            self._answered(int(found[1]), line[found.end() :])
            return
        try:
            said = _read(line)
        except (msgspec.DecodeError, RecursionError):
            return  # daemons are ours, and write whole messages; half of one is of no use to anybody
        if said.method is UNSET:
            self._answered_differently(said)
        elif said.id is not UNSET or not self._is_about_request(said):
            self.unsolicited.put(line)

    def _answered(self, own: int, rest: bytes) -> None:
        exchange = self._open.pop(own, None)
        if exchange is None:
            return  # nobody waits any more
        request = exchange.request
        if request.method == _LISTEN and rest.startswith(b'"result"'):
            rest = b'"result":%b}' % _with_subscription(rest[len(b'"result":') : -1], request.id)
        exchange.put(b'{"jsonrpc":"2.0","id":%b,%b' % (encode(request.id), rest), is_last=True)

    def _answered_differently(self, said: _Said) -> None:
        told = b'"result":%b}' % said.result if said.result is not UNSET else b""
        if said.error is not UNSET:
            told = b'"error":%b}' % said.error
        if isinstance(said.id, int) and told:
            self._answered(said.id, told)

    def _is_about_request(self, said: _Said) -> bool:
        """Whether it was for one, which has it now; what is about a request that is gone is for nobody."""
        if said.params is UNSET:
            return False
        params = bytes(said.params)
        try:
            known = _read_params(params)
        except msgspec.DecodeError:
            return False
        subscription = known.meta.subscription if known.meta is not None else None
        if subscription is not None:
            self._of_subscription(subscription, str(said.method), params)
        elif said.method == _PROGRESS:
            self._of_progress(known.token, params)
        return subscription is not None or said.method == _PROGRESS

    def _of_progress(self, token: Id | None, params: bytes) -> None:
        exchange = self._open.get(token) if isinstance(token, int) else None
        if exchange is not None and exchange.request.token:
            members = {**_read_members(params), "progressToken": Raw(exchange.request.token)}
            exchange.put(_notification(_PROGRESS, encode(members)))

    def _of_subscription(self, subscription: Id, method: str, params: bytes) -> None:
        exchange = self._open.get(subscription) if isinstance(subscription, int) else None
        if exchange is None:
            return
        name = exchange.request.id
        if method == _ACKNOWLEDGED and exchange.is_acknowledged:
            for uri in _read_acknowledged(params).notifications.resources:
                exchange.put(_notification(_UPDATED, encode({"uri": uri, "_meta": {_SUBSCRIPTION: name}})))
            return
        exchange.is_acknowledged = True
        exchange.put(_notification(method, _with_subscription(params, name)))


def may_have_changed(uri: str) -> bytes:
    """That a resource should be read again."""
    return _notification(_UPDATED, encode({"uri": uri}))


def _notification(method: str, params: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","method":%b,"params":%b}' % (encode(method), params)


def _with_subscription(holder: bytes, subscription: Id) -> bytes:
    """An object whose ``_meta`` names a subscription, with the id that the client knows."""
    members = _read_members(holder)
    meta = _read_members(members["_meta"]) if "_meta" in members else {}
    members["_meta"] = Raw(encode({**meta, _SUBSCRIPTION: subscription}))
    return encode(members)

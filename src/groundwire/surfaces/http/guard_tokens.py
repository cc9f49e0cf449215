"""Who may ask: the bearer token, compared in constant time, and a limit on how fast it can be guessed.

Only failures are counted and only failures are told to wait: who has the token is never locked out by who has not.
Above: ``guard``. Below: ``settings``.
"""

import hmac
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from urllib.parse import parse_qsl

from groundwire.surfaces.http.errors_shown import Refused
from groundwire.surfaces.http.settings import ServeSettings

_MOST_ADDRESSES = 4096
_IN_A_QUERY = frozenset({"token", "access_token"})
_HINT = "Send the header `Authorization: Bearer TOKEN`; the token is the one the service was started with."


class Failures:
    """How often each address has failed lately. Knows a bounded number of addresses."""

    def __init__(self, most: int, within_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._within_s = within_s
        self._clock = clock
        self._windows: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def count(self, address: str) -> float:
        """One more; the seconds to wait when there were too many, else 0."""
        now = self._clock()
        peer = _peer(address)
        began, count = self._windows.pop(peer, (now, 0))
        if now - began >= self._within_s:
            began, count = now, 0
        self._windows[peer] = (began, min(count + 1, self._most + 1))
        while len(self._windows) > _MOST_ADDRESSES:
            self._windows.popitem(last=False)
        return began + self._within_s - now if count >= self._most else 0.0

    def __len__(self) -> int:
        return len(self._windows)


class Tokens:
    """``check`` every request that needs one."""

    def __init__(self, settings: ServeSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._token = settings.token.encode()
        self._is_open = settings.is_open
        self._failures = Failures(settings.failures, settings.failures_s, clock)

    def check(self, authorization: bytes | None, query: bytes, address: str) -> bool:
        """Whether the token was given, which is needed only where the front is not open. Raises Refused."""
        if query and _has_token(query):
            raise self._failed(address, "a token in the address is refused: addresses end up in logs")
        if authorization is None:
            if self._is_open:
                return False
            raise self._failed(address, "no token was given")
        scheme, _, given = authorization.partition(b" ")
        if scheme.lower() != b"bearer" or not self._is_right(given.strip()):
            raise self._failed(address, "the token is wrong")
        return True

    def _is_right(self, given: bytes) -> bool:
        return hmac.compare_digest(given, self._token) and bool(self._token)

    def _failed(self, address: str, message: str) -> Refused:
        wait_s = self._failures.count(address)
        if wait_s:
            after = {"Retry-After": str(max(math.ceil(wait_s), 1))}
            return Refused(429, "too many attempts without the right token", _HINT, headers=after)
        return Refused(401, message, _HINT, headers={"WWW-Authenticate": "Bearer"})


def _has_token(query: bytes) -> bool:
    try:
        names = [name.lower() for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True)]
    except ValueError:  # more fields than anybody needs
        return True
    return not _IN_A_QUERY.isdisjoint(names)


def _peer(address: str) -> str:
    """Who has one address of a network of version 6 has all of it."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> 64 << 64))

"""Addresses of servers that somebody else runs: how they are written, and which of them may be dialled on request.

Whoever asks may be a model that was talked into it by what it read. So at run time only this machine is dialled; any
other address has to stand in the configuration, of which a project's part counts only once it is trusted.
Above: ``starting`` and ``operations``. Below: nothing.
"""

import ipaddress
from collections.abc import Collection
from typing import NamedTuple

from groundwire.errors import InvalidArgument, PermissionDenied

_LAST_PORT = 65_535


class Address(NamedTuple):
    """Where to dial."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_this_machine(self) -> bool:
        """By the address alone: a name other than this one may lead anywhere, and elsewhere the next time."""
        if self.host.casefold() == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def read_address(text: str) -> Address:
    """``host:port`` or ``[host]:port``. Raises InvalidArgument."""
    host, colon, port = text.strip().rpartition(":")
    is_bracketed = host.startswith("[") and host.endswith("]")
    host = host[1:-1] if is_bracketed else host
    is_port = port.isascii() and port.isdigit() and 0 < int(port[:6]) <= _LAST_PORT
    is_host = bool(host) and host.isprintable() and " " not in host and (is_bracketed or ":" not in host)
    if not (colon and is_port and is_host):
        hint = "Write HOST:PORT, for instance 127.0.0.1:7000 or [::1]:7000."
        raise InvalidArgument(f"{text[:100]!a} is no address", hint=hint)
    return Address(host, int(port))


def require_diallable(address: Address, configured: Collection[str]) -> None:
    """Raise PermissionDenied unless the address is this machine's, or one of those that the configuration has."""
    if address.is_this_machine or any(read_address(known) == address for known in configured):
        return
    hint = 'Put it into your own configuration ([servers.NAME] connect = "HOST:PORT"), or forward a local port to it.'
    raise PermissionDenied(f"{address} is not on this machine, and is not dialled on request", hint=hint)

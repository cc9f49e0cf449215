"""How a front is run: where it listens, who may ask, what it may see, and every limit.

Above: everything here. Below: ``places``, ``errors``.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from groundwire.errors import InvalidArgument
from groundwire.places import state_directory

TOKEN_VARIABLE = "GROUNDWIRE_TOKEN"  # noqa: S105  a name, not a token
SHORTEST_TOKEN = 16
HOW_TO_MAKE_ONE = 'Make one: export GROUNDWIRE_TOKEN="$(python3 -c "import secrets; print(secrets.token_urlsafe(32))")"'
_MOST_PORTS = 65535


@dataclass(frozen=True)
class ServeSettings:
    """``is_open``: asks for no token. ``roots`` are absolute, without links; the first is where work is by default.

    ``environment`` is what daemons are started with; the token is not in it.
    """

    roots: tuple[Path, ...]
    listen: str = "127.0.0.1"
    port: int = 8080
    token: str = field(default="", repr=False)
    is_open: bool = False
    is_stateless: bool = False
    allowed_hosts: tuple[str, ...] = ()
    profile: str = "core"
    output: str = "text"
    environment: Mapping[str, str] = field(default_factory=lambda: without_token(os.environ), repr=False)
    state_dir: Path = field(default_factory=lambda: default_state_dir(os.environ))
    body_bytes: int = 4 * 1024 * 1024
    bodies_bytes: int = 64 * 1024 * 1024
    """Of all bodies that are being read at one moment."""
    header_bytes: int = 64 * 1024
    header_s: float = 10.0
    body_s: float = 20.0
    write_s: float = 30.0
    """How long a client may take to read what was written for it, before it is cut."""
    idle_s: float = 75.0
    drain_s: float = 5.0
    connections: int = 1200
    sessions: int = 400
    """Fewer than a daemon has connections: all of them may be in one workspace."""
    session_idle_s: float = 1800.0
    keep_alive_s: float = 15.0
    """Between the comments that keep a stream of events alive."""
    failures: int = 20
    """Wrong tokens from one address within ``failures_s``, before the next is told to wait."""
    failures_s: float = 60.0
    conversations: int = 100_000


def default_state_dir(environment: Mapping[str, str]) -> Path:
    """Where the front keeps what outlives it."""
    return Path(state_directory(environment), "serve")


def without_token(environment: Mapping[str, str]) -> dict[str, str]:
    """What may be handed on to processes: none of them needs the token."""
    return {name: value for name, value in environment.items() if name != TOKEN_VARIABLE}


def address_of(listen: str) -> IPv4Address | IPv6Address:
    """Raises InvalidArgument for what is no IP address."""
    try:
        return ip_address("127.0.0.1" if listen == "localhost" else listen)
    except ValueError:
        hint = "Name an address of this machine: 127.0.0.1 for it alone, 0.0.0.0 for everybody who can reach it."
        raise InvalidArgument(f"--listen takes an IP address, not {listen!r}", hint=hint) from None


def check(settings: ServeSettings) -> ServeSettings:
    """The same, when a front may be run so. Raises InvalidArgument."""
    is_loopback = address_of(settings.listen).is_loopback
    if not 0 <= settings.port <= _MOST_PORTS:
        raise InvalidArgument(f"there is no port {settings.port}", hint="Ports are 0 to 65535; 0 picks a free one.")
    if settings.is_open and not is_loopback:
        hint = "Give a token (GROUNDWIRE_TOKEN), or listen on 127.0.0.1."
        raise InvalidArgument("--no-auth is for loopback addresses: others can reach this one", hint=hint)
    if not settings.token and not settings.is_open:
        alone = " Or, for this machine alone: --no-auth." if is_loopback else ""
        raise InvalidArgument("a token is needed", hint=HOW_TO_MAKE_ONE + alone)
    if settings.token:
        _check_token(settings.token)
    return settings


def _check_token(token: str) -> None:
    if len(token) < SHORTEST_TOKEN:
        raise InvalidArgument(f"the token has fewer than {SHORTEST_TOKEN} characters", hint=HOW_TO_MAKE_ONE)
    if not all("!" <= character <= "~" for character in token):
        hint = f"A header cannot carry it. {HOW_TO_MAKE_ONE}"
        raise InvalidArgument("the token has characters other than visible ASCII ones", hint=hint)

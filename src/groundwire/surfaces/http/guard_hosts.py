"""Whom a request says it is for, and from which page it comes: what keeps other people's pages out of this service.

A name that leads here by somebody else's DNS is not ours, whatever it resolves to. A number cannot be made to lead
elsewhere, so where the front listens on every address, every number is ours. Above: ``guard``. Below: ``settings``.
"""

from ipaddress import ip_address

from groundwire.surfaces.http.errors_shown import Refused
from groundwire.surfaces.http.settings import ServeSettings, address_of

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_MOST_DIGITS = 5
_VERSION_6 = 6


class Hosts:
    """Which names and which origins are ours. The port of ``settings`` is the real one."""

    def __init__(self, settings: ServeSettings) -> None:
        address = address_of(settings.listen)
        self._port = settings.port
        self._is_everywhere = address.is_unspecified
        shown = f"[{address}]" if address.version == _VERSION_6 else str(address)
        self._names = {_with_port(name, settings.port) for name in (*_LOOPBACK, shown)}
        for named in settings.allowed_hosts:
            self._names.update(_meant_by(named.lower(), settings.port))

    def check(self, host: str, origin: str | None, fetch_site: str) -> None:
        """Raises Refused."""
        if not self._is_ours(host.lower()):
            hint = "Call it by its address, or start it with --allowed-host NAME."
            raise Refused(421, f"this is not {host[:200]!r}", hint)
        if origin is not None and not self._is_own_page(origin.lower(), host.lower()):
            raise Refused(403, f"pages of {origin[:200]!r} may not call this", "Call it from its own page, or no page.")
        if origin is None and fetch_site in {"cross-site", "same-site"}:
            raise Refused(403, "pages of others may not call this", "Call it from its own page, or no page.")

    def _is_ours(self, host: str) -> bool:
        return _full(host, "http") in self._names or host in self._names or self._is_number(host)

    def _is_number(self, host: str) -> bool:
        name, port = split_host(host)
        if not self._is_everywhere or port not in {None, self._port}:
            return False
        try:
            return bool(ip_address(name.strip("[]")))
        except ValueError:
            return False

    def _is_own_page(self, origin: str, host: str) -> bool:
        scheme, _, named = origin.partition("://")
        if scheme not in _DEFAULT_PORTS or not named:
            return False
        if self._is_number(named):
            return named == host
        return _full(named, scheme) in self._names or named in self._names


def _meant_by(named: str, port: int) -> set[str]:
    """Without a port: ours, and those that a proxy before us has."""
    if split_host(named)[1] is not None:
        return {named}
    return {f"{named}:{each}" for each in (port, *_DEFAULT_PORTS.values())} | {named}


def _full(host: str, scheme: str) -> str:
    return host if split_host(host)[1] is not None else f"{host}:{_DEFAULT_PORTS[scheme]}"


def _with_port(name: str, port: int) -> str:
    return f"{name}:{port}"


def split_host(host: str) -> tuple[str, int | None]:
    """Name and port; no port where none is said, and no name where it is nonsense."""
    name, colon, port = host.rpartition(":")
    if not colon or port.endswith("]"):
        return host, None
    if not (port.isascii() and port.isdigit()) or len(port) > _MOST_DIGITS:
        return "", None
    return name, int(port)

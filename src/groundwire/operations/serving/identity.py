"""Who a server says it is, against whom it was taken for: its habits decide what its answers prove.

Above: ``starting``. Below: ``registry.catalog``.
"""

import re

from groundwire.errors import InvalidArgument
from groundwire.registry.catalog import Catalog

_MOST_SHOWN = 60


def require_identity(told: str, server: str, catalog: Catalog, *, is_vouched_for: bool) -> None:
    """Raise InvalidArgument when a server that somebody else runs is another one, or may be.

    ``told`` is its own word, empty where it gave none. ``is_vouched_for``: the caller named the server, and is believed
    unless the server itself says otherwise.
    """
    meant = servers_called(told, catalog)
    if server in meant or (is_vouched_for and not meant):
        return
    name = f"calls itself {told[:_MOST_SHOWN]!a}" if told else "does not say who it is"
    if meant:
        raise InvalidArgument(f"it {name}, and was taken for {server}", hint=f"Say server_id={meant[0]!r}.")
    hint = f"Say server_id={server!r} if that is what it is: how far its answers can be believed depends on it."
    raise InvalidArgument(f"it {name}, and was taken for {server} by its language alone", hint=hint)


def servers_called(told: str, catalog: Catalog) -> list[str]:
    """The servers whose name stands in what one calls itself, the longest name first."""
    words = _words(told)
    named = {server: _words(server) for server in catalog.servers}
    found = [server for server, own in named.items() if _stands_in(own, words)]
    return sorted(found, key=lambda server: -len(server))


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", name.casefold())


def _stands_in(own: list[str], words: list[str]) -> bool:
    return bool(own) and any(words[at : at + len(own)] == own for at in range(len(words) - len(own) + 1))

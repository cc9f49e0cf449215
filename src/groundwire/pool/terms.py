"""What holds for the files of one folder of the workspace: its servers, what may be run, and who else runs one.

A folder brings a configuration and needs trust of its own: what one project may decide says nothing about another.
Above: ``settings``, ``workspace_folders``. Below: ``registry.catalog``.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from groundwire.errors import GroundwireError
from groundwire.registry.catalog import Catalog


class FolderTerms(msgspec.Struct, frozen=True, kw_only=True):
    """Plain values; ``opening`` makes them of a configuration whose untrusted parts are held back already."""

    catalog: Catalog
    connect: Mapping[str, str]
    """Server → ``host:port`` where somebody else runs it."""
    refusal: Callable[[Path], GroundwireError | None]
    """Why a file is not served at all."""
    program_gate: Callable[[Path], str]
    """Why a program may not be run; empty when it may."""
    withheld: tuple[str, ...] = ()
    """What the folder wants and may not have before it is trusted, in words."""

    def connected(self, server: str, address: str) -> "FolderTerms":
        """The same, but for a server that somebody else runs: in its languages it goes before all others."""
        catalog = self.catalog
        if server in catalog.servers:
            catalog = _preferring(catalog, server)
        return msgspec.structs.replace(self, catalog=catalog, connect={**self.connect, server: address})


def _preferring(catalog: Catalog, server: str) -> Catalog:
    spec = catalog.servers[server]
    languages = dict(catalog.languages)
    for language in spec.languages:
        known = languages.get(language)
        if known is None:
            continue
        named = _first(server, known.named)
        if spec.role == "primary":
            languages[language] = msgspec.structs.replace(known, servers=_first(server, known.servers), named=named)
        else:
            languages[language] = msgspec.structs.replace(known, linters=_first(server, known.linters), named=named)
    return Catalog(languages, catalog.servers)


def _first(server: str, others: tuple[str, ...]) -> tuple[str, ...]:
    return (server, *(other for other in others if other != server))

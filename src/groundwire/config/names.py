"""Names in a configuration that mean no server and no language.

Above: ``load``. Below: ``models``, ``registry.catalog``.
"""

from collections.abc import Iterable, Iterator

from groundwire.config.models import Settings
from groundwire.config.problems import KeyPath, did_you_mean
from groundwire.config.server_settings import ServerSettings
from groundwire.registry.catalog import Catalog

Found = tuple[KeyPath, str, str]


def unknown_names(settings: Settings, catalog: Catalog) -> Iterator[Found]:
    """Key, what is wrong with it, and a hint."""
    servers = known_servers(settings, catalog)
    languages = known_languages(settings, catalog)
    for server, own in settings.servers.items():
        yield from _unfit_server(server, own, settings, catalog)
    for language, chosen in settings.languages.items():
        if language not in languages:
            yield ("languages", language), "there is no such language", did_you_mean(language, languages)
        for key, named in (("servers", chosen.servers), ("linters", chosen.linters)):
            yield from _unknown(("languages", language, key), named or (), servers, "server")
    yield from _unknown(("enabled_languages",), settings.enabled_languages, languages, "language")
    yield from _unknown(("prewarm",), settings.prewarm, servers | languages, "server or language")


def known_servers(settings: Settings, catalog: Catalog) -> set[str]:
    """Those of the catalogue, and those that the configuration adds."""
    return {*catalog.servers, *(server for server, own in settings.servers.items() if is_complete(own))}


def known_languages(settings: Settings, catalog: Catalog) -> set[str]:
    """Those of the catalogue, and those that the configuration adds."""
    added = {language for language, own in settings.languages.items() if own.extensions}
    by_ending = {ending for spec in catalog.languages.values() for ending in spec.extensions}
    for own in settings.servers.values():
        added.update(own.languages or ())
        added.update(ending.lstrip(".") for ending in own.extensions or () if ending not in by_ending)
    return {*catalog.languages, *added}


def is_complete(own: ServerSettings) -> bool:
    """Whether it can be started, or reached, without the catalogue."""
    return own.command is not None or own.connect is not None


def _unfit_server(server: str, own: ServerSettings, settings: Settings, catalog: Catalog) -> Iterator[Found]:
    if server in catalog.servers:
        return
    key = ("servers", server)
    if not is_complete(own):
        hint = did_you_mean(server, catalog.servers) or "A new server needs a command or an address."
        yield key, "there is no such server", hint
    elif not (own.extensions or own.languages) and not _is_chosen(server, settings):
        yield key, "is a new server that serves nothing", "Set its extensions or its languages."


def _is_chosen(server: str, settings: Settings) -> bool:
    chosen = settings.languages.values()
    return any(server in (*(own.servers or ()), *(own.linters or ())) for own in chosen)


def _unknown(key: KeyPath, named: Iterable[str], known: set[str], kind: str) -> Iterator[Found]:
    for name in named:
        if name not in known:
            yield key, f"no {kind} is called {name!r}", did_you_mean(name, known)

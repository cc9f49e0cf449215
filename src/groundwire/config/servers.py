"""The catalogue with the configuration laid over it: changed servers, new ones, and who serves which language.

Above: ``pool.trust``. Below: ``models``, ``registry.catalog``.
"""

from collections.abc import Iterable

import msgspec

from groundwire.config.layers import Data, overlaid
from groundwire.config.models import Settings
from groundwire.config.names import is_complete
from groundwire.config.server_settings import LanguageSettings, ServerSettings, in_kebab_case, read_rule
from groundwire.registry.catalog import Catalog, LanguageSpec
from groundwire.registry.spec import ServerSpec, Sidecar
from groundwire.workspace.rules import ReadinessRule, SettleRule

_SAME_NAME = (
    "role",
    "needs_config",
    "configured_by",
    "also_named",
    "version_command",
    "min_version",
    "must_run_version",
    "activates_venv",
    "executes_project_code",
    "restart_on",
)
_TABLES = ("initialization_options", "settings", "client_experimental")


def effective_catalog(catalog: Catalog, settings: Settings) -> Catalog:
    """The catalogue as this configuration wants it. What is disabled stays known, and serves no language."""
    table = _LanguageTable(catalog)
    for language, chosen in settings.languages.items():
        table.claim(language, chosen.extensions or ())
    servers = dict(catalog.servers)
    for server, own in settings.servers.items():
        known = catalog.servers.get(server)
        if known is None and not is_complete(own):
            continue
        servers[server] = _spec(server, known, own)
        table.serve(servers[server], own, is_new=known is None)
    for language, chosen in settings.languages.items():
        table.choose(language, chosen, servers)
    disabled = {server for server, own in settings.servers.items() if own.enabled is False}
    languages = table.languages(servers, disabled)
    return Catalog(languages, {server: _speaking(spec, languages) for server, spec in servers.items()})


def effective_command(own: ServerSettings, known: tuple[str, ...]) -> tuple[str, ...]:
    """A program alone keeps the arguments that are known; a list is the whole command; ``args`` go before both."""
    if own.command is None:
        return known if own.args is None else (*known[:1], *own.args)
    if isinstance(own.command, str):
        return (own.command, *(known[1:] if own.args is None else own.args))
    return (*own.command, *(own.args or ()))


def _new_spec(server: str) -> ServerSpec:
    # One that is only connected to has no program; its name stands in messages.
    return ServerSpec(id=server, languages=(), command=(server,), verified="from the configuration")


def _spec(server: str, built_in: ServerSpec | None, own: ServerSettings) -> ServerSpec:
    known = built_in or _new_spec(server)
    changes: Data = {name: getattr(own, name) for name in _SAME_NAME if getattr(own, name) is not None}
    for name in _TABLES:
        if getattr(own, name) is not None:
            changes[name] = overlaid(getattr(known, name), getattr(own, name))
    if own.env is not None:
        changes["environment"] = {**known.environment, **own.env}
    if own.root_markers is not None:
        changes["roots"] = _tiers(own.root_markers)
    if own.settle is not None:
        changes["settle"] = read_rule(_rule(known.settle, own.settle), SettleRule)
    if own.readiness is not None:
        changes["readiness"] = read_rule(_rule(known.readiness, own.readiness), ReadinessRule)
    if own.sidecar is not None:  # it runs beside the server wherever that runs
        changes["sidecar"] = Sidecar(command=own.sidecar)
    changes["command"] = effective_command(own, built_in.command if built_in else ()) or known.command
    return msgspec.structs.replace(known, **changes)


def _rule(known: SettleRule | ReadinessRule, own: Data) -> Data:
    return overlaid(msgspec.to_builtins(known), in_kebab_case(own))


def _tiers(markers: tuple[str | tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    flat = tuple(marker for marker in markers if isinstance(marker, str))
    tiers = tuple(marker for marker in markers if not isinstance(marker, str))
    return (flat, *tiers) if flat else tiers


def _speaking(spec: ServerSpec, languages: dict[str, LanguageSpec]) -> ServerSpec:
    """A server knows the languages it was chosen for."""
    chosen = [language for language, own in languages.items() if spec.id in (*own.servers, *own.linters)]
    missing = [language for language in chosen if language not in spec.languages]
    return msgspec.structs.replace(spec, languages=(*spec.languages, *missing)) if missing else spec


class _Language(msgspec.Struct):
    known: LanguageSpec
    extensions: list[str]
    servers: list[str]
    linters: list[str]
    named: list[str] = []
    """Those that the configuration asks for: what the project's files hint at does not count against them."""


class _LanguageTable:
    """The languages while they are being changed."""

    def __init__(self, catalog: Catalog) -> None:
        self._languages = {
            name: _Language(spec, list(spec.extensions), list(spec.servers), list(spec.linters))
            for name, spec in catalog.languages.items()
        }

    def claim(self, language: str, endings: Iterable[str]) -> None:
        """Endings that belong to this language from now on."""
        own = self._get(language)
        for ending in endings:
            for other in self._languages.values():
                if ending in other.extensions:
                    other.extensions.remove(ending)
            own.extensions.append(ending)

    def serve(self, spec: ServerSpec, own: ServerSettings, *, is_new: bool) -> None:
        """Put the server where its settings want it: a new one goes first, for somebody asked for it."""
        if own.extensions is None and own.languages is None and own.role is None:
            return
        languages = self._languages_of(own) or list(spec.languages)
        for name, language in self._languages.items():
            is_kept = name in languages
            was_served = spec.id in language.servers or spec.id in language.linters
            language.servers = [server for server in language.servers if server != spec.id]
            language.linters = [server for server in language.linters if server != spec.id]
            if is_kept:
                group = language.linters if spec.role == "linter" else language.servers
                group.insert(0 if is_new or was_served is False else len(group), spec.id)

    def choose(self, language: str, chosen: LanguageSettings, servers: dict[str, ServerSpec]) -> None:
        """Exactly these servers. Linters may be named among them, as people do."""
        own = self._get(language)
        if chosen.servers is not None:
            named = [server for server in chosen.servers if server in servers]
            own.servers = [server for server in named if servers[server].role == "primary"]
            linters = [server for server in named if servers[server].role == "linter"]
            own.linters = linters or own.linters
            own.named = named
        if chosen.linters is not None:
            own.linters = [server for server in chosen.linters if server in servers]
            own.named = [*own.named, *own.linters]

    def languages(self, servers: dict[str, ServerSpec], disabled: set[str]) -> dict[str, LanguageSpec]:
        """As the catalogue has them."""

        def usable(named: list[str]) -> tuple[str, ...]:
            return tuple(server for server in named if server in servers and server not in disabled)

        return {
            name: msgspec.structs.replace(
                own.known,
                extensions=tuple(own.extensions),
                servers=usable(own.servers),
                linters=usable(own.linters),
                named=usable(own.named),
            )
            for name, own in self._languages.items()
        }

    def _languages_of(self, own: ServerSettings) -> list[str]:
        languages = list(own.languages or ())
        for language in languages:
            self._get(language)
        if len(languages) == 1:
            self.claim(languages[0], own.extensions or ())
            return languages
        for ending in own.extensions or ():
            owner = next((name for name, spec in self._languages.items() if ending in spec.extensions), None)
            if owner is None:
                owner = languages[0] if languages else ending.lstrip(".")
                self.claim(owner, (ending,))
            languages.append(owner)
        return list(dict.fromkeys(languages))

    def _get(self, language: str) -> _Language:
        return self._languages.setdefault(language, _Language(LanguageSpec(), [], [], []))

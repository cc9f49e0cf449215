"""Settings files of other programs, in the words of our own: their `lsp` key, and lists of servers.

Only what they say of language servers is read. What is not known here is a complaint, and never an error: the file
serves another program, which may know more. Above: ``sources``. Below: ``translation``.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import cast

from groundwire.config.problems import KeyPath, did_you_mean
from groundwire.config.translation import Translation
from groundwire.registry.catalog import Catalog

_Table = Mapping[str, object]

_MILLISECONDS: Mapping[str, KeyPath] = {
    "diagnosticTimeout": ("timeouts", "diagnostics_warm"),
    "firstTouchTimeout": ("timeouts", "diagnostics_cold"),
    "navigationTimeout": ("timeouts", "request"),
    "requestTimeout": ("timeouts", "request"),
}
_GENERAL: Mapping[str, KeyPath] = {
    "maxDiagnosticsPerFile": ("max_per_file",),
    "maxProjectDiagnosticsFiles": ("max_other_files",),
    "includeWarnings": ("include_warnings",),
    "navigationTools": ("navigation_tools",),
    "enabled": ("enabled",),
    "languages": ("enabled_languages",),
    "prewarm": ("prewarm",),
    "idle_teardown_secs": ("idle_teardown_secs",),
    "max_restarts": ("max_restarts",),
}
_SERVER: Mapping[str, str] = {
    "enabled": "enabled",
    "command": "command",
    "args": "args",
    "extensions": "extensions",
    "env": "env",
    "initialization": "initialization_options",
    "initializationOptions": "initialization_options",
    "settings": "settings",
    "rootMarkers": "root_markers",
    "connect": "connect",
}
_SEVERITIES = {"error": "error", "warning": "warning", "info": "information", "hint": "hint"}
_NO_MEANING = frozenset({"id", "name", "disabled", "watch", "sidecar", "language_id", "rootUri"})

# What other programs call the servers of the catalogue.
_ALIASES = {
    "bash": "bash-language-server",
    "csharp": "roslyn",
    "fsharp": "fsautocomplete",
    "go": "gopls",
    "hls": "haskell-language-server",
    "java": "jdtls",
    "julials": "julia",
    "kotlin-ls": "kotlin-lsp",
    "lua-ls": "lua-language-server",
    "ocaml-lsp": "ocamllsp",
    "php intelephense": "intelephense",
    "python": "pyright",
    "rust": "rust-analyzer",
    "terraform": "terraform-ls",
    "typescript": "typescript-language-server",
    "yaml-ls": "yaml-language-server",
}


def from_llxprt(value: object, catalog: Catalog) -> Translation:
    """`"lsp": false`, or an object with the servers and how findings are shown."""
    made = Translation(catalog)
    lsp = _table(value).get("lsp")
    if lsp is False:
        made.put(("enabled",), lsp, ("lsp",))
    elif isinstance(lsp, Mapping):
        _read_lsp(made, cast("_Table", lsp))
    elif lsp not in (None, True):
        made.complain(("lsp",), "must be false or an object")
    return made


def from_opencode(value: object, catalog: Catalog) -> Translation:
    """The `lsp` key: servers by name. A plain yes or no tells only what opencode itself does."""
    made = Translation(catalog)
    lsp = _table(value).get("lsp")
    if isinstance(lsp, Mapping | list):
        _read_servers(made, cast("object", lsp), ("lsp",))
    elif lsp is not None and not isinstance(lsp, bool):
        made.complain(("lsp",), "must be true, false or an object")
    return made


def from_dispatch(value: object, catalog: Catalog) -> Translation:
    """The same servers by name, whether or not they are below a key of their own."""
    made = Translation(catalog)
    table = _table(value)
    for key in ("lsp", "servers"):
        if isinstance(table.get(key), Mapping | list):
            _read_servers(made, table[key], (key,))
            return made
    _read_servers(made, {name: entry for name, entry in table.items() if name != "$schema"}, ())
    return made


def from_array(value: object, catalog: Catalog) -> Translation:
    """`{"servers": [{"extensions", "command", "language_id"}]}`: these serve their files, and no others do."""
    made = Translation(catalog)
    entries = _table(value).get("servers")
    orders: dict[str, list[str]] = {}
    for number, entry in enumerate(cast("list[object]", entries) if isinstance(entries, list) else []):
        place = ("servers", str(number))
        if not isinstance(entry, Mapping):
            made.complain(place, "must be an object")
            continue
        table = cast("_Table", entry)
        server = _server_of_command(table, catalog)
        if not server:
            made.complain(place, "has no command")
            continue
        _read_server(made, server, table, place)
        for language in _languages(made, server, table, catalog):
            orders.setdefault(language, []).append(server)
    for language, servers in orders.items():
        made.put(("languages", language, "servers"), list(dict.fromkeys(servers)), ("servers",))
    return made


def _read_lsp(made: Translation, lsp: _Table) -> None:
    for key, value in lsp.items():
        place = ("lsp", key)
        if key == "servers":
            _read_servers(made, value, place)
        elif key == "includeSeverities":
            made.put(("severity",), _least_severe(value), place)
        elif key in _MILLISECONDS:
            made.put(_MILLISECONDS[key], _seconds(value), place)
        elif key in _GENERAL:
            made.put(_GENERAL[key], value, place)
        else:
            known = (*_GENERAL, *_MILLISECONDS, "servers", "includeSeverities")
            made.complain(place, "is not known here", did_you_mean(key, known))


def _read_servers(made: Translation, servers: object, place: KeyPath) -> None:
    for name, entry, where in _named_entries(servers, place):
        server = _known_as(name, made.catalog)
        if _is_groundwire(_table(entry)):
            continue  # that program's way to reach us: no server of ours
        if isinstance(entry, bool):
            made.put(("servers", server, "enabled"), entry, where)
        elif not isinstance(entry, Mapping):
            made.complain(where, "must be an object")
        elif server not in made.catalog.servers and "command" not in entry and "connect" not in entry:
            made.complain(where, "names no server that is known", did_you_mean(name, made.catalog.servers))
        else:
            _read_server(made, server, cast("_Table", entry), where)


def _read_server(made: Translation, server: str, entry: _Table, place: KeyPath) -> None:
    for key, value in entry.items():
        where = (*place, key)
        if key in _SERVER:
            made.put(("servers", server, _SERVER[key]), value, where)
        elif key == "disabled" and isinstance(value, bool):
            made.put(("servers", server, "enabled"), not value, where)
        elif key in ("watch", "sidecar"):
            made.put(("servers", server, "sidecar"), value.split() if isinstance(value, str) else value, where)
        elif key not in _NO_MEANING:
            made.complain(where, "is not known here", did_you_mean(key, (*_SERVER, "disabled", "watch")))


def _named_entries(servers: object, place: KeyPath) -> Iterator[tuple[str, object, KeyPath]]:
    if isinstance(servers, Mapping):
        for name, entry in cast("_Table", servers).items():
            yield name, entry, (*place, name)
    for number, entry in enumerate(cast("list[object]", servers) if isinstance(servers, list) else []):
        table = _table(entry)
        name = table.get("id", table.get("name", ""))
        yield str(name), entry, (*place, str(number))


def _known_as(name: str, catalog: Catalog) -> str:
    alias = _ALIASES.get(name, "")
    return alias if name not in catalog.servers and alias in catalog.servers else name


def _server_of_command(entry: _Table, catalog: Catalog) -> str:
    command = entry.get("command")
    words = cast("list[object]", command) if isinstance(command, list) else [command]
    if not words or not isinstance(words[0], str) or not words[0]:
        return ""
    program = PurePath(words[0]).name
    known = (spec.id for spec in catalog.servers.values() if program in (spec.command[0], *spec.also_named))
    return next(known, program)


def _is_groundwire(entry: _Table) -> bool:
    command = entry.get("command")
    words = cast("list[object]", command) if isinstance(command, list) else [command]
    arguments = entry.get("args")
    words += cast("list[object]", arguments) if isinstance(arguments, list) else []
    named = [PurePath(word).stem for word in words if isinstance(word, str) and word]
    return named[:1] == ["groundwire"] or named[1:3] == ["-m", "groundwire"]


def _languages(made: Translation, server: str, entry: _Table, catalog: Catalog) -> list[str]:
    """The languages of an entry; a server that is not in the catalogue is told them, too."""
    endings = entry.get("extensions")
    named = entry.get("language_id")
    found: dict[str, None] = {}
    for ending in cast("list[object]", endings) if isinstance(endings, list) else []:
        bare = str(ending).removeprefix(".")
        found[catalog.language_of(Path(f"file.{bare}")) or str(named or bare)] = None
    if not found and isinstance(named, str):
        found[named] = None
    if found and server not in catalog.servers:
        made.put(("servers", server, "languages"), list(found), ("servers",))
    return list(found)


def _seconds(milliseconds: object) -> object:
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | float):
        return milliseconds
    return milliseconds / 1000


def _least_severe(value: object) -> object:
    if not isinstance(value, list):
        return value
    named = [_SEVERITIES.get(str(severity)) for severity in cast("list[object]", value)]
    if not named or None in named:
        return cast("list[object]", value)
    return max((severity for severity in named if severity), key=list(_SEVERITIES.values()).index)


def _table(value: object) -> _Table:
    return cast("_Table", value) if isinstance(value, Mapping) else {}

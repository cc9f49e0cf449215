"""What a project may not decide before this user trusts it: which values and programs are withheld, and why.

Trust is for content: it ends by itself when a value, a file that a value names, or a program changes.
Above: ``pool`` and ``surfaces``. Below: ``config``, ``provenance``, ``trust_store``.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, cast

import msgspec

from groundwire.config.guarded import GuardedValue
from groundwire.config.load import LoadedConfig
from groundwire.config.models import Settings
from groundwire.config.problems import dotted
from groundwire.config.servers import effective_catalog
from groundwire.errors import Untrusted
from groundwire.pool.trust_store import TrustStore
from groundwire.registry.catalog import Catalog

_COMMANDS = frozenset({"command", "args", "sidecar"})
_SCRIPTS = frozenset(
    {".bat", ".cjs", ".cmd", ".jar", ".js", ".lua", ".mjs", ".php", ".pl", ".ps1", ".py", ".rb", ".sh", ".ts"}
)
HOW_TO_TRUST = "Look at what the project wants to run, then run `groundwire trust`."


class Withheld(msgspec.Struct, frozen=True):
    """A value of the project that has no effect yet."""

    server: str
    """Empty: it is not for one server."""
    key: str
    value: object
    origin: str
    effect: str
    """What happens instead."""

    def __str__(self) -> str:
        shown = json.dumps(self.value, sort_keys=True)  # escapes what a terminal would obey
        return f"{self.key} = {shown} ({self.origin}) is not trusted: {self.effect}"


class ServerPlan(NamedTuple):
    """What may take effect now."""

    catalog: Catalog
    withheld: tuple[Withheld, ...]
    settings: Settings
    catalog_when_trusted: Catalog
    code_refusal: str = ""
    """Why code of the project must not be executed; empty where it may be."""

    def refusal(self, file: Path) -> Untrusted | None:
        """Why no server takes care of a file, when one would if the project were trusted."""
        language = self.catalog_when_trusted.language_of(file)
        wanted = self.catalog_when_trusted.servers_for(language) if language else ()
        if not wanted or (language and self.catalog.servers_for(language)):
            return None
        listed = "; ".join(str(each) for each in self.withheld if each.server in {spec.id for spec in wanted})
        return Untrusted(f"{file.name} is served only by what the project supplies: {listed}", hint=HOW_TO_TRUST)

    def refused_server(self, server: str) -> Untrusted | None:
        """Why a server is not known, when it would be if the project were trusted."""
        if server in self.catalog.servers or server not in self.catalog_when_trusted.servers:
            return None
        listed = "; ".join(str(each) for each in self.withheld if each.server == server)
        return Untrusted(f"{server} is supplied by the project: {listed}", hint=HOW_TO_TRUST)


def plan_servers(workspace: Path, catalog: Catalog, loaded: LoadedConfig, store: TrustStore) -> ServerPlan:
    """The servers and settings that may take effect, and what is withheld."""
    workspace = workspace.resolve()
    record = store.record(workspace)
    is_trusted = not loaded.guarded or record.values == digest_of(workspace, loaded.guarded)
    settings = loaded.settings_when_trusted if is_trusted else loaded.settings
    full = _located(effective_catalog(catalog, loaded.settings_when_trusted), workspace)
    allowed = full if is_trusted else _located(effective_catalog(catalog, settings), workspace)
    withheld = () if is_trusted else tuple(_withheld(value, allowed) for value in loaded.guarded)
    if settings.project_code == "never" or (settings.project_code == "trusted" and not record.project_code):
        withheld += tuple(_held_back(server, loaded) for server in code_runners(allowed))
        full = _without_code_runners(full) if settings.project_code == "never" else full
        allowed = _without_code_runners(allowed)
        why = "is never executed" if settings.project_code == "never" else "is executed only when it is trusted"
        refusal = f"code of the project {why}: project_code = {settings.project_code!r}"
        return ServerPlan(allowed, withheld, settings, full, refusal)
    return ServerPlan(allowed, withheld, settings, full)


def code_runners(catalog: Catalog) -> list[str]:
    """Servers that serve a language and execute the project's code (build scripts, macros) to do so."""
    serving = {server for spec in catalog.languages.values() for server in (*spec.servers, *spec.linters)}
    return sorted(server for server in serving if catalog.servers[server].executes_project_code)


def _without_code_runners(catalog: Catalog) -> Catalog:
    held = set(code_runners(catalog))

    def others(servers: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(server for server in servers if server not in held)

    languages = {
        name: msgspec.structs.replace(spec, servers=others(spec.servers), linters=others(spec.linters))
        for name, spec in catalog.languages.items()
    }
    return Catalog(languages, catalog.servers)


def _held_back(server: str, loaded: LoadedConfig) -> Withheld:
    policy = loaded.settings.project_code
    origin = str(loaded.origin("project_code"))
    return Withheld(server, "project_code", policy, origin, f"{server} executes the project's code and is not started")


def digest_of(workspace: Path, guarded: Iterable[GuardedValue]) -> str:
    """Of exactly these values, in this workspace, with the programs of the workspace that they name."""
    # File by file: which of two has the last word is part of it, the order inside one is not.
    by_file: dict[str, dict[str, object]] = {}
    for value in guarded:
        by_file.setdefault(str(value.origin.file), {})[json.dumps(value.key)] = value.value
    values = list(by_file.values())
    named = {name: _content(file) for name, file in named_files(workspace, guarded).items()}
    return canonical_digest({"workspace": str(workspace.resolve()), "values": values, "files": named})


def canonical_digest(value: object) -> str:
    """The same for the same value, whatever the order of its keys; another for any other value."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def named_files(workspace: Path, guarded: Iterable[GuardedValue]) -> dict[str, Path]:
    """Programs and scripts of the workspace that stand as words in a command: they are what it runs.

    Other files are data, which may change (a sidecar writes its output, for one).
    """
    workspace = workspace.resolve()
    found: dict[str, Path] = {}
    for value in guarded:
        for word in _words(value.value) if value.key[-1] in _COMMANDS else ():
            file = Path(os.path.normpath(workspace / word))
            if file.is_relative_to(workspace) and _is_runnable(file):
                found[word] = file
    return found


def _words(value: object) -> list[str]:
    words = cast("list[object]", value) if isinstance(value, list) else [value]
    return [word for word in words if isinstance(word, str)]


def _is_runnable(file: Path) -> bool:
    try:
        return file.is_file() and (file.suffix in _SCRIPTS or os.access(file, os.X_OK))
    except (OSError, ValueError):  # no name of a file at all: too long, or with a zero byte
        return False


def _content(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:  # it cannot be run either
        return f"unreadable: {error.errno}"


def _withheld(value: GuardedValue, safe: Catalog) -> Withheld:
    if value.key[0] != "servers":
        effect = "it stays as it would be without the project"
    elif value.server in safe.servers:
        effect = f"{value.server} is used without it"
    else:
        effect = f"{value.server} is not started"
    return Withheld(value.server, dotted(value.key), value.value, str(value.origin), effect)


def _located(catalog: Catalog, workspace: Path) -> Catalog:
    """A command with a path in it is meant from the workspace, or from the home directory."""
    servers = dict(catalog.servers)
    for server, spec in catalog.servers.items():
        program = Path(spec.command[0]).expanduser() if spec.command[0].startswith("~") else Path(spec.command[0])
        if len(program.parts) > 1:
            located = str(workspace / program)
            servers[server] = msgspec.structs.replace(spec, command=(located, *spec.command[1:]))
    return Catalog(catalog.languages, servers)

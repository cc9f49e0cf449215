"""What is decided about a workspace before anything is started: its configuration, its trust, its servers.

Above: ``explain``, ``status`` and ``doctor``. Below: ``config`` and ``pool.routing``.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from groundwire.config.load import LoadedConfig, load_config
from groundwire.config.problems import Origin, dotted
from groundwire.errors import GroundwireError
from groundwire.operations.files.paths import shown_path
from groundwire.operations.results.explanation import WithheldValue
from groundwire.pool.program_gate import ProgramGate
from groundwire.pool.routes import PassedOver, Route
from groundwire.pool.routing import weigh
from groundwire.pool.trust import ServerPlan, plan_servers
from groundwire.pool.trust_store import user_trust_store
from groundwire.registry.catalog import Catalog, load_catalog
from groundwire.registry.detect import detect_language
from groundwire.registry.spec import ServerSpec


class Disabled(msgspec.Struct, frozen=True):
    """A server that the configuration keeps out, and where it says so."""

    server: str
    role: Literal["primary", "linter"]
    why: str
    is_switched_off: bool
    """Else others are merely named instead."""


class Decisions(msgspec.Struct, frozen=True):
    """One reading of the configuration: ask for another when it may have changed."""

    workspace: Path
    environment: Mapping[str, str]
    built_in: Catalog
    loaded: LoadedConfig
    plan: ServerPlan
    gate: ProgramGate

    def weigh(self, file: Path) -> Route:
        """Which servers would take care of a file, and which would not, and why. Starts nothing."""
        try:
            return weigh(
                file,
                self.workspace,
                self.plan.catalog,
                self.environment,
                gate=self.gate.refusal,
                connect=self.connect,
            )
        except GroundwireError as error:  # a file that lies in no project, for one
            language, why = detect_language(self.plan.catalog, file)
            return Route(file, language or "", None, (), language_why=why, refusal=error)

    @property
    def connect(self) -> Mapping[str, str]:
        """Servers that somebody else runs, with their addresses."""
        servers = self.plan.settings.servers
        return {server: own.connect for server, own in servers.items() if own.connect}

    def spec(self, server: str) -> ServerSpec | None:
        """What is known of a server, whether or not it may be used."""
        known = (self.plan.catalog, self.plan.catalog_when_trusted, self.built_in)
        return next((catalog.servers[server] for catalog in known if server in catalog.servers), None)

    @property
    def withheld(self) -> tuple[WithheldValue, ...]:
        """What the project wants and may not have yet."""
        above = f"{self.workspace}{os.sep}"
        return tuple(
            WithheldValue(each.server, each.key, each.value, each.origin.removeprefix(above), each.effect)
            for each in self.plan.withheld
        )

    @property
    def trust_helps(self) -> bool:
        """Whether something of that would take effect if the project were trusted."""
        return any((each.key, each.value) != ("project_code", "never") for each in self.plan.withheld)

    def shown(self, text: str) -> str:
        """A reason, with the paths in it relative to the workspace."""
        return text.replace(f"{self.workspace}{os.sep}", "")

    def place(self, origin: Origin) -> str:
        """Where a value comes from, relative to the workspace."""
        if origin.file is None:
            return str(origin)
        file = shown_path(origin.file, self.workspace)
        return file if origin.line is None else f"{file}:{origin.line}"

    def why_off(self, language: str) -> str:
        """Why a language is not served at all, with the place that says so; empty when it is."""
        settings = self.plan.settings
        if settings.serves(language):
            return ""
        own = settings.languages.get(language)
        if not settings.enabled:
            key: tuple[str, ...] = ("enabled",)
        else:
            key = ("languages", language, "enabled") if own and not own.enabled else ("enabled_languages",)
        return self._said(key, "switches it off")

    def kept_out(self, language: str) -> tuple[Disabled, ...]:
        """Servers of the catalogue that the configuration keeps out of a language."""
        table = self.plan.catalog.languages.get(language)
        used = {*table.servers, *table.linters} if table else set[str]()
        known = (*self.built_in.servers_for(language), *self.built_in.linters_for(language))
        return tuple(self._disabled(spec, language) for spec in known if spec.id not in used)

    def untrusted(self, language: str) -> tuple[PassedOver, ...]:
        """Servers that only the project supplies, and that would serve the language if it were trusted."""
        full = self.plan.catalog_when_trusted
        wanted = (*full.servers_for(language), *full.linters_for(language))
        refused = (spec for spec in wanted if self.plan.refused_server(spec.id) is not None)
        return tuple(
            PassedOver(server=spec.id, role=spec.role, kind="untrusted", why=self._supplied(spec.id))
            for spec in refused
        )

    def _supplied(self, server: str) -> str:
        places = dict.fromkeys(f"{each.key} in {each.place}" for each in self.withheld if each.server == server)
        return f"is supplied by the project: {', '.join(places)}"

    def _disabled(self, spec: ServerSpec, language: str) -> Disabled:
        held = next(
            (each for each in self.plan.withheld if each.server == spec.id and each.key == "project_code"), None
        )
        if held is not None:
            why = f"it executes the project's code, and {self._said(('project_code',), f'is {held.value}')}"
            return Disabled(spec.id, spec.role, why, is_switched_off=True)
        settings = self.plan.settings
        if settings.server(spec.id).enabled is False:
            return Disabled(spec.id, spec.role, self._said(("servers", spec.id, "enabled"), "is false"), True)
        own = settings.languages.get(language)
        key = "linters" if own is not None and own.linters is not None and spec.role == "linter" else "servers"
        return Disabled(spec.id, spec.role, self._said(("languages", language, key), "does not name it"), False)

    def _said(self, key: tuple[str, ...], what: str) -> str:
        return f"{dotted(key)} {what} ({self.place(self.loaded.origin(key))})"


def read_decisions(workspace: Path, environment: Mapping[str, str] | None = None) -> Decisions:
    """Reads the configuration. Raises InvalidArgument that lists everything wrong with it."""
    environment = dict(os.environ) if environment is None else environment
    workspace = workspace.resolve()
    catalog = load_catalog()
    loaded = load_config(workspace, environment=environment, catalog=catalog)
    loaded.require_valid()
    store = user_trust_store(environment)
    plan = plan_servers(workspace, catalog, loaded, store)
    return Decisions(workspace, environment, catalog, loaded, plan, ProgramGate(workspace, store, environment))

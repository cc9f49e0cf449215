"""Opening a workspace as its configuration and this user's trust say.

Reads the configuration, holds back what the project may not decide yet, and hands plain values to ``Pool``. Kept apart
because reading configuration costs an import that whoever only passes values on should not pay.
Above: ``surfaces``. Below: ``config``, ``trust``, ``pool``.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from groundwire.client.connection import Limits
from groundwire.config.load import load_config
from groundwire.config.models import Settings
from groundwire.config.places import home, user_state_directory
from groundwire.config.variables import AUDIT_LOG
from groundwire.errors import GroundwireError, LanguageNotEnabled
from groundwire.pool.audit_log import AuditSettings
from groundwire.pool.cache_settings import CacheSettings
from groundwire.pool.policy import ReportPolicy, SeatPolicy, Showing
from groundwire.pool.pool import Pool
from groundwire.pool.program_gate import ProgramGate
from groundwire.pool.scope import IndexingSettings
from groundwire.pool.settings import PoolSettings
from groundwire.pool.terms import FolderTerms
from groundwire.pool.trust import ServerPlan, plan_servers
from groundwire.pool.trust_store import TrustStore, user_trust_store
from groundwire.protocol.hashing import content_hash
from groundwire.registry.catalog import Catalog, load_catalog

_MEGABYTE = 1024 * 1024


def open_pool(
    workspace: Path,
    *,
    only: frozenset[str] = frozenset(),
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Pool:
    """A pool for the workspace. Raises InvalidArgument that lists everything wrong with the configuration."""
    opening = _Opening(dict(os.environ) if environment is None else environment, flags)
    plan, gate = opening.plan(workspace)
    return Pool(
        workspace,
        catalog=plan.catalog,
        only=only,
        environment=opening.environment,
        settings=msgspec.structs.replace(
            pool_settings(plan, gate, opening.terms_of),
            audit=audit_settings(plan, workspace, opening.environment),
            cache=cache_settings(plan, workspace, opening.environment),
        ),
    )


class _Opening:
    """How the workspace is opened, and every folder that is added to it: each as if it were the only one."""

    def __init__(self, environment: Mapping[str, str], flags: Mapping[str, object] | None) -> None:
        self.environment = environment
        self._flags = flags
        self._catalog: Catalog = load_catalog()
        self._store: TrustStore = user_trust_store(environment)

    def plan(self, folder: Path) -> tuple[ServerPlan, ProgramGate]:
        """What may take effect there, and which programs may run. Raises InvalidArgument."""
        loaded = load_config(folder, environment=self.environment, flags=self._flags, catalog=self._catalog)
        loaded.require_valid()
        plan = plan_servers(folder, self._catalog, loaded, self._store)
        return plan, ProgramGate(folder, self._store, self.environment)

    def terms_of(self, folder: Path) -> FolderTerms:
        """What holds for a folder: its own configuration and trust, and nothing of the workspace's."""
        plan, gate = self.plan(folder)
        return pool_settings(plan, gate).own_terms(plan.catalog)


def pool_settings(
    plan: ServerPlan, gate: ProgramGate, terms_of: Callable[[Path], FolderTerms] | None = None
) -> PoolSettings:
    """The plain values of a configuration whose untrusted parts are held back already."""
    settings = plan.settings
    return PoolSettings(
        policy=_policy(settings, ""),
        policies={server: _policy(settings, server) for server in settings.servers},
        start_timeout=settings.timeouts.start,
        request_timeout=settings.timeouts.request,
        request_timeouts={server: settings.request_timeout_of(server) for server in settings.servers},
        limits=Limits(max_message=int(settings.max_message_mb * _MEGABYTE)),
        max_file_size=int(settings.max_file_mb * _MEGABYTE),
        total_memory_mb=settings.memory.total_mb or 0.0,
        prewarm=settings.prewarm,
        connect={server: own.connect for server, own in settings.servers.items() if own.connect},
        withheld=tuple(str(each) for each in plan.withheld),
        refusal=lambda file: _refusal(plan, file),
        program_gate=gate.refusal,
        asked=frozenset(name for name, said in settings.permissions.items() if said == "ask"),
        denied=frozenset(name for name, said in settings.permissions.items() if said == "deny"),
        code_refusal=plan.code_refusal,
        terms_of=terms_of,
        indexing=IndexingSettings(selective=settings.indexing.selective, threshold=settings.indexing.threshold),
        offers_navigation=settings.navigation_tools,
        report=ReportPolicy(
            mode=settings.mode,
            other_files=settings.other_files,
            warm_wait_s=settings.timeouts.diagnostics_warm,
            first_wait_s=settings.timeouts.diagnostics_cold,
            showing=Showing(
                severity=settings.least_severity,
                per_file=settings.max_per_file,
                other_files=settings.max_other_files,
                lines=settings.max_lines,
            ),
        ),
    )


def audit_settings(plan: ServerPlan, workspace: Path, environment: Mapping[str, str]) -> AuditSettings | None:
    """Where edits are recorded: as configured, else as the environment says, else with the user's other records."""
    audit = plan.settings.audit
    if not audit.enabled:
        return None
    named = audit.path or environment.get(AUDIT_LOG, "")
    if named.startswith("~/"):
        named = str(home(environment) / named[2:])
    path = workspace / named if named else user_state_directory(environment) / "audit.jsonl"
    return AuditSettings(path, int(audit.max_mb * _MEGABYTE), audit.keep)


def cache_settings(plan: ServerPlan, workspace: Path, environment: Mapping[str, str]) -> CacheSettings | None:
    """Where answers about this workspace are kept, with what else groundwire must remember for the user."""
    cache = plan.settings.cache
    if not cache.enabled:
        return None
    name = content_hash(str(workspace.resolve()))
    path = user_state_directory(environment) / "cache" / name / "references.db"
    return CacheSettings(path, int(cache.max_mb * _MEGABYTE))


def _policy(settings: Settings, server: str) -> SeatPolicy:
    return SeatPolicy(
        max_restarts=settings.max_restarts_of(server),
        idle_teardown_s=settings.idle_teardown_of(server),
        memory_limit_mb=settings.server(server).memory_mb or settings.memory.per_server_mb or 0.0,
    )


def _refusal(plan: ServerPlan, file: Path) -> GroundwireError | None:
    language = plan.catalog.language_of(file)
    if language is not None and not plan.settings.serves(language):
        return LanguageNotEnabled(f"{language} is switched off by the configuration")
    return plan.refusal(file)

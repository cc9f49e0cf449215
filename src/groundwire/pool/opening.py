"""Opening a workspace as its configuration and this user's trust say.

Reads the configuration, holds back what the project may not decide yet, and hands plain values to ``Pool``. Kept apart
because reading configuration costs an import that whoever only passes values on should not pay.
Above: ``surfaces``. Below: ``config``, ``trust``, ``pool``.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from groundwire.client.connection import Limits
from groundwire.config.load import load_config
from groundwire.config.models import Settings
from groundwire.errors import GroundwireError, LanguageNotEnabled
from groundwire.pool.policy import SeatPolicy
from groundwire.pool.pool import Pool
from groundwire.pool.program_gate import ProgramGate
from groundwire.pool.settings import PoolSettings
from groundwire.pool.trust import ServerPlan, plan_servers
from groundwire.pool.trust_store import user_trust_store
from groundwire.registry.catalog import load_catalog

_MEGABYTE = 1024 * 1024


def open_pool(
    workspace: Path,
    *,
    only: frozenset[str] = frozenset(),
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Pool:
    """A pool for the workspace. Raises InvalidArgument that lists everything wrong with the configuration."""
    environment = dict(os.environ) if environment is None else environment
    catalog = load_catalog()
    loaded = load_config(workspace, environment=environment, flags=flags, catalog=catalog)
    loaded.require_valid()
    store = user_trust_store(environment)
    plan = plan_servers(workspace, catalog, loaded, store)
    gate = ProgramGate(workspace, store, environment)
    return Pool(
        workspace,
        catalog=plan.catalog,
        only=only,
        environment=environment,
        settings=pool_settings(plan, gate),
    )


def pool_settings(plan: ServerPlan, gate: ProgramGate) -> PoolSettings:
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
    )


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

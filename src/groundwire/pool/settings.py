"""What a pool needs of the configuration, in plain values: it knows no files, layers or trust.

Above: ``opening``, which fills it. Below: ``policy``, ``terms``.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from groundwire.client.connection import Limits
from groundwire.client.watchdog import Patience
from groundwire.errors import GroundwireError
from groundwire.pool.audit_log import AuditSettings
from groundwire.pool.cache_settings import CacheSettings
from groundwire.pool.policy import ReportPolicy, SeatPolicy
from groundwire.pool.scope import IndexingSettings
from groundwire.pool.terms import FolderTerms
from groundwire.registry.catalog import Catalog


def _nothing_refused(_: Path) -> GroundwireError | None:
    return None


def _every_program(_: Path) -> str:
    return ""


class PoolSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds and megabytes; zero switches a limit off."""

    policy: SeatPolicy = SeatPolicy()
    policies: Mapping[str, SeatPolicy] = {}
    """Of single servers."""
    start_timeout: float = 45.0
    request_timeout: float = 20.0
    request_timeouts: Mapping[str, float] = {}
    limits: Limits = Limits()
    patience: Patience = Patience()
    max_file_size: int = 10 * 1024 * 1024
    total_memory_mb: float = 0.0
    prewarm: tuple[str, ...] = ()
    connect: Mapping[str, str] = {}
    """Server → ``host:port`` where somebody else runs it."""
    withheld: tuple[str, ...] = ()
    """What the project wants and may not have before it is trusted, in words."""
    refusal: Callable[[Path], GroundwireError | None] = _nothing_refused
    """Why a file is not served at all."""
    program_gate: Callable[[Path], str] = _every_program
    """Why a program may not be run; empty when it may."""
    asked: frozenset[str] = frozenset()
    """Operations that an agent may use when a person agrees."""
    denied: frozenset[str] = frozenset()
    """Operations that nobody may have, by any of their names."""
    code_refusal: str = ""
    """Why code of the project must not be executed, by a build or its tests; empty where it may be."""
    terms_of: Callable[[Path], FolderTerms] | None = None
    """What holds for a folder that is added; without it, the same as for the workspace."""
    housekeeping_s: float = 5.0
    """How often idle servers and memory are looked at."""
    report: ReportPolicy = ReportPolicy()
    """What edits report."""
    offers_navigation: bool = True
    """Whether agents are shown the tools to find their way through the code."""
    audit: AuditSettings | None = None
    """Where edits are recorded, if they are."""
    cache: CacheSettings | None = None
    """Where answers are kept, if they are."""
    indexing: IndexingSettings = IndexingSettings()
    """What servers look at in very large workspaces."""

    def own_terms(self, catalog: Catalog) -> FolderTerms:
        """What holds for the workspace itself."""
        return FolderTerms(
            catalog=catalog,
            connect=self.connect,
            refusal=self.refusal,
            program_gate=self.program_gate,
            withheld=self.withheld,
        )

    def policy_of(self, server: str) -> SeatPolicy:
        """The server's own, else the general one."""
        return self.policies.get(server, self.policy)

"""Really starts the servers that a workspace needs, or all that are known, and says which work and what helps.

Above: ``render.doctor``. Below: ``checkup``, ``needs``, ``pool.opening``.
"""

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import msgspec

from groundwire.operations.files.paths import shown_path
from groundwire.operations.files.survey import survey
from groundwire.operations.results.explanation import WithheldValue
from groundwire.operations.results.servers import ExtensionLine
from groundwire.operations.serving.checkup import Checkup, Subject, Trial, try_server
from groundwire.operations.serving.decisions import Decisions, read_decisions
from groundwire.operations.serving.explain import cheap_version
from groundwire.operations.serving.extension_lines import extension_lines
from groundwire.operations.serving.needs import Need, find_needs
from groundwire.operations.serving.remedies import TRUST, how_to_get, how_to_mend, is_project_package_missing
from groundwire.pool.opening import open_pool
from groundwire.pool.pool import Pool
from groundwire.pool.routes import Chosen
from groundwire.pool.routing import weigh
from groundwire.registry.binaries import Found, find_command
from groundwire.registry.catalog import Catalog
from groundwire.registry.spec import ServerSpec

AT_ONCE = 3
"""Servers that are tried side by side: several of them take all the memory and processors they can get."""


class CheckupReport(msgspec.Struct, frozen=True, kw_only=True):
    """What came out."""

    workspace: str
    """Empty: every known server was tried, in a project of its own."""
    files: int
    servers: tuple[Checkup, ...]
    withheld: tuple[WithheldValue, ...] = ()
    trust_command: str = ""
    """The command that lets the project decide more, where that would change anything."""
    note: str = ""
    extensions: tuple[ExtensionLine, ...] = ()

    @property
    def is_fine(self) -> bool:
        """Whether nobody has to do anything. What no workspace needs may be missing."""
        if any(extension.needs_attention for extension in self.extensions):
            return False
        if not self.workspace:
            return all(checkup.state != "broken" for checkup in self.servers)
        return not any(checkup.needs_attention for checkup in self.servers)


async def examine_workspace(decisions: Decisions, *, wait_s: float = 60.0) -> CheckupReport:
    """Tries every server that the files of the workspace need. Everything is shut down afterwards."""
    seen = survey(decisions.workspace, decisions.plan.catalog_when_trusted)
    needs = find_needs(decisions, seen)
    ready = sorted((need for need in needs if need.state == "ready"), key=lambda need: need.server)
    groups = [list(group) for _, group in groupby(ready, key=lambda need: need.server)]
    limit = asyncio.Semaphore(AT_ONCE)
    async with open_pool(decisions.workspace, environment=decisions.environment) as pool:
        tried = await asyncio.gather(*(_try_group(pool, decisions, group, limit, wait_s) for group in groups))
    found = {(checkup.server, checkup.root): checkup for group in tried for checkup in group}
    servers = [found.get(_key(decisions, need)) or _not_tried(need) for need in needs]
    return CheckupReport(
        workspace=str(decisions.workspace),
        files=seen.files,
        servers=tuple(servers),
        withheld=decisions.withheld,
        trust_command=TRUST if decisions.trust_helps else "",
        note=seen.note,
        extensions=extension_lines(),
    )


async def examine_catalogue(environment: Mapping[str, str], *, wait_s: float = 60.0) -> CheckupReport:
    """Tries every known server that is found, each in an empty project made for it: no workspace is touched."""
    limit = asyncio.Semaphore(AT_ONCE)
    with tempfile.TemporaryDirectory(prefix="groundwire-doctor-", ignore_cleanup_errors=True) as scratch:
        decisions = read_decisions(Path(scratch), environment)
        specs = sorted(decisions.plan.catalog.servers.values(), key=lambda spec: spec.id)
        servers = await asyncio.gather(*(_try_alone(decisions, spec, limit, wait_s) for spec in specs))
    return CheckupReport(workspace="", files=0, servers=tuple(servers), extensions=extension_lines())


async def _try_group(
    pool: Pool, decisions: Decisions, needs: Sequence[Need], limit: asyncio.Semaphore, wait_s: float
) -> list[Checkup]:
    """One server at all of its roots, one after the other; it is stopped before the next server has its turn."""
    server = needs[0].server
    async with limit:
        tried = [await _try_need(pool, decisions, need, wait_s) for need in needs]
        await pool.restart(server)
    return [checkup for checkup in tried if checkup is not None]


async def _try_need(pool: Pool, decisions: Decisions, need: Need, wait_s: float) -> Checkup | None:
    if need.chosen is None:
        return None
    subject = Subject(need.chosen, need.sample, need.languages[0])
    trial = await try_server(pool, subject, decisions.environment, wait_s)
    return _checkup(decisions, need.chosen, need.languages, trial)


async def _try_alone(decisions: Decisions, spec: ServerSpec, limit: asyncio.Semaphore, wait_s: float) -> Checkup:
    language = _language_for(spec, decisions.plan.catalog)
    if language is None:
        own = decisions.plan.settings.server(spec.id)
        why = "switched off by the configuration" if own.enabled is False else "no language names it"
        return Checkup(server=spec.id, role=spec.role, state="disabled", languages=spec.languages, why=why)
    project = Path(tempfile.mkdtemp(dir=decisions.workspace))
    sample = project / _sample_name(language, decisions.plan.catalog)
    sample.write_text("\n", "utf-8")
    only = frozenset({spec.id})
    route = weigh(sample, project, decisions.plan.catalog, decisions.environment, only, connect=decisions.connect)
    if not route.chosen:
        return _not_found(decisions, spec, project, route.passed_over[0].why)
    async with limit, open_pool(project, only=only, environment=decisions.environment) as pool:
        trial = await try_server(pool, Subject(route.chosen[0], sample, language), decisions.environment, wait_s)
    made = _checkup(decisions, route.chosen[0], spec.languages, trial)
    return msgspec.structs.replace(made, root="")


def _not_found(decisions: Decisions, spec: ServerSpec, project: Path, why: str) -> Checkup:
    missing = Checkup(server=spec.id, role=spec.role, state="missing", languages=spec.languages, why=why)
    remedy = how_to_get(spec, decisions.environment)
    if not is_project_package_missing(why):
        return msgspec.structs.replace(missing, remedy=remedy)
    found = find_command(spec, project, project, decisions.environment)
    if not isinstance(found, Found):
        return msgspec.structs.replace(missing, why=found.why, remedy=remedy)
    program = Path(found.command[0])
    needed = spec.project_library.package if spec.project_library is not None else ""
    return msgspec.structs.replace(
        missing,
        state="found",
        program=str(program),
        version=cheap_version(program, spec.id),
        why=f"not started: it needs a project with {needed} installed",
    )


def _checkup(decisions: Decisions, chosen: Chosen, languages: tuple[str, ...], trial: Trial) -> Checkup:
    spec, program = chosen.spec, Path(chosen.command[0])
    mend = how_to_mend(spec, program, decisions.workspace, decisions.environment)
    lacking = next(iter(spec.findings_need.values()), "") if chosen.lacking else ""
    return Checkup(
        server=spec.id,
        role=spec.role,
        state="found" if trial.is_working else "broken",
        languages=languages,
        root=shown_path(chosen.root, decisions.workspace),
        program=shown_path(program, decisions.workspace),
        version=trial.version,
        start_s=trial.start_s,
        answered=trial.answered,
        why=trial.why or " ".join(chosen.lacking),
        remedy=lacking if trial.is_working else mend,
        stderr_tail=trial.stderr_tail,
    )


def _not_tried(need: Need) -> Checkup:
    return Checkup(
        server=need.server,
        role=need.role,
        state="found" if need.state == "ready" else need.state,
        languages=need.languages,
        why=need.why,
        remedy=need.remedy,
    )


def _key(decisions: Decisions, need: Need) -> tuple[str, str]:
    return need.server, shown_path(need.root, decisions.workspace) if need.root is not None else ""


def _language_for(spec: ServerSpec, catalog: Catalog) -> str | None:
    served = (name for name in spec.languages if name in catalog.languages and _sample_name(name, catalog))
    return next((name for name in served if _serves(catalog, name, spec.id)), None)


def _serves(catalog: Catalog, language: str, server: str) -> bool:
    table = catalog.languages[language]
    return server in table.servers or server in table.linters


def _sample_name(language: str, catalog: Catalog) -> str:
    table = catalog.languages[language]
    plain = next((name for name in table.names if "*" not in name), "")
    return f"sample{table.extensions[0]}" if table.extensions else plain

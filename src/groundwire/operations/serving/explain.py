"""Every decision about one file, and why: language, servers, roots, programs, and what was passed over.

Starts nothing, and runs no program of the project. Above: ``render.explain``. Below: ``decisions``, ``remedies``.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from groundwire.errors import GroundwireError, NoServerForExtension
from groundwire.operations.files.paths import existing_file, shown_path
from groundwire.operations.results.explanation import (
    ConfigSource,
    Explanation,
    FileState,
    HandedOver,
    Rival,
    ServerExplained,
)
from groundwire.operations.serving.decisions import Decisions
from groundwire.operations.serving.remedies import TRUST, how_to_complete
from groundwire.pool.routes import Chosen, PassedOver, Route
from groundwire.registry.managed import read_receipt
from groundwire.registry.sidecars import sidecar_of
from groundwire.registry.versions import told_version, version_of

_SEVERAL = 2


def explain_file(decisions: Decisions, path: Path) -> Explanation:
    """All that is decided about a file. Raises FileNotFound or NotAFile."""
    file = existing_file(path, decisions.workspace)
    route = _weighed(decisions, file)
    state, reason = _state(decisions, route)
    servers = () if state == "disabled" else tuple(_server(decisions, chosen) for chosen in route.chosen)
    rivals = tuple(_rivals(decisions, route))
    return Explanation(
        file=shown_path(file, decisions.workspace),
        workspace=str(decisions.workspace),
        language=route.language,
        language_why=route.language_why,
        state=state,
        reason=reason,
        servers=servers,
        passed_over=rivals,
        configuration=tuple(_sources(decisions)),
        withheld=decisions.withheld,
        remedy=_remedy(state, rivals),
        trust_command=TRUST if _trust_matters(decisions, servers, rivals) else "",
        warnings=tuple(str(problem) for problem in decisions.loaded.problems if not problem.is_error),
    )


def cheap_version(program: Path, server: str) -> str:
    """The version of a server's program as far as its installation tells; nothing is run."""
    if not program.is_absolute():  # somebody else runs it
        return ""
    receipt = read_receipt(program.parent.parent)
    return receipt.version if receipt is not None else told_version(program, server)


def _state(decisions: Decisions, route: Route) -> tuple[FileState, str]:
    off = decisions.why_off(route.language) if route.language else ""
    if off:
        return "disabled", off
    if decisions.plan.refusal(route.file) is not None:
        return "untrusted", "only what the project supplies takes care of it, and the project is not trusted"
    if route.refusal is None:
        return "served", ""
    if isinstance(route.refusal, NoServerForExtension) and decisions.kept_out(route.language):
        return "disabled", f"the configuration keeps out every server for {route.language}"
    is_untrusted = any(passed.kind == "untrusted" and passed.role == "primary" for passed in route.passed_over)
    return "untrusted" if is_untrusted else "not_served", _in_short(decisions, route, route.refusal)


def _in_short(decisions: Decisions, route: Route, refusal: GroundwireError) -> str:
    """One reason is told; that of each of several stands beside its name."""
    is_one = sum(passed.role == "primary" for passed in route.passed_over) < _SEVERAL
    message = refusal.message if is_one else refusal.message.partition(": ")[0]
    return decisions.shown(message)


def _weighed(decisions: Decisions, file: Path) -> Route:
    """As it is decided; with the language that only the project's configuration tells, if that is so."""
    route = decisions.weigh(file)
    full = decisions.plan.catalog_when_trusted
    language = "" if route.language else full.language_of(file) or ""
    if not language:
        return route
    why = f"{full.how_known(file)}, once the project is trusted"
    return msgspec.structs.replace(route, language=language, language_why=why)


def _server(decisions: Decisions, chosen: Chosen) -> ServerExplained:
    spec, workspace = chosen.spec, decisions.workspace
    program = Path(chosen.command[0])
    companion, companion_why = _companion(decisions, chosen)
    return ServerExplained(
        server=spec.id,
        role=spec.role,
        why=chosen.reasons.choice,
        program=shown_path(program, workspace),
        program_why=chosen.reasons.program,
        command=(program.name, *chosen.command[1:]),
        version=cheap_version(program, spec.id) or _known_version(decisions, chosen, program),
        root=shown_path(chosen.root, workspace),
        root_why=chosen.reasons.root,
        root_tier=chosen.reasons.root_tier,
        root_tiers=len(spec.roots),
        runs_project_code=spec.executes_project_code,
        project_files_run=tuple(shown_path(path, workspace) for path in chosen.project_code),
        handed_over=tuple(
            HandedOver(handed.what, shown_path(handed.path, workspace), handed.why) for handed in chosen.handed
        ),
        finds_only=spec.finds_only,
        lacking=chosen.lacking,
        companion=companion,
        companion_why=companion_why,
        refused=tuple(decisions.shown(refused) for refused in chosen.refused),
    )


def _companion(decisions: Decisions, chosen: Chosen) -> tuple[tuple[str, ...], str]:
    found = sidecar_of(chosen.spec, chosen.root, decisions.workspace, decisions.environment, decisions.gate.refusal)
    if found is None or isinstance(found, str):
        return (), found or ""
    return found.command, found.why


def _known_version(decisions: Decisions, chosen: Chosen, program: Path) -> str:
    """What the program was asked for anyway when it was chosen, and is remembered."""
    spec = chosen.spec
    if not program.is_absolute() or not (spec.must_run_version or spec.min_version or spec.below_version):
        return ""
    return version_of(program, spec.version_command, decisions.environment) or ""


def _rivals(decisions: Decisions, route: Route) -> Iterator[Rival]:
    for passed in route.passed_over:
        yield Rival(
            server=passed.server,
            role=passed.role,
            kind=passed.kind,
            why=decisions.shown(passed.why),
            remedy=_rival_remedy(decisions, passed),
        )
    if not route.language:
        return
    for passed in decisions.untrusted(route.language):
        yield Rival(server=passed.server, role=passed.role, kind="untrusted", why=passed.why, remedy=TRUST)
    for kept_out in decisions.kept_out(route.language):
        yield Rival(server=kept_out.server, role=kept_out.role, kind="disabled", why=kept_out.why)


def _rival_remedy(decisions: Decisions, passed: PassedOver) -> str:
    spec = decisions.spec(passed.server)
    if passed.kind == "untrusted":
        return TRUST
    return how_to_complete(spec, passed.why, decisions.environment) if passed.kind == "missing" and spec else ""


def _trust_matters(decisions: Decisions, servers: tuple[ServerExplained, ...], rivals: tuple[Rival, ...]) -> bool:
    has_refused = any(server.refused for server in servers)
    return decisions.trust_helps or has_refused or any(rival.kind == "untrusted" for rival in rivals)


def _remedy(state: FileState, rivals: tuple[Rival, ...]) -> str:
    if state == "untrusted":
        return TRUST
    if state != "not_served":
        return ""
    return next((rival.remedy for rival in rivals if rival.role == "primary" and rival.remedy), "")


def _sources(decisions: Decisions) -> Iterator[ConfigSource]:
    for layer in decisions.loaded.layers:
        if layer.file is not None:
            yield ConfigSource(layer.name, shown_path(layer.file, decisions.workspace))
        elif layer.data:
            yield ConfigSource(layer.name, layer.where or layer.name)

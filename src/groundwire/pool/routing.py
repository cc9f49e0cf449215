"""Which servers take care of a file, where they are rooted, and why.

Reads directories and may run a program to learn its version, so it blocks for a moment the first time.
Above: ``pool`` and ``operations``. Below: ``routes`` (the outcome), ``registry``.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.errors import InvalidArgument, NoServerForExtension, ServerUnavailable, Untrusted
from groundwire.pool.routes import Chosen, PassedOver, Reasons, Route
from groundwire.protocol.names import RENAME_IT, is_text
from groundwire.registry.binaries import Found, Missing, find_command
from groundwire.registry.catalog import Catalog
from groundwire.registry.detect import detect_language
from groundwire.registry.environments import Gate, let_pass
from groundwire.registry.fitness import library_code, why_asked_for, why_library_missing, why_unfit
from groundwire.registry.roots import find_root
from groundwire.registry.spec import ServerSpec
from groundwire.registry.tailor import tailor

_NOWHERE: Mapping[str, str] = {}
_LONGEST_NAME = 100


class _Case(NamedTuple):
    """What all decisions about one file have in common."""

    file: Path
    workspace: Path
    environment: Mapping[str, str]
    gate: Gate
    connect: Mapping[str, str]


class _Candidate(msgspec.Struct, frozen=True):
    spec: ServerSpec
    asked_because: str = ""
    """Empty: the catalogue's order alone speaks for it."""
    is_missed: bool = False
    """Whether it is worth a word when it cannot be had."""


class _Outcome(msgspec.Struct):
    chosen: list[Chosen]
    missing: list[str]
    """Of those that are missed."""
    absent: list[Missing]
    """Of all."""
    passed_over: list[PassedOver]


def route(
    file: Path,
    workspace: Path,
    catalog: Catalog,
    environment: Mapping[str, str],
    only: frozenset[str] = frozenset(),
    gate: Gate = let_pass,
    connect: Mapping[str, str] = _NOWHERE,
) -> Route:
    """The servers for a file, all paths absolute. ``only`` forces exactly those server ids.

    Those in ``connect`` (server → address) are run by somebody else: no program is looked for.
    Raises NoServerForExtension; ServerUnavailable, or Untrusted, when no primary can be had; InvalidArgument for an
    unknown server id.
    """
    weighed = weigh(file, workspace, catalog, environment, only, gate, connect)
    if weighed.refusal is not None:
        raise weighed.refusal
    return weighed


def weigh(
    file: Path,
    workspace: Path,
    catalog: Catalog,
    environment: Mapping[str, str],
    only: frozenset[str] = frozenset(),
    gate: Gate = let_pass,
    connect: Mapping[str, str] = _NOWHERE,
) -> Route:
    """As ``route``, but that there is no server is told in ``refusal``, beside all that was looked at."""
    language, why = detect_language(catalog, file)
    if language is None:
        refusal = NoServerForExtension(f"no language server is known for {file.name}")
        return Route(file, "", None, (), language_why=why, refusal=refusal)
    case = _Case(file, workspace, environment, gate, connect)
    if only:
        return _forced_route(case, catalog, language, why, only)
    named = frozenset(catalog.languages[language].named)
    primaries, unfit = _suited(catalog.servers_for(language), case, named)
    if not primaries and not unfit:
        refusal = NoServerForExtension(f"no language server is known for {language}, which {file.name} is")
        return Route(file, language, None, (), language_why=why, refusal=refusal)
    outcome = _choose(primaries, case, enough=1)
    linters, unfit_linters = _suited(catalog.linters_for(language), case, named)
    linting = _choose(linters, case)
    return Route(
        file,
        language,
        outcome.chosen[0] if outcome.chosen else None,
        tuple(linting.chosen),
        (*outcome.missing, *linting.missing),
        why,
        (*unfit, *outcome.passed_over, *unfit_linters, *linting.passed_over),
        None if outcome.chosen else _unavailable(language, file, outcome.absent, unfit),
    )


def require_known(servers: frozenset[str], catalog: Catalog) -> None:
    """Raises InvalidArgument, with a suggestion, for an id that no server has."""
    for server in sorted(servers - catalog.servers.keys()):
        named = server[:_LONGEST_NAME]
        raise InvalidArgument(f"no server is called {named!r}", hint=_suggestion(named, catalog.servers))


def _forced_route(case: _Case, catalog: Catalog, language: str, why: str, only: frozenset[str]) -> Route:
    file = case.file
    require_known(only, catalog)
    serving = (*catalog.servers_for(language), *catalog.linters_for(language))
    forced = [_Candidate(spec, "asked for by name", is_missed=True) for spec in serving if spec.id in only]
    if not forced:
        raise ServerUnavailable(
            f"{file.name} is {language}, which none of the servers asked for serves ({', '.join(sorted(only))})",
            hint=f"For {language} ask for {' or '.join(spec.id for spec in serving)}.",
        )
    outcome = _choose(forced, case)
    primary = next((chosen for chosen in outcome.chosen if chosen.spec.role == "primary"), None)
    others = tuple(chosen for chosen in outcome.chosen if chosen is not primary)
    refusal = None if outcome.chosen else _unavailable(language, file, outcome.absent, [])
    passed_over = tuple(outcome.passed_over)
    return Route(file, language, primary, others, tuple(outcome.missing), why, passed_over, refusal)


def _suited(
    specs: Iterable[ServerSpec], case: _Case, named: frozenset[str]
) -> tuple[list[_Candidate], list[PassedOver]]:
    """The servers that suit the project, and why the others do not.

    Those that the configuration names keep its order; of others, those that the project is set up for go first.
    """
    candidates: list[_Candidate] = []
    unfit: list[PassedOver] = []
    for spec in specs:
        is_named = spec.id in named
        reason = why_unfit(spec, case.file, case.workspace, is_named=is_named)
        if reason:
            unfit.append(PassedOver(server=spec.id, role=spec.role, kind="unfit", why=reason))
        elif is_named:
            # Of several primaries in order of preference, one that is not there is no loss.
            candidates.append(_Candidate(spec, "the configuration names it", is_missed=spec.role == "linter"))
        else:
            asked = why_asked_for(spec, case.file, case.workspace)
            candidates.append(_Candidate(spec, asked, is_missed=bool(asked)))
    return sorted(candidates, key=lambda candidate: not candidate.asked_because), unfit


def _choose(candidates: Iterable[_Candidate], case: _Case, enough: int | None = None) -> _Outcome:
    outcome = _Outcome([], [], [], [])
    for candidate in candidates:
        spec = candidate.spec
        if len(outcome.chosen) == enough:
            first = outcome.chosen[0].spec.id
            outcome.passed_over.append(
                PassedOver(server=spec.id, role=spec.role, kind="later", why=f"after {first} in the order")
            )
            continue
        found = _find(candidate, case)
        if isinstance(found, Missing):
            _note_missing(outcome, candidate, found)
            continue
        outcome.chosen.append(found)
        outcome.missing.extend(found.lacking)
    return outcome


def _note_missing(outcome: _Outcome, candidate: _Candidate, found: Missing) -> None:
    spec = candidate.spec
    outcome.absent.append(found)
    kind = "untrusted" if found.is_untrusted else "unfit" if found.is_unfit else "missing"
    outcome.passed_over.append(
        PassedOver(
            server=spec.id, role=spec.role, kind=kind, why=found.why, hint=found.hint, is_missed=candidate.is_missed
        )
    )
    if found.is_unfit:  # it takes care of every other file like this one
        outcome.missing.append(found.why)
    elif candidate.is_missed:
        outcome.missing.append(f"{found.why} ({candidate.asked_because}). {found.hint}")


def _find(candidate: _Candidate, case: _Case) -> Chosen | Missing:
    """The server made to measure; or why it cannot be had."""
    spec = candidate.spec
    gate = _RememberingGate(case.gate)
    root = find_root(spec, case.file, case.workspace)
    found = _find_program(spec, case, root.directory, gate)
    if isinstance(found, Missing):
        return found
    if not spec.settle.takes_any_name and not is_text(f"{case.file}{root.directory}"):
        return Missing(f"{spec.id} cannot take a file whose name is no UTF-8", RENAME_IT, is_unfit=True)
    refused = tuple(gate.refused)
    made = tailor(
        spec,
        found.command,
        root=root.directory,
        file=case.file,
        workspace=case.workspace,
        environment=case.environment,
        gate=gate,
    )
    for path in (*made.project_code, *library_code(spec, case.file, case.workspace)):
        forbidden = gate(path)
        if forbidden:
            why = f"{spec.id} would run {path}, which {forbidden}"
            return Missing(why, Untrusted.default_hint, is_untrusted=True)
    choice = candidate.asked_because or "the first in the catalogue's order that is found"
    reasons = Reasons(choice, found.why, root.why, root.tier)
    return Chosen(
        spec=made.spec,
        command=made.command,
        root=root.directory,
        why=_in_a_sentence(spec.id, reasons, made.project_code, case.workspace),
        project_code=made.project_code,
        reasons=reasons,
        handed=made.handed,
        lacking=made.missing,
        refused=refused,
    )


def _find_program(spec: ServerSpec, case: _Case, root: Path, gate: Gate) -> Found | Missing:
    address = case.connect.get(spec.id, "")
    if address:
        return Found(spec.command, f"run by somebody else at {address}")
    lacking = why_library_missing(spec, case.file, case.workspace)
    if lacking:
        return Missing(lacking, "Install the project's packages, for instance with `npm install`.")
    return find_command(spec, root, case.workspace, case.environment, gate)


class _RememberingGate:
    """A gate that keeps what it refused: a program of the project that was passed over is worth telling."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self.refused: dict[str, None] = {}

    def __call__(self, program: Path) -> str:
        why = self._gate(program)
        if why:
            self.refused[f"{program} {why}"] = None
        return why


def _in_a_sentence(server: str, reasons: Reasons, project_code: tuple[Path, ...], workspace: Path) -> str:
    why = f"{server}: {reasons.choice}; its program is {reasons.program}; its root is {reasons.root}"
    files = ", ".join(path.relative_to(workspace).as_posix() for path in project_code)
    return f"{why}; code of the project that it runs: {files}" if files else why


def _unavailable(
    language: str, file: Path, absent: list[Missing], unfit: list[PassedOver]
) -> ServerUnavailable | Untrusted:
    """What is there and cannot be used as it is comes first: installing another would not help."""
    absent = sorted(absent, key=lambda missing: not (missing.is_untrusted or missing.is_unfit))
    reasons = [*(missing.why for missing in absent), *(f"{each.server} {each.why}" for each in unfit)]
    search = f"rg -n 'NAME' -g '{f'*{file.suffix}' if file.suffix else file.name}'"
    hint = f"{absent[0].hint} Until then search the text: {search}" if absent else f"Search the text instead: {search}"
    kind = Untrusted if absent and absent[0].is_untrusted else ServerUnavailable
    return kind(f"no language server for {language} can be used: {'; '.join(reasons)}", hint=hint)


def _suggestion(server: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = get_close_matches(server, names, n=1)
    return f"Did you mean {close[0]}?" if close else f"Known are {', '.join(names)}."

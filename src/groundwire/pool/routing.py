"""Which servers take care of a file, where they are rooted, and why.

Reads directories and may run a program to learn its version, so it blocks for a moment the first time.
Above: ``pool`` and ``operations``. Below: ``registry``.
"""

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import msgspec

from groundwire.errors import InvalidArgument, NoServerForExtension, ServerUnavailable, Untrusted
from groundwire.registry.binaries import Missing, find_command
from groundwire.registry.catalog import Catalog
from groundwire.registry.detect import detect_language
from groundwire.registry.fitness import why_asked_for, why_library_missing, why_unfit
from groundwire.registry.roots import find_root
from groundwire.registry.spec import ServerSpec
from groundwire.registry.tailor import tailor


class Chosen(msgspec.Struct, frozen=True):
    """A server that takes care of a file: what to start, where, and why this one.

    ``spec`` is made to measure for the project: its placeholders are filled, its environment is the project's.
    """

    spec: ServerSpec
    command: tuple[str, ...]
    root: Path
    why: str
    project_code: tuple[Path, ...] = ()
    """Files inside the workspace that starting it runs or loads as code: whether they may be is a matter of trust."""


class Route(msgspec.Struct, frozen=True):
    """The servers of one file.

    ``missing`` tells of servers that the project is set up for, or that the caller asked for, and that cannot be had.
    """

    file: Path
    language: str
    primary: Chosen | None
    linters: tuple[Chosen, ...]
    missing: tuple[str, ...] = ()
    language_why: str = ""


def _every_program(_: Path) -> str:
    return ""


class _Case(NamedTuple):
    """What all decisions about one file have in common."""

    file: Path
    workspace: Path
    environment: Mapping[str, str]
    gate: Callable[[Path], str]
    """Why a program or a library must not be run; empty when it may."""


class _Candidate(msgspec.Struct, frozen=True):
    spec: ServerSpec
    asked_because: str = ""
    """Empty: the catalogue's order alone speaks for it."""


class _Outcome(msgspec.Struct):
    chosen: list[Chosen]
    missing: list[str]
    """Of those that were asked for."""
    absent: list[Missing]
    """Of all."""


def route(
    file: Path,
    workspace: Path,
    catalog: Catalog,
    environment: Mapping[str, str],
    only: frozenset[str] = frozenset(),
    gate: Callable[[Path], str] = _every_program,
) -> Route:
    """The servers for a file, all paths absolute. ``only`` forces exactly those server ids.

    Raises NoServerForExtension, ServerUnavailable when no primary can be had, InvalidArgument for an unknown server id.
    """
    language, why = detect_language(catalog, file)
    if language is None:
        raise NoServerForExtension(f"no language server is known for {file.name}")
    case = _Case(file, workspace, environment, gate)
    if only:
        return _forced_route(case, catalog, language, why, only)
    primaries, unfit = _suited(catalog.servers_for(language), file, workspace)
    if not primaries and not unfit:
        raise NoServerForExtension(f"no language server is known for {language}, which {file.name} is")
    outcome = _choose(primaries, case, enough=1)
    if not outcome.chosen:
        raise _unavailable(language, file, outcome.absent, unfit)
    linters, _ = _suited(catalog.linters_for(language), file, workspace)
    linting = _choose(linters, case)
    missing = (*outcome.missing, *linting.missing)
    return Route(file, language, outcome.chosen[0], tuple(linting.chosen), missing, why)


def require_known(servers: frozenset[str], catalog: Catalog) -> None:
    """Raises InvalidArgument, with a suggestion, for an id that no server has."""
    for server in sorted(servers - catalog.servers.keys()):
        raise InvalidArgument(f"no server is called {server!r}", hint=_suggestion(server, catalog.servers))


def _forced_route(case: _Case, catalog: Catalog, language: str, why: str, only: frozenset[str]) -> Route:
    file = case.file
    require_known(only, catalog)
    serving = (*catalog.servers_for(language), *catalog.linters_for(language))
    forced = [_Candidate(spec, "asked for by name") for spec in serving if spec.id in only]
    if not forced:
        raise ServerUnavailable(
            f"{file.name} is {language}, which none of the servers asked for serves ({', '.join(sorted(only))})",
            hint=f"For {language} ask for {' or '.join(spec.id for spec in serving)}.",
        )
    outcome = _choose(forced, case)
    if not outcome.chosen:
        raise _unavailable(language, file, outcome.absent, [])
    primary = next((chosen for chosen in outcome.chosen if chosen.spec.role == "primary"), None)
    others = tuple(chosen for chosen in outcome.chosen if chosen is not primary)
    return Route(file, language, primary, others, tuple(outcome.missing), why)


def _suited(specs: Iterable[ServerSpec], file: Path, workspace: Path) -> tuple[list[_Candidate], list[str]]:
    """The servers that suit the project, those it is set up for first, and why the others do not."""
    candidates: list[_Candidate] = []
    unfit: list[str] = []
    for spec in specs:
        reason = why_unfit(spec, file, workspace)
        if reason:
            unfit.append(f"{spec.id} {reason}")
        else:
            candidates.append(_Candidate(spec, why_asked_for(spec, file, workspace)))
    return sorted(candidates, key=lambda candidate: not candidate.asked_because), unfit


def _choose(candidates: Iterable[_Candidate], case: _Case, enough: int | None = None) -> _Outcome:
    outcome = _Outcome([], [], [])
    for candidate in candidates:
        if len(outcome.chosen) == enough:
            break
        found = _find(candidate, case)
        if isinstance(found, Missing):
            outcome.absent.append(found)
            if candidate.asked_because:
                outcome.missing.append(f"{found.why} ({candidate.asked_because}). {found.hint}")
            continue
        chosen, lacking = found
        outcome.chosen.append(chosen)
        outcome.missing.extend(lacking)
    return outcome


def _find(candidate: _Candidate, case: _Case) -> tuple[Chosen, tuple[str, ...]] | Missing:
    """The server made to measure, with what it lacks; or why it cannot be had."""
    spec = candidate.spec
    lacking = why_library_missing(spec, case.file, case.workspace)
    if lacking:
        return Missing(lacking, "Install the project's packages, for instance with `npm install`.")
    root, why_root = find_root(spec, case.file, case.workspace)
    found = find_command(spec, root, case.workspace, case.environment, case.gate)
    if isinstance(found, Missing):
        return found
    made = tailor(
        spec, found.command, root=root, file=case.file, workspace=case.workspace, environment=case.environment
    )
    for path in made.project_code:
        forbidden = case.gate(path)
        if forbidden:
            return Missing(f"{spec.id} would run {path}, which {forbidden}", Untrusted.default_hint)
    reason = candidate.asked_because or "the first in the catalogue's order that is found"
    why = f"{spec.id}: {reason}; its program is {found.why}; its root is {why_root}"
    if made.project_code:
        files = ", ".join(path.relative_to(case.workspace).as_posix() for path in made.project_code)
        why = f"{why}; code of the project that it runs: {files}"
    return Chosen(made.spec, made.command, root, why, made.project_code), made.missing


def _unavailable(language: str, file: Path, absent: list[Missing], unfit: list[str]) -> ServerUnavailable:
    reasons = [*(missing.why for missing in absent), *unfit]
    search = f"rg -n 'NAME' -g '{f'*{file.suffix}' if file.suffix else file.name}'"
    hint = f"{absent[0].hint} Until then search the text: {search}" if absent else f"Search the text instead: {search}"
    return ServerUnavailable(f"no language server for {language} can be used: {'; '.join(reasons)}", hint=hint)


def _suggestion(server: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = get_close_matches(server, names, n=1)
    return f"Did you mean {close[0]}?" if close else f"Known are {', '.join(names)}."

"""Which servers take care of a file, where they are rooted, and why.

Reads directories and may run a program to learn its version, so it blocks for a moment the first time.
Above: ``pool`` and ``operations``. Below: ``registry``.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

import msgspec

from groundwire.errors import InvalidArgument, NoServerForExtension, ServerUnavailable
from groundwire.registry.binaries import Missing, find_command, install_hint
from groundwire.registry.catalog import Catalog
from groundwire.registry.environments import activated
from groundwire.registry.markers import marker_between, shown
from groundwire.registry.roots import find_root
from groundwire.registry.spec import ServerSpec


class Chosen(msgspec.Struct, frozen=True):
    """A server that takes care of a file: what to start, where, and why this one.

    ``spec.environment`` holds what the project adds to it, such as its virtual environment.
    """

    spec: ServerSpec
    command: tuple[str, ...]
    root: Path
    why: str


class Route(msgspec.Struct, frozen=True):
    """The servers of one file.

    ``missing`` tells of servers that the project is set up for, or that the caller asked for, and that cannot be had.
    """

    file: Path
    language: str
    primary: Chosen | None
    linters: tuple[Chosen, ...]
    missing: tuple[str, ...] = ()


class _Candidate(msgspec.Struct, frozen=True):
    spec: ServerSpec
    asked_because: str = ""
    """Empty: the catalogue's order alone speaks for it."""


class _Outcome(msgspec.Struct):
    chosen: list[Chosen]
    missing: list[str]
    """Of those that were asked for."""
    absent: list[str]
    """Of all."""


def route(
    file: Path, workspace: Path, catalog: Catalog, environment: Mapping[str, str], only: frozenset[str] = frozenset()
) -> Route:
    """The servers for a file, all paths absolute. ``only`` forces exactly those server ids.

    Raises NoServerForExtension, ServerUnavailable when no primary can be had, InvalidArgument for an unknown server id.
    """
    language = catalog.language_of(file)
    if language is None:
        raise NoServerForExtension(f"no language server is known for {file.name}")
    if only:
        return _forced_route(file, workspace, catalog, environment, language, only)
    primaries = _by_preference(catalog.servers_for(language), file, workspace)
    outcome = _choose(primaries, file, workspace, environment, enough=1)
    if not outcome.chosen:
        raise _unavailable(language, file, primaries[0].spec, outcome.absent)
    linting = _choose(_configured_linters(catalog, language, file, workspace), file, workspace, environment)
    missing = (*outcome.missing, *linting.missing)
    return Route(file, language, outcome.chosen[0], tuple(linting.chosen), missing)


def require_known(servers: frozenset[str], catalog: Catalog) -> None:
    """Raises InvalidArgument, with a suggestion, for an id that no server has."""
    for server in sorted(servers - catalog.servers.keys()):
        raise InvalidArgument(f"no server is called {server!r}", hint=_suggestion(server, catalog.servers))


def _forced_route(
    file: Path, workspace: Path, catalog: Catalog, environment: Mapping[str, str], language: str, only: frozenset[str]
) -> Route:
    require_known(only, catalog)
    serving = (*catalog.servers_for(language), *catalog.linters_for(language))
    forced = [_Candidate(spec, "asked for by name") for spec in serving if spec.id in only]
    if not forced:
        raise ServerUnavailable(
            f"{file.name} is {language}, which none of the servers asked for serves ({', '.join(sorted(only))})",
            hint=f"For {language} ask for {' or '.join(spec.id for spec in serving)}.",
        )
    outcome = _choose(forced, file, workspace, environment)
    if not outcome.chosen:
        raise _unavailable(language, file, forced[0].spec, outcome.absent)
    primary = next((chosen for chosen in outcome.chosen if chosen.spec.role == "primary"), None)
    others = tuple(chosen for chosen in outcome.chosen if chosen is not primary)
    return Route(file, language, primary, others, tuple(outcome.missing))


def _by_preference(specs: Iterable[ServerSpec], file: Path, workspace: Path) -> list[_Candidate]:
    candidates: list[_Candidate] = []
    for spec in specs:
        marker = marker_between(file, workspace, spec.configured_by)
        candidates.append(_Candidate(spec, f"the project has {shown(marker)}" if marker else ""))
    return sorted(candidates, key=lambda candidate: not candidate.asked_because)


def _configured_linters(catalog: Catalog, language: str, file: Path, workspace: Path) -> list[_Candidate]:
    candidates: list[_Candidate] = []
    for spec in catalog.linters_for(language):
        marker = marker_between(file, workspace, spec.needs_config)
        if marker is not None:
            candidates.append(_Candidate(spec, f"the project has {shown(marker)}"))
        elif not spec.needs_config:
            candidates.append(_Candidate(spec))
    return candidates


def _choose(
    candidates: Iterable[_Candidate],
    file: Path,
    workspace: Path,
    environment: Mapping[str, str],
    enough: int | None = None,
) -> _Outcome:
    outcome = _Outcome([], [], [])
    for candidate in candidates:
        if len(outcome.chosen) == enough:
            break
        root, why_root = find_root(candidate.spec, file, workspace)
        found = find_command(candidate.spec, root, workspace, environment)
        if isinstance(found, Missing):
            outcome.absent.append(found.why)
            if candidate.asked_because:
                outcome.missing.append(f"{found.why} ({candidate.asked_because}). {found.hint}")
            continue
        reason = candidate.asked_because or "the first in the catalogue's order that is found"
        why = f"{candidate.spec.id}: {reason}; its program is {found.why}; its root is {why_root}"
        spec = _in_project(candidate.spec, root, workspace, environment)
        outcome.chosen.append(Chosen(spec, found.command, root, why))
    return outcome


def _in_project(spec: ServerSpec, root: Path, workspace: Path, environment: Mapping[str, str]) -> ServerSpec:
    if not spec.activates_venv:
        return spec
    variables = {**activated(root, workspace, environment), **spec.environment}
    return msgspec.structs.replace(spec, environment=variables)


def _unavailable(language: str, file: Path, preferred: ServerSpec, absent: list[str]) -> ServerUnavailable:
    pattern = f"*{file.suffix}" if file.suffix else file.name
    return ServerUnavailable(
        f"no language server for {language} can be used: {'; '.join(absent)}",
        hint=f"{install_hint(preferred)} Until then search the text: rg -n 'NAME' -g '{pattern}'",
    )


def _suggestion(server: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = get_close_matches(server, names, n=1)
    return f"Did you mean {close[0]}?" if close else f"Known are {', '.join(names)}."

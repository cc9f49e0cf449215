"""What to start before it is needed: a file that stands for each server or language that the configuration lists.

Above: ``pool``, which starts what is planned here. Below: ``routing``, ``watcher`` (its skip list), ``registry``.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from groundwire.errors import GroundwireError, InvalidArgument, LanguageNotEnabled
from groundwire.pool.routing import Chosen, Route
from groundwire.pool.status import ServerStatus, State
from groundwire.pool.tree import EVERY_DOT_DIRECTORY
from groundwire.pool.watcher import DEFAULT_SKIP
from groundwire.protocol.names import is_text
from groundwire.registry.catalog import Catalog
from groundwire.registry.markers import first_marker

_MOST_LOOKED_AT = 20_000
"""Directory entries; a sample that lies beyond is not worth the time."""

FindRoute = Callable[[Path, frozenset[str]], Route]
"""The route of a file, forced to those servers if there are any. Raises a GroundwireError."""


class Prewarmed(msgspec.Struct, frozen=True):
    """One name of the list: what to start for it, or why nothing is."""

    name: str
    chosen: tuple[Chosen, ...] = ()
    failure: ServerStatus | None = None


def sample_files(workspace: Path, catalog: Catalog, names: Sequence[str]) -> dict[str, Path]:
    """For each server or language one file that it serves, nearest to the top; takes a while in a large workspace."""
    wanted = {name: languages_of(name, catalog) for name in names}
    found: dict[str, Path] = {}
    for file in _files(workspace):
        language = catalog.language_of(file) if is_text(file.name) else None  # any other will do as well
        if language is None:
            continue
        found |= {name: file for name, languages in wanted.items() if language in languages and name not in found}
        if len(found) == len(wanted):
            break
    for name in wanted.keys() - found.keys():
        stand_in = _stand_in(name, workspace, catalog)
        found |= {name: stand_in} if stand_in is not None else {}
    return found


def plan_prewarm(name: str, sample: Path | None, workspace: Path, catalog: Catalog, find: FindRoute) -> Prewarmed:
    """What to start for one name."""
    try:
        languages = languages_of(name, catalog)
        if not languages:
            raise InvalidArgument(f"no server and no language is called {name!r}")
        if sample is None:
            reason = f"it was to be started early, but nothing in the workspace is written in {' or '.join(languages)}"
            return Prewarmed(name, failure=_status(name, workspace, "idle", reason))
        route = find(sample, frozenset({name} if name in catalog.servers else ()))
    except GroundwireError as error:
        state: State = "disabled" if isinstance(error, LanguageNotEnabled) else "unavailable"
        reason = f"{error.message}. {error.hint}" if error.hint else error.message
        return Prewarmed(name, failure=_status(name, workspace, state, reason))
    return Prewarmed(name, chosen=(*([route.primary] if route.primary else []), *route.linters))


def languages_of(name: str, catalog: Catalog) -> tuple[str, ...]:
    """What a server speaks, or the language itself; nothing for a name that nobody has."""
    if name in catalog.servers:
        return catalog.servers[name].languages
    return (name,) if name in catalog.languages else ()


def _files(workspace: Path) -> Iterator[Path]:
    """Files of the workspace, level by level, in the order of their names."""
    level, looked_at = [str(workspace)], 0
    while level:
        below: list[str] = []
        for directory in level:
            for entry in _entries(directory):
                looked_at += 1
                if looked_at > _MOST_LOOKED_AT:
                    return
                if not entry.is_dir(follow_symlinks=False):
                    yield Path(entry.path)
                elif not _is_skipped(entry.name):
                    below.append(entry.path)
        level = below


def _entries(directory: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:  # gone, or not ours to read: there is nothing to start for it
        return []


def _is_skipped(name: str) -> bool:
    return name in DEFAULT_SKIP or (EVERY_DOT_DIRECTORY in DEFAULT_SKIP and name.startswith("."))


def _stand_in(name: str, workspace: Path, catalog: Catalog) -> Path | None:
    """Where the workspace itself is marked as a project of the kind, a file that might be in it."""
    for language in languages_of(name, catalog):
        specs = [catalog.servers[name]] if name in catalog.servers else catalog.servers_for(language)
        markers = [marker for spec in specs for tier in spec.roots for marker in tier if marker != ".git"]
        endings = catalog.languages[language].extensions if language in catalog.languages else ()
        if endings and first_marker(workspace, markers) is not None:
            return workspace / f"prewarm{endings[0]}"
    return None


def _status(name: str, workspace: Path, state: State, reason: str) -> ServerStatus:
    return ServerStatus(server=name, root=str(workspace), state=state, reason=reason)

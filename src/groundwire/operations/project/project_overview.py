"""A project at a glance: languages, servers, entry points, how it is built and tested, hot spots, conventions.

All of it is computed from what is there, and says so where that was not all looked at; nothing is noted by hand. What
follows from the files and the history alone is kept until they change; which servers and tools are at hand is looked at
every time. Above: ``table``. Below: ``project_tree``, ``project_entries``, ``project_history`` …
"""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

from groundwire.operations.answer import Answer, Status
from groundwire.operations.files.paths import shown_path
from groundwire.operations.files.survey import Survey, survey
from groundwire.operations.operation import Arguments, Call, operation
from groundwire.operations.project.commands import find_commands
from groundwire.operations.project.conventions import conventions
from groundwire.operations.project.entries import entry_points
from groundwire.operations.project.history import head_of, read_history
from groundwire.operations.project.memory import ProjectMemory
from groundwire.operations.project.tree import Tree, read_tree
from groundwire.operations.results.project import (
    HotFile,
    ProjectFacts,
    ProjectLanguage,
    ProjectOverview,
    ProjectServer,
)
from groundwire.operations.serving.decisions import Decisions
from groundwire.operations.serving.needs import Need, find_needs
from groundwire.operations.serving.pool_decisions import decide
from groundwire.pool.git_questions import find_repository
from groundwire.pool.pool import Pool

_LONGEST_S = 20.0
_SPARE_S = 1.0
"""For what comes after the walk."""
_MOST_LARGE = 5
_LARGEST_COUNTED = 8 * 1024 * 1024


class AboutProject(Arguments, frozen=True):
    """There is nothing to choose."""


@operation(
    "The project at a glance: languages, servers, entry points, build and test tools, hot spots, conventions.",
    command="project",
)
async def project_overview(call: Call, arguments: AboutProject) -> Answer[ProjectOverview]:  # noqa: ARG001  it has none
    """Starts no server and runs no tool of the project."""
    left = call.deadline - asyncio.get_running_loop().time()
    until = time.monotonic() + min(max(left - _SPARE_S, left / 2), _LONGEST_S)
    overview, doubts = await decide(call, lambda decisions: _Look(call.pool, decisions, until).overview())
    status = Status.PARTIAL if doubts else Status.CONFIRMED
    return Answer(value=overview, status=status, reason="; ".join(doubts))


class _Look:
    """One look at a project, beside the event loop."""

    def __init__(self, pool: Pool, decisions: Decisions, until: float) -> None:
        self._pool = pool
        self._decisions = decisions
        self._until = until
        cache = pool.settings.cache
        self._memory = ProjectMemory(cache.path.parent if cache is not None else None)

    def overview(self) -> tuple[ProjectOverview, list[str]]:
        """And why it may not be all."""
        catalog = self._decisions.plan.catalog_when_trusted
        tree = read_tree(self._pool.workspace, self._until)
        seen = survey(self._pool.workspace, catalog)
        facts, remembered = self._facts(tree)
        commands = find_commands(self._pool, tree.names, tree.manifests)
        overview = ProjectOverview(
            workspace=str(self._pool.workspace),
            files=seen.files,
            languages=_languages(seen),
            servers=tuple(map(self._server, filter(self._is_missed, find_needs(self._decisions, seen)))),
            entry_points=facts.entry_points,
            commands=commands.commands,
            most_changed=facts.most_changed,
            commits=facts.commits,
            largest=_largest(tree, self._is_source),
            conventions=facts.conventions,
            remembered=remembered,
        )
        doubts = (*tree.doubts, seen.note, commands.doubt, *facts.doubts)
        return overview, list(dict.fromkeys(filter(None, doubts)))

    def _facts(self, tree: Tree) -> tuple[ProjectFacts, bool]:
        workspace = self._pool.workspace
        repository = find_repository(workspace, self._pool.environment)
        head = head_of(repository, workspace)
        digest = tree.digest(head)
        known = self._memory.recall(digest)
        if known is not None:
            return known, True
        left = self._until - time.monotonic()
        history = (
            read_history(repository, workspace, tree.names, self._is_source, left) if repository and head else None
        )
        facts = ProjectFacts(
            entry_points=entry_points(tree.manifests, frozenset(tree.names)),
            conventions=conventions(tree.names, tree.manifests),
            most_changed=history.most_changed if history is not None else (),
            commits=history.commits if history is not None else 0,
            doubts=(history.doubt,) if history is not None and history.doubt else (),
        )
        if not facts.doubts and not tree.doubts:
            self._memory.keep(digest, facts)
        return facts, False

    def _is_source(self, name: str) -> bool:
        catalog = self._decisions.plan.catalog_when_trusted
        language = catalog.language_of(Path(name))
        return language is not None and not catalog.is_data(language)

    def _server(self, need: Need) -> ProjectServer:
        return ProjectServer(
            server=need.server,
            languages=need.languages,
            role=need.role,
            state=need.state,
            root=shown_path(need.root, self._pool.workspace) if need.root is not None else "",
            why=need.why if need.root is None else "",
            remedy=need.remedy,
        )

    def _is_missed(self, need: Need) -> bool:
        """Nobody misses a server for data alone."""
        catalog = self._decisions.plan.catalog_when_trusted
        return need.state == "ready" or not all(map(catalog.is_data, need.languages))


def _languages(seen: Survey) -> tuple[ProjectLanguage, ...]:
    every = max(seen.files, 1)
    return tuple(
        ProjectLanguage(language=each.language, files=each.files, share=round(100 * each.files / every, 1))
        for each in seen.languages
    )


def _largest(tree: Tree, is_source: Callable[[str], bool]) -> tuple[HotFile, ...]:
    """By size first, which is cheap; the lines of those few are counted."""
    above = f"{tree.workspace}{os.sep}"
    sized = sorted(((_size(above + name), name) for name in tree.names if is_source(name)), reverse=True)
    counted = ((_lines(tree.workspace / name), name) for size, name in sized[:_MOST_LARGE] if size)
    return tuple(HotFile(file=name, number=lines) for lines, name in sorted(counted, reverse=True))


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size  # noqa: PTH116  of every file there is: a Path for each takes longer than the rest
    except OSError:  # gone meanwhile
        return 0


def _lines(file: Path) -> int:
    try:
        with file.open("rb") as source:
            return source.read(_LARGEST_COUNTED).count(b"\n")
    except OSError:
        return 0

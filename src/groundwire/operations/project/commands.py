"""How the parts of a project are built and tested: by the tools that ``run_build`` and ``run_tests`` would use, found
and not run; and the scripts that its manifests name.

Above: ``project_overview``. Below: ``building``.
"""

import json
import tempfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple, cast

from groundwire.errors import GroundwireError
from groundwire.operations.building.ecosystems.table import ECOSYSTEMS
from groundwire.operations.building.model import Ecosystem, Kind, Project, Wanted
from groundwire.operations.building.programs import Programs
from groundwire.operations.results.project import ProjectCommand
from groundwire.pool.pool import Pool
from groundwire.registry.markers import first_marker

_MOST_PROJECTS = 12
_SCRIPTS = ("build", "test", "lint", "typecheck", "check", "format", "start", "dev")
_RUNNERS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lockb": "bun", "bun.lock": "bun"}
_KINDS: tuple[Kind, ...] = ("build", "test")


class Found(NamedTuple):
    """``doubt``: why there may be more."""

    commands: tuple[ProjectCommand, ...]
    doubt: str = ""


def find_commands(pool: Pool, names: Collection[str], manifests: Mapping[str, str]) -> Found:
    """Of each part that has a manifest, the uppermost first. Nothing is run."""
    parts = list(_parts(pool.workspace, names))
    commands = [command for part in parts[:_MOST_PROJECTS] for command in _tools(pool, *part)]
    scripts = [script for name, text in manifests.items() for script in _scripts(name, text, names)]
    doubt = (
        f"of {len(parts)} parts that can be built, {_MOST_PROJECTS} were looked at" if parts[_MOST_PROJECTS:] else ""
    )
    return Found((*commands, *scripts), doubt)


def _parts(workspace: Path, names: Collection[str]) -> Iterator[tuple[Ecosystem, Path]]:
    """Directories with a marker of an ecosystem; not those within another part of the same one."""
    taken: dict[str, list[Path]] = {}
    for directory in _directories(names):
        root = workspace / directory
        for ecosystem in ECOSYSTEMS:
            own = [marker for marker in ecosystem.markers if marker not in ecosystem.shared_markers]
            above = taken.setdefault(ecosystem.id, [])
            if any(root.is_relative_to(each) for each in above) or not first_marker(root, own):
                continue
            above.append(root)
            yield ecosystem, root


def _directories(names: Collection[str]) -> list[str]:
    """Those that hold anything which may be a marker, those further up first."""
    endings = {PurePosixPath(marker.partition(":")[0]).name for each in ECOSYSTEMS for marker in each.markers}
    plain = {name for name in endings if "*" not in name}
    globs = tuple(name.lstrip("*") for name in endings - plain)
    found = {
        directory
        for directory, _, last in (name.rpartition("/") for name in names)
        if last in plain or (globs and last.endswith(globs))
    }
    return sorted(found, key=lambda name: (name.count("/") if name else -1, name))


def _tools(pool: Pool, ecosystem: Ecosystem, root: Path) -> Iterator[ProjectCommand]:
    programs = Programs(root, pool.workspace, pool.environment, pool.folders.program_refusal)
    project = Project(root=root, workspace=pool.workspace, environment=pool.environment, programs=programs)
    directory = root.relative_to(pool.workspace).as_posix()
    for kind in _KINDS:
        if (ecosystem.is_built if kind == "build" else ecosystem.is_tested)(project):
            yield _tool(ecosystem, project, kind, directory)


def _tool(ecosystem: Ecosystem, project: Project, kind: Kind, directory: str) -> ProjectCommand:
    where = "" if directory == "." else f'path="{directory}"'
    operation = f"run_{'build' if kind == 'build' else 'tests'}({where})"
    try:
        with tempfile.TemporaryDirectory(prefix="groundwire-", ignore_cleanup_errors=True) as reports:
            wanted = Wanted(project=project, reports=Path(reports))
            plan = (ecosystem.build if kind == "build" else ecosystem.test)(wanted)
    except GroundwireError as error:
        return ProjectCommand(does=kind, directory=directory, tool=ecosystem.id, why_not=error.message)
    tools = ", ".join(dict.fromkeys(step.tool for step in plan.steps))
    return ProjectCommand(does=kind, directory=directory, tool=tools or ecosystem.id, operation=operation)


def _scripts(name: str, text: str, names: Collection[str]) -> Iterator[ProjectCommand]:
    directory, _, last = name.rpartition("/")
    if last != "package.json":
        return
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError):  # npm will say so
        return
    scripts = cast("dict[str, object]", data).get("scripts") if isinstance(data, dict) else None
    runner = next((runner for lock, runner in _RUNNERS.items() if lock in names), "npm")
    for script in _SCRIPTS if isinstance(scripts, dict) else ():
        if script in cast("dict[str, object]", scripts):
            yield ProjectCommand(does="script", directory=directory or ".", tool=f"{runner} run {script}")

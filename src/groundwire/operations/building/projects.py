"""Which project is meant, and which ecosystem is its own: by markers, by languages, by what can be done there.

Above: ``run_build``, ``run_tests``. Below: ``ecosystems``, ``programs``.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from groundwire.errors import CapabilityMissing, FileNotFound, InvalidArgument, OutsideWorkspace
from groundwire.operations.building.ecosystems.table import ECOSYSTEMS
from groundwire.operations.building.model import Ecosystem, Kind, Project
from groundwire.operations.building.programs import Programs
from groundwire.operations.files.paths import located, shortened, shown_path
from groundwire.operations.files.workspace_files import WorkspaceFiles, is_of_tools
from groundwire.operations.operation import Call
from groundwire.registry.markers import directories_up, first_marker

_SHORT = {
    "ts": "typescript",
    "js": "javascript",
    "py": "python",
    "c++": "cpp",
    "c#": "csharp",
    "rs": "rust",
    "rb": "ruby",
}
_MOST_LISTED = 6
_MOST_LOOKED_AT = 500
Found = tuple[Ecosystem, Project]


def existing_path(call: Call, given: str) -> Path:
    """A file or directory of the workspace. Raises FileNotFound, OutsideWorkspace."""
    path = located(Path(given), call.pool.workspace)
    try:
        path = path.resolve() if path.is_dir() else path
        is_there = path.exists()
    except OSError as error:  # a name that no file can have
        raise FileNotFound(f"{shortened(given)} does not exist: {error.strerror}") from error
    if not is_there:
        raise FileNotFound(f"{given} does not exist")
    if call.pool.folders.holder(path) is None:
        raise OutsideWorkspace(f"{given} is outside of the workspace", hint="add_workspace_folder works there too.")
    return path


def find_project(call: Call, kind: Kind, paths: Sequence[Path], language: str, directory: Path) -> Found:
    """The one project that is meant. Raises CapabilityMissing, or InvalidArgument that lists what it may be."""
    start = _directory_of(paths[0]) if paths else directory
    chosen = _ecosystems(language, paths)
    marked = list(_marked(call, chosen, start))
    found = _doable(kind, _nearest(marked)) or _by_sources(
        call, chosen, start, is_named=bool(language or _is_file(paths))
    )
    if not found:
        raise _nothing(call, kind, marked, start, language)
    if len(found) > 1:
        listed = ", ".join(f"{ecosystem.id} ({_names(ecosystem)})" for ecosystem, _ in found)
        raise InvalidArgument(
            f"several kinds of projects are here: {listed}", hint="Say which: give language, or path."
        )
    return found[0]


def left_out(call: Call, kind: Kind, found: Found) -> str:
    """Which projects of other kinds lie below the one that is meant; empty where there are none."""
    ecosystem, project = found
    below = [
        (directory, each)
        for directory, each in _below(project.root, "")
        if each.id != ecosystem.id and _doable(kind, [(each, _project(call, directory, project.workspace))])
    ]
    return f"other projects were left out: {_listed(call, below)}" if below else ""


def _directory_of(path: Path) -> Path:
    return path if path.is_dir() else path.parent


def _is_file(paths: Sequence[Path]) -> bool:
    return bool(paths) and paths[0].is_file()


def _ecosystems(language: str, paths: Sequence[Path]) -> tuple[Ecosystem, ...]:
    wanted = _SHORT.get(language.lower(), language.lower())
    if wanted:
        named = tuple(each for each in ECOSYSTEMS if wanted in each.languages or wanted == each.id)
        if not named:
            known = sorted({name for each in ECOSYSTEMS for name in each.languages})
            raise CapabilityMissing(f"nothing is known of building {language}", hint=f"Known are {', '.join(known)}.")
        return named
    by_suffix = tuple(each for each in ECOSYSTEMS if _is_file(paths) and paths[0].suffix in each.suffixes)
    return by_suffix or ECOSYSTEMS


def _marked(call: Call, chosen: Sequence[Ecosystem], start: Path) -> Iterator[Found]:
    folder = call.pool.folders.folder_of(start)
    for ecosystem in chosen:
        roots = [above for above in directories_up(start, folder) if first_marker(above, ecosystem.markers)]
        if roots:
            yield ecosystem, _project(call, roots[-1 if ecosystem.is_outermost else 0], folder)


def _project(call: Call, root: Path, folder: Path) -> Project:
    environment, gate = call.pool.environment, call.pool.folders.program_refusal
    return Project(
        root=root, workspace=folder, environment=environment, programs=Programs(root, folder, environment, gate)
    )


def _nearest(found: Sequence[Found]) -> list[Found]:
    deepest = max((len(project.root.parts) for _, project in found), default=0)
    near = [each for each in found if len(each[1].root.parts) == deepest or each[0].is_outermost]
    proper = [each for each in near if first_marker(each[1].root, _own_markers(each[0]))]
    return proper or near


def _own_markers(ecosystem: Ecosystem) -> list[str]:
    return [marker for marker in ecosystem.markers if marker not in ecosystem.shared_markers]


def _doable(kind: Kind, found: Sequence[Found]) -> list[Found]:
    return [each for each in found if (each[0].is_built if kind == "build" else each[0].is_tested)(each[1])]


def _by_sources(call: Call, chosen: Sequence[Ecosystem], start: Path, *, is_named: bool) -> list[Found]:
    """Without a marker: where sources are enough, and there are some."""
    folder = call.pool.folders.folder_of(start)
    for ecosystem in chosen:
        if ecosystem.needs_marker:
            continue
        if is_named or any(file.suffix in ecosystem.suffixes for file in WorkspaceFiles(start)):
            root = folder if start.is_relative_to(folder) and start.name in ("tests", "test", "spec") else start
            return [(ecosystem, _project(call, root, folder))]
    return []


def _nothing(call: Call, kind: Kind, marked: Sequence[Found], start: Path, language: str) -> CapabilityMissing:
    what = "be built" if kind == "build" else "be tested"
    where = shown_path(start, call.pool.workspace)
    below = _listed(call, _below(start, language))
    if below:
        return CapabilityMissing(f"no project that can {what} is at {where}", hint=f"Give path: {below}.")
    if marked:
        ids = ", ".join(ecosystem.id for ecosystem, _ in marked)
        return CapabilityMissing(
            f"{where} ({ids}) says nothing of how it is to {what}", hint="Configure a tool for it."
        )
    known = ", ".join(each.id for each in ECOSYSTEMS)
    return CapabilityMissing(f"no project is known at {where}", hint=f"Known are projects of {known}.")


def _below(start: Path, language: str) -> list[tuple[Path, Ecosystem]]:
    """Projects one or two directories further down."""
    inner = _directories_in(start)
    inner += [deep for each in inner for deep in _directories_in(each)]
    return [
        (directory, each)
        for directory in inner[:_MOST_LOOKED_AT]
        for each in _ecosystems(language, ())
        if first_marker(directory, _own_markers(each))
    ]


def _directories_in(directory: Path) -> list[Path]:
    try:
        return [each for each in sorted(directory.iterdir()) if each.is_dir() and not is_of_tools(each.name)]
    except OSError:  # not ours to look into
        return []


def _listed(call: Call, found: Sequence[tuple[Path, Ecosystem]]) -> str:
    return ", ".join(f"{shown_path(inner, call.pool.workspace)} ({each.id})" for inner, each in found[:_MOST_LISTED])


def _names(ecosystem: Ecosystem) -> str:
    return "/".join(ecosystem.languages[:2])

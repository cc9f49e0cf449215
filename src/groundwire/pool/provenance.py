"""Who supplied a program, or a library that a server loads: the project, or this user.

What version control tracks came with the project. What is there and not tracked (``node_modules``, ``.venv``) was put
there by this user. A directory of tools is one thing: its programs load what lies beside them, so that one tracked file
makes all of it the project's. Where there is nobody to ask, everything came with the project.
Above: ``trust``. Below: ``git_questions``.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from groundwire.pool.git_questions import find_repository

_MOST_LINKS = 40
_DEEPEST = 5
_ENVIRONMENTS = (".venv", "venv", ".conda")
_TOOL_DIRECTORIES = frozenset({"node_modules", *_ENVIRONMENTS})
_PROGRAM_PLACES = frozenset(
    {("node_modules", ".bin"), *((venv, place) for venv in _ENVIRONMENTS for place in ("bin", "Scripts"))}
)
_LIBRARIES = (
    "node_modules/typescript/lib",
    "node_modules/eslint/lib",
    ".yarn/sdks/typescript/lib",
    ".yarn/sdks/eslint/lib",
    ".vscode/pnpify/typescript/lib",
)
"""Servers load code from these directories of a project."""
_CODE = frozenset({".js", ".cjs", ".mjs", ".node", ".json"})
INTERPRETERS = frozenset({"python", "python3"})
"""Servers run the interpreter of the virtual environment that they are started in."""


class ExecutableOrigin(msgspec.Struct, frozen=True):
    """Who supplied a program, and how that is known."""

    by: Literal["user", "project"]
    why: str

    @property
    def is_project(self) -> bool:
        """Whether it needs trust."""
        return self.by == "project"


def executable_origin(path: Path, workspace: Path, environment: Mapping[str, str]) -> ExecutableOrigin:
    """Who supplied the program, or the library, at a path. Every link on the way to it counts."""
    workspace = workspace.resolve()
    inside = [step for step in _steps(path) if step.is_relative_to(workspace)]
    if not inside:
        return ExecutableOrigin("user", "it lies outside the workspace")
    repository = find_repository(workspace, environment)
    if repository is None:
        return ExecutableOrigin("project", "no version control tells who put it there")
    for step in inside:
        tools = _tool_directory(step, workspace)
        if not repository.says_untracked(step):
            return ExecutableOrigin("project", f"version control tracks {shown_in(step, workspace)}")
        if tools is not None and not repository.says_untracked(tools):
            return ExecutableOrigin("project", f"version control tracks some of {shown_in(tools, workspace)}")
        # What was unpacked somewhere inside somebody's repository (a home directory, say) is none of its business.
        if tools is not None and tools.parent != workspace and not repository.knows_of(tools.parent):
            why = f"version control knows nothing of {shown_in(tools.parent, workspace)}"
            return ExecutableOrigin("project", why)
    return ExecutableOrigin("user", "version control does not track it")


def fingerprint(path: Path, workspace: Path, environment: Mapping[str, str]) -> str:
    """Changes with the content of a program, and with whatever version control tracks of the tools it belongs to.

    Of a directory the code in it is the content. Raises OSError when it cannot be read.
    """
    workspace = workspace.resolve()
    steps = _steps(path)
    digest = hashlib.sha256()
    for step in steps:
        digest.update(os.fsencode(shown_in(step, workspace)) + b"\0")
    for file in _content_of(steps[-1]):
        digest.update(os.fsencode(shown_in(file, steps[-1])) + b"\0")
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    digest.update(_tracked_companions(steps[-1], workspace, environment))
    return digest.hexdigest()


def tool_programs(workspace: Path, environment: Mapping[str, str], names: Iterable[str]) -> list[Path]:
    """The programs of these names, and the libraries, that a project brings along in its own tool directories."""
    workspace = workspace.resolve()
    wanted = {*names, *INTERPRETERS}
    candidates = sorted(file for file in _tool_files(workspace) if _is_tool(file, wanted))
    return [file for file in candidates if executable_origin(file, workspace, environment).is_project]


def judged_as(path: Path) -> Path:
    """A file of a library stands for all of it: it is little without what lies beside it."""
    return next((each for each in path.parents if _is_library(each)), path)


def shown_in(path: Path, workspace: Path) -> str:
    """Relative to the workspace where it is inside."""
    return path.relative_to(workspace).as_posix() if path.is_relative_to(workspace) else str(path)


def _steps(path: Path) -> list[Path]:
    """Every link on the way to a file, and the file itself; each without links above it."""
    links: list[Path] = []
    real = Path(os.path.abspath(path))  # noqa: PTH100 - Path.absolute keeps `..`
    for _ in range(_MOST_LINKS):
        link = next((each for each in (*reversed(real.parents), real) if each.is_symlink()), None)
        if link is None:
            break
        links.append(link)
        real = Path(os.path.abspath(link.parent / link.readlink() / real.relative_to(link)))  # noqa: PTH100
    return [*links, real]


def _content_of(target: Path) -> list[Path]:
    if not target.is_dir():
        return [target]
    return sorted(file for file in target.rglob("*") if file.suffix in _CODE and file.is_file())


def _tool_directory(step: Path, workspace: Path) -> Path | None:
    """The outermost directory of tools that it lies in, or is."""
    parts = step.relative_to(workspace).parts if step.is_relative_to(workspace) else ()
    depth = next((number for number, part in enumerate(parts, 1) if part in _TOOL_DIRECTORIES), None)
    return workspace.joinpath(*parts[:depth]) if depth else None


def _tracked_companions(target: Path, workspace: Path, environment: Mapping[str, str]) -> bytes:
    """A script is little without its library: a project that ships its tools ships that as well."""
    tools = _tool_directory(target, workspace)
    repository = find_repository(workspace, environment) if tools else None
    if repository is None or tools is None:
        return b""
    return hashlib.sha256(repository.tracked_below(tools)).digest()


def _is_library(directory: Path) -> bool:
    return directory.as_posix().endswith(tuple(f"/{tail}" for tail in _LIBRARIES))


def _is_tool(file: Path, names: set[str]) -> bool:
    return _is_library(file) or (file.is_file() and (file.name in names or file.stem in names))


def _tool_files(workspace: Path) -> Iterator[Path]:
    """What lies in tool directories, not too deep."""
    for directory, inner, _ in os.walk(workspace):
        here = Path(directory)
        for first, second in sorted(_PROGRAM_PLACES):
            place = here / first / second
            if place.is_dir():
                yield from place.iterdir()
        yield from (here / library for library in _LIBRARIES if (here / library).is_dir())
        is_deep = len(here.relative_to(workspace).parts) >= _DEEPEST
        inner[:] = [] if is_deep else [name for name in inner if name not in _TOOL_DIRECTORIES and name[0] != "."]

"""Where a server's project begins for a file.

Above: ``pool.routing``. Below: ``markers``, ``modules``, ``spec`` and ``places``.
"""

from pathlib import Path
from typing import NamedTuple

from groundwire import places
from groundwire.errors import InvalidArgument
from groundwire.registry.markers import directories_up, first_marker, shown
from groundwire.registry.modules import top_module
from groundwire.registry.spec import ServerSpec


class Root(NamedTuple):
    """Where, and why there."""

    directory: Path
    why: str
    tier: int = 0
    """Which tier of markers decided, from 1; 0: none has any."""


def find_root(spec: ServerSpec, file: Path, workspace: Path) -> Root:
    """The root and why: the nearest marker of the first tier that has any, inside the workspace; else the workspace.

    Never the home directory nor that of the whole machine: a server rooted there would read everything.
    """
    candidates = [directory for directory in directories_up(file.parent, workspace) if not is_too_wide(directory)]
    for number, tier in enumerate(spec.roots, 1):
        for directory in candidates:
            marker = first_marker(directory, tier)
            if marker is not None:
                return Root(*_whole_project(directory, marker, workspace), number)
    if not is_too_wide(workspace):
        return Root(workspace, "the workspace, for no marker lies in it")
    return Root(_own_directory(file), "the file's own directory, for the workspace is too wide to be a root")


def _whole_project(directory: Path, marker: str, workspace: Path) -> tuple[Path, str]:
    top = top_module(directory, marker, workspace)
    if top == directory or is_too_wide(top):
        return directory, f"the nearest {shown(marker)}"
    return top, f"the {shown(marker)} that lists the module of the nearest one"


def is_too_wide(directory: Path) -> bool:
    """Whether the directory holds far more than a project."""
    return places.is_too_wide(str(directory))


def _own_directory(file: Path) -> Path:
    if is_too_wide(file.parent):
        raise InvalidArgument(
            f"{file} lies in no project: a language server is never rooted at {file.parent}",
            hint="Put the file in a directory of its own.",
        )
    return file.parent

"""Paths that an agent names and that must lie in the workspace, links followed.

Above: the operations that take a directory or tell of files. Below: the file system.
"""

from pathlib import Path

from groundwire.errors import FileNotFound, InvalidArgument, OutsideWorkspace
from groundwire.operations.files.paths import shortened


def path_inside(named: str, workspace: Path) -> Path:
    """The absolute path of what is named, be it there or not. Raises OutsideWorkspace, or FileNotFound for no path."""
    # Servers compare real paths, so the directory is resolved; a file that is a link keeps its own name.
    try:
        absolute = workspace / named
        path = absolute.parent.resolve() / absolute.name
        path.exists()  # for its errors: whoever looks at the path afterwards meets none
        is_inside = path.is_relative_to(workspace) and path.resolve().is_relative_to(workspace)
    except (OSError, ValueError, RuntimeError) as problem:  # too long, a zero byte, links in a circle
        raise FileNotFound(f"{shortened(named)!a} can be no path: {type(problem).__name__}") from None
    if not is_inside:
        raise OutsideWorkspace(f"{shortened(named)} is outside the workspace", hint=f"The workspace is {workspace}.")
    return path


def directory_inside(named: str, workspace: Path) -> Path:
    """A directory that is there; the workspace where none is named. Raises as ``path_inside``, or InvalidArgument."""
    directory = path_inside(named, workspace).resolve() if named else workspace
    if not directory.exists():
        raise FileNotFound(f"there is no directory {shortened(named)}")
    if not directory.is_dir():
        raise InvalidArgument(f"{shortened(named)} is not a directory", hint="Name a directory of the workspace.")
    return directory

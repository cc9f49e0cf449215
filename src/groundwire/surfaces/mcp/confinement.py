"""Files that a surface may not look at: those outside the workspace.

Above: ``calls``, ``resources``. Below: the file system.
"""

from pathlib import Path

from groundwire.errors import FileNotFound, OutsideWorkspace
from groundwire.operations.operation import Arguments


def require_inside(arguments: Arguments, workspace: Path) -> None:
    """Raise OutsideWorkspace when the file that is named, or what it links to, is elsewhere."""
    named = getattr(arguments, "file_path", "")
    if isinstance(named, str) and named:
        require_path_inside(workspace / named, workspace)


def require_path_inside(path: Path, workspace: Path) -> None:
    """Raise OutsideWorkspace when the path, or what it links to, is elsewhere; FileNotFound when it can be no path."""
    try:
        is_inside = path.resolve().is_relative_to(workspace)
    except (OSError, ValueError, RuntimeError) as problem:  # too long, a zero byte, links in a circle
        raise FileNotFound(f"{path.name[:200]!a} is no file: {type(problem).__name__}") from None
    if not is_inside:
        raise OutsideWorkspace(f"{path} is outside the workspace", hint="Name a file of the workspace.")


def is_there(path: Path) -> bool:
    """Whether anything has that name, which may be no name at all."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False

"""Files that a surface may not look at: those outside the workspace.

Above: ``calls``, ``resources``. Below: the file system.
"""

from pathlib import Path

from groundwire.errors import OutsideWorkspace
from groundwire.operations.operation import Arguments


def require_inside(arguments: Arguments, workspace: Path) -> None:
    """Raise OutsideWorkspace when the file that is named, or what it links to, is elsewhere."""
    named = getattr(arguments, "file_path", "")
    if isinstance(named, str) and named:
        require_path_inside(workspace / named, workspace)


def require_path_inside(path: Path, workspace: Path) -> None:
    """Raise OutsideWorkspace when the path, or what it links to, is elsewhere."""
    if not path.resolve().is_relative_to(workspace):
        raise OutsideWorkspace(f"{path} is outside the workspace", hint="Name a file of the workspace.")

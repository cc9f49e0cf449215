"""How files are named to people and agents: relative to the workspace, absolute outside it.

Above: the operations. Below: the file system.
"""

from pathlib import Path

from groundwire.errors import FileNotFound, NotAFile


def shown_path(file: Path, workspace: Path) -> str:
    """The name to show, with forward slashes."""
    try:
        return file.relative_to(workspace).as_posix()
    except ValueError:
        return file.as_posix()


def existing_file(path: Path, workspace: Path) -> Path:
    """The absolute path of a file that is there. Raises FileNotFound or NotAFile."""
    # Servers compare real paths, so the directory is resolved; a file that is a link keeps its own name.
    absolute = workspace / path
    file = absolute.parent.resolve() / absolute.name
    if file.is_file():
        return file
    if file.exists():
        raise NotAFile(f"{path} is not a file")
    raise FileNotFound(f"{path} does not exist")

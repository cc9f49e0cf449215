"""How files are named to people and agents: relative to the workspace, absolute outside it.

Above: the operations. Below: the file system.
"""

import os
from collections.abc import Iterable
from pathlib import Path, PurePath

from groundwire.errors import FileNotFound, InvalidArgument, NotAFile
from groundwire.protocol.names import meant

_MOST_SHOWN = 200


def shown_path(file: Path, workspace: Path) -> str:
    """The name to show, with forward slashes."""
    try:
        return file.relative_to(workspace).as_posix()
    except ValueError:
        return file.as_posix()


def meant_path(named: str, here: Path) -> str:
    """The path that is named. One that is no text is given as it was shown, and is told by what there is; where nothing
    is, by its letters. Raises InvalidArgument where both are there."""
    if "\\x" not in named or os.name == "nt":
        return named
    found = PurePath()
    for part in PurePath(named).parts:
        odd = meant(part)
        is_odd = odd != part and os.path.lexists(here / found / odd)
        if is_odd and os.path.lexists(here / found / part):
            hint = "Rename one of them."
            raise InvalidArgument(f"there are two names that are shown as {found / part}", hint=hint)
        found /= odd if is_odd else part
    return str(found)


def existing_file(path: Path, workspace: Path) -> Path:
    """The absolute path of a file that is there. Raises FileNotFound or NotAFile."""
    return _there(located(path, workspace), path)


def existing_files(paths: Iterable[Path], workspace: Path) -> list[Path]:
    """As ``existing_file``; a directory that holds several of them is resolved once."""
    places: dict[str, str] = {}
    files: list[Path] = []
    for path in paths:
        absolute = path if path.is_absolute() else workspace / path
        parent, name = os.path.split(absolute)
        if parent not in places:
            places[parent] = str(located(absolute, workspace).parent)
        files.append(_there(absolute if places[parent] == parent else Path(places[parent], name), path))
    return files


def _there(file: Path, named: Path) -> Path:
    try:
        if os.path.isfile(file):  # noqa: PTH113 - every question does this: a third of ``is_file``
            return file
        if file.exists():
            raise NotAFile(f"{named} is not a file")
    except OSError as error:  # a name that no file can have
        raise FileNotFound(f"{shortened(str(named))} does not exist: {error.strerror}") from error
    raise FileNotFound(f"{named} does not exist")


def is_directory(path: Path) -> bool:
    """Whether it is one; of what can be no name of a file it is not."""
    try:
        return path.is_dir()
    except OSError:
        return False


def located(path: Path, workspace: Path) -> Path:
    """The absolute path of what may be a file, be it there or not. Raises FileNotFound for what can be no path."""
    # Servers compare real paths, so the directory is resolved; a file that is a link keeps its own name.
    absolute = workspace / path
    try:
        return Path(os.path.realpath(absolute.parent), absolute.name)  # every question does this: half of ``resolve``
    except (OSError, ValueError, RuntimeError) as problem:  # too long, a zero byte, links in a circle
        raise FileNotFound(f"{shortened(str(path))!a} can be no file: {type(problem).__name__}") from None


def shortened(name: str) -> str:
    """A name of a length that can be shown."""
    return name if len(name) <= _MOST_SHOWN else f"{name[:_MOST_SHOWN]}…"

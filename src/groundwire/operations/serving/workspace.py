"""Which directory is worked in.

Above: ``surfaces``. Below: ``places``.
"""

from pathlib import Path

from groundwire.errors import FileNotFound, InvalidArgument
from groundwire.places import repository_of


def find_workspace(root: Path | None, first_file: Path, here: Path) -> Path:
    """The directory that was named; else the git repository round ``here`` or round the file; else ``here``.

    Where ``here`` does not hold the file, its own directory is taken. ``first_file`` and ``here`` are absolute.
    """
    if root is not None:
        return _named(root, here)
    for start in (here, first_file.parent):
        repository = _repository(start)
        if repository is not None and first_file.is_relative_to(repository):
            return repository
    return here if first_file.is_relative_to(here) else first_file.parent


def _named(root: Path, here: Path) -> Path:
    directory = (here / root).resolve()
    if not directory.exists():
        raise FileNotFound(f"there is no directory {root}")
    if not directory.is_dir():
        raise InvalidArgument(f"{root} is not a directory", hint="Name the directory of the project.")
    return directory


def _repository(start: Path) -> Path | None:
    found = repository_of(str(start))
    return Path(found) if found is not None else None

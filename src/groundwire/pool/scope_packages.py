"""The sources below a root, and which of them belong together: a package, and the packages that it imports.

Only names and the beginnings of files are read. A place is written from the root, a directory with a slash at its end.
Above: ``scope``. Below: ``watcher`` (its skip list).
"""

import io
import os
import re
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path

from groundwire.pool.tree import EVERY_DOT_DIRECTORY
from groundwire.pool.watcher import DEFAULT_SKIP

_MARKER = "__init__.py"
_LARGEST_PACKAGE = 1_000
"""Files; of a larger one only the part that a file is in."""
_MOST_READ = 500
_HEAD = 8192
"""Of each file: that is where imports are."""
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*))", re.MULTILINE
)


class SourceTree:
    """Looked at only as far as is needed, and each place once: a workspace may hold any number of files."""

    def __init__(self, root: str, endings: Collection[str]) -> None:
        self.root = root
        self._endings = tuple(endings)
        self._sizes: dict[str, int] = {}
        self._directories: dict[str, bool] = {}

    def holds_more_than(self, number: int) -> bool:
        """Whether there are more sources than that."""
        return self._count("", number) > number

    def holds(self, path: str) -> bool:
        """Whether the file is, or would be, one of them."""
        return path.startswith(f"{self.root}/") and path.endswith(self._endings)

    def size(self, place: str) -> int:
        """How many sources a place holds; of one that is larger than a package may be, only that it is."""
        if not place.endswith("/"):
            return 1
        if place not in self._sizes:
            self._sizes[place] = self._count(place.removesuffix("/"), _LARGEST_PACKAGE)
        return self._sizes[place]

    def package_of(self, file: str) -> str:
        """The place that a file, written from the root, belongs to."""
        directory = _above(file)
        if not directory or self.size(f"{directory}/") > _LARGEST_PACKAGE:
            return file
        while (above := _above(directory)) and self._is_package(directory) and self._is_package(above):
            if self.size(f"{above}/") > _LARGEST_PACKAGE:
                break
            directory = above
        return f"{directory}/"

    def imported_by(self, place: str) -> set[str]:
        """The other places that the sources of a place import from."""
        modules: set[tuple[str, str]] = set()
        for file in self._sources_in(place):
            directory = _above(file)
            for module in _imports(f"{self.root}/{file}"):
                modules.add((directory if module.startswith(".") else "", module))
        bases = {"", "src", _above(place.removesuffix("/"))}
        found: set[str] = set()
        for directory, module in modules:
            found |= self._places_of(directory, module, bases)
        return found - {place}

    def _places_of(self, directory: str, module: str, bases: Collection[str]) -> set[str]:
        name = module.lstrip(".")
        for _ in range(len(module) - len(name) - 1):
            directory = _above(directory)
        names = name.split(".") if name else []
        files = (self._file_of(base, names) for base in ({directory} if name != module else bases))
        return {self.package_of(each) for each in files if each}

    def _file_of(self, base: str, names: list[str]) -> str:
        """A file of the module, whether there is such a file or not; empty where no directory of that name is."""
        place = base
        for name in names:
            below = f"{place}/{name}" if place else name
            if not self._is_directory(below):
                break
            place = below
        if place != base or not names:
            return f"{place}/{_MARKER}" if place else ""
        module = f"{base}/{names[0]}.py" if base else f"{names[0]}.py"
        return module if Path(self.root, module).exists() else ""

    def _is_directory(self, place: str) -> bool:
        if place not in self._directories:
            self._directories[place] = Path(self.root, place).is_dir()
        return self._directories[place]

    def _is_package(self, directory: str) -> bool:
        return Path(self.root, directory, _MARKER).exists()

    def _sources_in(self, place: str) -> Iterator[str]:
        if not place.endswith("/"):
            return iter((place,))
        files = (f"{directory}/{name}" for directory, names in self._walk(place.removesuffix("/")) for name in names)
        return islice(files, _MOST_READ)

    def _count(self, start: str, enough: int) -> int:
        found = 0
        for _, names in self._walk(start):
            found += len(names)
            if found > enough:
                break
        return found

    def _walk(self, start: str) -> Iterator[tuple[str, list[str]]]:
        """Each directory from there on, and the names of its sources."""
        waiting, endings = [start], self._endings
        while waiting:
            directory = waiting.pop()
            names: list[str] = []
            try:
                with os.scandir(f"{self.root}/{directory}") as entries:
                    for entry in entries:
                        name = entry.name
                        if name.endswith(endings):  # by far the most, and asking what it is takes longest
                            names.append(name)
                        elif not _is_skipped(name) and entry.is_dir(follow_symlinks=False):
                            waiting.append(f"{directory}/{name}" if directory else name)
            except OSError:  # gone, or not ours to read: the server does not read it either
                continue
            yield directory, names


def _above(place: str) -> str:
    return place.rpartition("/")[0]


def _is_skipped(name: str) -> bool:
    return name in DEFAULT_SKIP or (EVERY_DOT_DIRECTORY in DEFAULT_SKIP and name.startswith("."))


def _imports(path: str) -> Iterator[str]:
    try:
        with io.FileIO(path) as file:
            head = file.read(_HEAD)
    except OSError:
        return
    for match in _IMPORT.finditer(head):
        for module in (match[1] or match[2]).split(b","):
            yield module.strip().decode("utf-8", "replace")

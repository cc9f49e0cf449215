"""The sources below a root, counted, and which of them belong together: a package, and the packages that it imports.

Only names and the beginnings of files are read. A place is written from the root, a directory with a slash at its end.
Above: ``scope``. Below: ``watcher`` (its skip list).
"""

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from groundwire.pool.tree import EVERY_DOT_DIRECTORY
from groundwire.pool.watcher import DEFAULT_SKIP

_MARKER = "__init__.py"
_LARGEST_PACKAGE = 1_000
"""Files; of a larger one only the part that a file is in."""
_MOST_ENTRIES = 500_000
_MOST_READ = 500
_HEAD = 8192
"""Of each file: that is where imports are."""
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*))", re.MULTILINE
)


class SourceTree:
    """As it was when it was counted; what is new since belongs to the directory that it is in."""

    def __init__(self, root: str, endings: Collection[str]) -> None:
        self.root = root
        self._endings = frozenset(endings)
        self._sizes: dict[str, int] = {"": 0}
        self._packages: set[str] = set()
        self._count()

    @property
    def total(self) -> int:
        """All of them."""
        return self._sizes[""]

    def is_source(self, name: str) -> bool:
        """By its ending."""
        return name[name.rfind(".") :] in self._endings

    def size(self, place: str) -> int:
        """How many sources a place holds."""
        return self._sizes.get(place.removesuffix("/"), 0) if place.endswith("/") else 1

    def package_of(self, file: str) -> str:
        """The place that a file, written from the root, belongs to."""
        directory = _above(file)
        if not directory or self._sizes.get(directory, 0) > _LARGEST_PACKAGE:
            return file
        while directory in self._packages:
            above = _above(directory)
            if not above or above not in self._packages or self._sizes[above] > _LARGEST_PACKAGE:
                break
            directory = above
        return f"{directory}/"

    def imported_by(self, place: str) -> set[str]:
        """The other places that the sources of a place import from."""
        bases = {"", _above(place.removesuffix("/"))} | ({"src"} & self._sizes.keys())
        found: set[str] = set()
        for file in self._sources_in(place):
            for module in _imports(f"{self.root}/{file}"):
                found |= self._places_of(module, file, bases)
        return found - {place}

    def _places_of(self, module: str, file: str, bases: Collection[str]) -> set[str]:
        name = module.lstrip(".")
        if name != module:
            base = file
            for _ in range(len(module) - len(name)):
                base = _above(base)
            bases = {base}
        places = (self._resolved(base, name.split(".") if name else []) for base in bases)
        return {self.package_of(each) for each in places if each}

    def _resolved(self, base: str, names: list[str]) -> str:
        """A file of the module, whether there is such a file or not; empty where no directory of that name is."""
        place = base
        for name in names:
            below = f"{place}/{name}" if place else name
            if below not in self._sizes:
                break
            place = below
        if place != base or not names:
            return f"{place}/{_MARKER}" if place else ""
        module = f"{base}/{names[0]}.py" if base else f"{names[0]}.py"
        return module if Path(self.root, module).exists() else ""

    def _sources_in(self, place: str) -> Iterator[str]:
        if not place.endswith("/"):
            yield place
            return
        read = 0
        for directory, names in _walk(self.root, place.removesuffix("/")):
            for name in filter(self.is_source, names):
                read += 1
                if read > _MOST_READ:
                    return
                yield f"{directory}/{name}"

    def _count(self) -> None:
        own: dict[str, int] = {}
        for directory, names in _walk(self.root, ""):
            own[directory] = sum(map(self.is_source, names))
            if _MARKER in names:
                self._packages.add(directory)
        self._sizes.update(own)
        for directory in sorted(own, key=len, reverse=True):
            if directory:
                above = _above(directory)
                self._sizes[above] = self._sizes.get(above, 0) + self._sizes[directory]


def _walk(root: str, start: str) -> Iterator[tuple[str, list[str]]]:
    """Each directory from the root, and the names of its files."""
    waiting, seen = [start], 0
    while waiting and seen < _MOST_ENTRIES:
        directory = waiting.pop()
        names: list[str] = []
        try:
            with os.scandir(f"{root}/{directory}") as entries:
                for entry in entries:
                    seen += 1
                    if not entry.is_dir(follow_symlinks=False):
                        names.append(entry.name)
                    elif not _is_skipped(entry.name):
                        waiting.append(f"{directory}/{entry.name}" if directory else entry.name)
        except OSError:  # gone, or not ours to read: the server does not read it either
            continue
        yield directory, names


def _above(place: str) -> str:
    return place.rpartition("/")[0]


def _is_skipped(name: str) -> bool:
    return name in DEFAULT_SKIP or (EVERY_DOT_DIRECTORY in DEFAULT_SKIP and name.startswith("."))


def _imports(path: str) -> Iterator[str]:
    try:
        with Path(path).open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return
    for match in _IMPORT.finditer(head):
        for module in (match[1] or match[2]).split(b","):
            yield module.strip().decode("utf-8", "replace")

"""The sources below a root, and which of them belong together: a package, and the packages that it imports.

Names are taken from what the watcher has seen, and only the beginnings of files are read. A place is written from the
root, a directory with a slash at its end. Above: ``scope``. Below: ``tree``.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator
from itertools import islice

from groundwire.client.disk import OPEN_FOR_READING
from groundwire.pool.tree import Directory

_MARKER = "__init__.py"
_LARGEST_PACKAGE = 1_000
"""Files; of a larger one only the part that a file is in."""
_MOST_READ = 500
_HEAD = 8192
"""Of each file: that is where imports are."""
_WORD = b"import"
"""Found by itself and then looked at more closely: lines are many, and few of them have it."""
_IMPORT = re.compile(rb"[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*))")


class SourceTree:
    """Looked at only as far as is needed: a workspace may hold any number of files.

    ``seen`` is what is known of the root; nothing where nobody watches it.
    """

    def __init__(self, root: str, endings: Collection[str], seen: Callable[[], Directory | None]) -> None:
        self.root = root
        self._endings = tuple(endings)
        self._seen = seen
        self._top: Directory | None = None

    def holds_more_than(self, number: int) -> bool:
        """Whether there are more sources than that."""
        return self._count("", number) > number

    def holds(self, path: str) -> bool:
        """Whether the file is, or would be, one of them."""
        return path.startswith(f"{self.root}/") and path.endswith(self._endings)

    def size(self, place: str) -> int:
        """How many sources a place holds; of one that is larger than a package may be, only that it is."""
        return self._count(place.removesuffix("/"), _LARGEST_PACKAGE) if place.endswith("/") else 1

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
        files = {file for directory, module in modules for file in self._files_of(directory, module, bases)}
        return {self.package_of(file) for file in files} - {place}

    def _files_of(self, directory: str, module: str, bases: Collection[str]) -> Iterator[str]:
        name = module.lstrip(".")
        for _ in range(len(module) - len(name) - 1):
            directory = _above(directory)
        names = name.split(".") if name else []
        return filter(None, (self._file_of(base, names) for base in ({directory} if name != module else bases)))

    def _file_of(self, base: str, names: list[str]) -> str:
        """A file of the module, whether there is such a file or not; empty where no directory of that name is."""
        place, directory = base, self._seen_at(base)
        for name in names:
            below = directory.directories.get(name) if directory is not None else None
            if below is None:
                break
            place, directory = f"{place}/{name}" if place else name, below
        if place != base or not names:
            return f"{place}/{_MARKER}" if place else ""
        module = f"{names[0]}.py"
        is_there = directory is not None and module in directory.files
        return (f"{base}/{module}" if base else module) if is_there else ""

    def _is_package(self, place: str) -> bool:
        directory = self._seen_at(place)
        return directory is not None and _MARKER in directory.files

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
        top, endings = self._seen_at(start), self._endings
        waiting = [(start, top)] if top is not None else []
        while waiting:
            place, directory = waiting.pop()
            yield place, [name for name in directory.files if name.endswith(endings)]
            prefix = f"{place}/" if place else ""
            waiting += [(prefix + name, below) for name, below in directory.directories.items()]

    def _seen_at(self, place: str) -> Directory | None:
        if self._top is None or not self._top.is_known:
            self._top = self._seen()
        return self._top.below(filter(None, place.split("/"))) if self._top is not None else None


def _above(place: str) -> str:
    return place.rpartition("/")[0]


def _imports(path: str) -> Iterator[str]:
    try:
        head = _head(path)
    except OSError:
        return
    at = head.find(_WORD)
    while at >= 0:
        line = head.rfind(b"\n", 0, at) + 1
        if (match := _IMPORT.match(head, line)) is not None:
            for module in (match[1] or match[2]).split(b","):
                yield module.strip().decode("utf-8", "replace")
        end = head.find(b"\n", at)
        at = head.find(_WORD, end) if end >= 0 else -1


def _head(path: str) -> bytes:
    descriptor = os.open(path, OPEN_FOR_READING)
    try:
        return os.read(descriptor, _HEAD)
    finally:
        os.close(descriptor)

"""What is installed where a server looks for packages: whether that has changed is found out before every question.

Nothing watches these directories, for they hold more files than all the rest: their own times tell, in a microsecond
each, that something happened there, and what they hold whether it matters. Above: ``instance``. Below: ``links``,
``registry.package_places``.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from groundwire.pool.links import Links, entries_of
from groundwire.pool.tree import Directory
from groundwire.registry.outside_sources import directories_named_in, leads_elsewhere
from groundwire.registry.package_places import NODE_PACKAGES, RECORDS
from groundwire.workspace.changes import FileChange

_MANIFEST = "package.json"
_DECIDING = (f"/{_MANIFEST}", "/go.mod", "/go.work")
_MOST_NESTED = 200
_SITES = ("/site-packages", "/dist-packages")

State = tuple[int, ...] | frozenset[tuple[str, int]] | None


class Installed:
    """As it was when a server began to read it. ``find`` names the places, there or not, and ``find_sources`` packages
    that are used where they are written.
    """

    def __init__(
        self, find: Callable[[], Sequence[str]], find_sources: Callable[[], Sequence[str]] = lambda: ()
    ) -> None:
        self._find = find
        self._find_sources = find_sources
        self._stamps: dict[str, tuple[int, ...] | None] = {}
        self._states: dict[str, State] = {}
        self.links = Links(())
        """Among the packages, to what lies elsewhere."""
        self.sources: frozenset[str] = frozenset()
        """Directories out of the packages that hold some of them: linked, or installed where they are written."""
        self.look()

    def look(self) -> bool:
        """What is there now counts as known from now on. Whether it is other than what was known before."""
        places = self._find()
        packages = [place for place in places if place.endswith(f"/{NODE_PACKAGES}")]
        places = [*places, *(scope for place in packages for scope in _unrecorded_scopes(place))]
        before = self._states
        self._stamps = {place: _stamp(place) for place in places}  # first: what comes after is seen to be other
        self._states = {place: _state(place) for place in places}
        self.links = Links(_links_in(packages))
        sites = (place for place in places if place.endswith(_SITES))
        named = (each for site in sites for each in _named_in(site))
        self.sources = frozenset([*self.links.targets, *named, *self._find_sources()])
        return any(before[place] != state for place, state in self._states.items() if place in before)

    def has_changed(self) -> bool:
        """Whether a package was installed, replaced or removed since it was last looked at."""
        return any(_stamp(place) != stamp and self._differs(place) for place, stamp in list(self._stamps.items()))

    def _differs(self, place: str) -> bool:
        stamp, state = _stamp(place), _state(place)
        if state == self._states[place]:  # a cache beside the packages, for one
            self._stamps[place] = stamp
            return False
        return True

    def needs_look(self, changes: Iterable[FileChange]) -> bool:
        """Whether there may be other places now."""
        return any(change.path.endswith(_DECIDING) for change in changes)


def nested_packages(root: Directory | None) -> list[str]:
    """Directories below a root that are packages of their own."""
    found: list[str] = []
    pending = list(root.directories.values()) if root is not None else []
    while pending and len(found) < _MOST_NESTED:
        directory = pending.pop()
        if _MANIFEST in directory.files:
            found.append(directory.path)
        pending += directory.directories.values()
    return found


def _stamp(place: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(place)  # noqa: PTH116  for every question, and a Path costs more
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_ino, found.st_size)


def _state(place: str) -> State:
    """The entries of a directory by name and inode, caches left out; of a file its stamp."""
    try:
        with os.scandir(place) as entries:
            return frozenset((entry.name, entry.inode()) for entry in entries if _is_package(entry.name))
    except NotADirectoryError:
        return _stamp(place)
    except OSError:
        return None


def _is_package(name: str) -> bool:
    return not name.startswith(".") and name != "__pycache__"


def _unrecorded_scopes(packages: str) -> Iterator[str]:
    """Directories of packages among the packages, where no installer writes down what it does to them."""
    if any(_stamp(f"{packages}/{name}") for name in RECORDS):
        return
    yield from (entry.path for entry in entries_of(packages) if entry.name.startswith("@"))


def _named_in(site: str) -> Iterator[str]:
    for entry in entries_of(site):
        if leads_elsewhere(entry.name):
            yield from map(str, directories_named_in(Path(entry.path)))


def _links_in(packages: Iterable[str]) -> Iterator[str]:
    for directory in packages:
        scopes = [entry.path for entry in entries_of(directory) if entry.name.startswith("@")]
        for entry in (entry for place in (directory, *scopes) for entry in entries_of(place) if entry.is_symlink()):
            # Most lead from one place among the packages to another.
            if f"/{NODE_PACKAGES}/" not in os.path.realpath(entry.path):
                yield entry.path

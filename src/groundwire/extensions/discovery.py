"""Which extensions are installed: the entry points of their group, in the order of the path.

Looking through the metadata of every package takes long to load and to do, and most people have no extension at all: so
first the names of the group are looked for in the files, which takes a few milliseconds.
Above: ``loading``. Below: ``contract``, the standard library.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from groundwire.extensions.contract import GROUP

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_METADATA = (".dist-info", ".egg-info")
_MARK = f"[{GROUP}]".encode()


class Candidate(NamedTuple):
    """An extension that was not loaded yet. ``load`` imports it, and raises whatever its code raises."""

    name: str
    distribution: str
    version: str
    load: Callable[[], object]


def find_candidates(path: Iterable[str] | None = None) -> list[Candidate]:
    """All of them, by name. Of a name that two packages have, both."""
    if not may_be_any(sys.path if path is None else path):
        return []
    # A module of this weight is loaded only where there is something to be found.
    metadata = import_module("importlib.metadata")
    points = cast("Iterable[EntryPoint]", metadata.entry_points(group=GROUP))
    return sorted(map(_candidate, points), key=lambda each: (each.name, each.distribution))


def may_be_any(path: Iterable[str]) -> bool:
    """Whether a package on the path has entry points of the group; also where that cannot be seen so cheaply."""
    return any(_is_archive(entry) or _holds_any(entry) for entry in dict.fromkeys(path))


def _is_archive(entry: str) -> bool:
    return os.path.isfile(entry)  # noqa: PTH113  the path of Python is made of strings


def _holds_any(entry: str) -> bool:
    return any(_MARK in content for content in _entry_points(entry or os.curdir))


def _entry_points(directory: str) -> Iterator[bytes]:
    try:
        with os.scandir(directory) as entries:
            found = [entry.path for entry in entries if entry.name.endswith(_METADATA)]
    except OSError:  # not there, or not ours to read: nothing can be imported from it either
        return
    for each in found:
        try:
            with open(f"{each}/entry_points.txt", "rb") as file:  # noqa: PTH123
                yield file.read()
        except OSError:  # most packages have none
            continue


def _candidate(point: "EntryPoint") -> Candidate:
    dist = point.dist
    return Candidate(point.name, dist.name if dist else "", dist.version if dist else "", point.load)

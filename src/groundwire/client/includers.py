"""Who takes in the text of a changed file, and of whom they do so in turn, found by reading: ``#include`` and the like.

A server that keeps what it has read of closed files goes by the files they included as those were then.
Above: ``ask``. Below: ``disk``.
"""

import os
import re
from collections.abc import Collection, Container, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from groundwire.client.disk import read_source
from groundwire.errors import GroundwireError

_MOST_FILES = 20_000
_SKIPPED = frozenset({"__pycache__", "node_modules"})

Included = Mapping[str, frozenset[str]]
"""By file: the names that it includes, each without its directories."""


class Includers(NamedTuple):
    """``files`` include a changed one, be it through others. None: there are too many files to look through."""

    files: tuple[str, ...] | None
    included: Included


class Inclusion(NamedTuple):
    """How files include others, and which files are looked at."""

    root: Path
    pattern: str
    """Its first group is what is included."""
    endings: Container[str]
    max_size: int


def find_includers(inclusion: Inclusion, changed: Collection[str], known: Included) -> Includers:
    """Look through all files of the root; what is ``known`` of one is taken for true, unless it has changed."""
    paths = _files_below(inclusion.root)
    if paths is None:
        return Includers(None, known)
    wanted = {path for path in paths if os.path.splitext(path)[1] in inclusion.endings}  # noqa: PTH122  thousands
    included: dict[str, frozenset[str]] = {}
    pattern = re.compile(inclusion.pattern, re.MULTILINE)
    while wanted:
        for path in wanted:
            is_known = path in known and path not in changed
            included[path] = known[path] if is_known else _included_by(path, pattern, inclusion.max_size)
        # What is included may have any ending, or none.
        names = frozenset[str]().union(*(included[path] for path in wanted))
        wanted = {path for path in paths if path not in included and _name(path) in names}
    return Includers(tuple(_reaching({_name(path) for path in changed}, included)), included)


def _reaching(names: set[str], included: Included) -> Iterator[str]:
    """The files that include one of these names, and those that include them."""
    found: set[str] = set()
    while names:
        more = {path for path, theirs in included.items() if path not in found and not names.isdisjoint(theirs)}
        found |= more
        names = {_name(path) for path in more}
    yield from sorted(found)


def _files_below(root: Path) -> list[str] | None:
    paths: list[str] = []
    for directory, below, files in os.walk(root):
        below[:] = [name for name in below if not name.startswith(".") and name not in _SKIPPED]
        paths += [os.path.join(directory, name) for name in files]  # noqa: PTH118  thousands of them
        if len(paths) > _MOST_FILES:
            return None
    return paths


def _included_by(path: str, pattern: re.Pattern[str], max_size: int) -> frozenset[str]:
    try:
        text = read_source(path, max_size)
    except GroundwireError:  # gone, or no text
        return frozenset()
    return frozenset(_name(found[1].replace("\\", "/")) for found in pattern.finditer(text))


def _name(path: str) -> str:
    return path.replace(os.sep, "/").rpartition("/")[2]

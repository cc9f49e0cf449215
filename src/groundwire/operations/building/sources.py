"""Which file of the user's a tool means: names in all their forms, and the frames of a stack that are the project's.

Above: the readers. Below: the file system.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from groundwire.operations.building.model import Problem
from groundwire.operations.files.paths import shown_path

_FOREIGN = frozenset({"node_modules", "site-packages", "dist-packages", ".venv", "venv", "vendor", ".tox"})
FRAME = re.compile(
    r"(?P<url>file://)?(?P<file>(?:[A-Za-z]:)?[^\s:()\[\]'\"`<>|]+\.\w+)(?::(?P<line>\d+)(?::(?P<column>\d+))?)"
)
"""``dir/file.ext:12:5`` anywhere in a text."""
PYTHON_FRAMES = (
    re.compile(r"^(?P<file>[^\s:][^:\n]*\.py):(?P<line>\d+): ", re.MULTILINE),
    re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+)'),
)
LINE_IN_PARENTHESES = re.compile(r"(?P<file>[^\s:()'\"]+\.\w+)\((?P<line>\d+)(?:,(?P<column>\d+))?\)")
"""As MSVC, ``tsc`` and some test frameworks write it."""


class Spot(NamedTuple):
    """A place in a file of the user's, as it is shown."""

    file: str
    line: int
    column: int = 0


class Sources:
    """Names are meant from one of the bases, the first where there is such a file; ``folder`` is what the user has."""

    def __init__(self, workspace: Path, bases: Iterable[Path], folder: Path | None = None) -> None:
        self._workspace = workspace
        self._folder = folder or workspace
        self._bases = tuple(dict.fromkeys((*bases, self._folder)))
        self._known: dict[str, Path | None] = {}

    def shown(self, raw: str) -> str:
        """As it is shown, be it the user's or not."""
        found = self._find(raw)
        return shown_path(found, self._workspace) if found is not None else raw

    def own(self, raw: str) -> str:
        """As it is shown; empty when it is no file of the user's."""
        found = self._find(raw)
        if found is None or not found.is_relative_to(self._folder):
            return ""
        is_foreign = _FOREIGN.intersection(found.relative_to(self._folder).parts[:-1])
        return "" if is_foreign else shown_path(found, self._workspace)

    def spots(self, text: str, patterns: Iterable[re.Pattern[str]] = (FRAME,)) -> Iterator[Spot]:
        """Every place in a file of the user's that a text names, in its order."""
        found = sorted(
            (match for pattern in patterns for match in pattern.finditer(text)), key=lambda match: match.start()
        )
        for match in found:
            groups = match.groupdict()
            raw = unquote(groups["file"]) if groups.get("url") else groups["file"]
            name = self.own(raw)
            if name:
                yield Spot(name, int(groups["line"]), int(groups.get("column") or 0))

    def first(self, text: str, patterns: Iterable[re.Pattern[str]] = (FRAME,)) -> Spot | None:
        """The first of them: the innermost where a stack begins with the latest call."""
        return next(self.spots(text, patterns), None)

    def last(self, text: str, patterns: Iterable[re.Pattern[str]] = PYTHON_FRAMES) -> Spot | None:
        """The last of them: the innermost where a stack ends with the latest call."""
        return next(reversed(list(self.spots(text, patterns))), None)

    def find_named(self, endings: Iterable[str], directories: Iterable[str]) -> str:
        """The file that a class or a package stands in, by its path below the usual directories."""
        for ending in endings:
            for directory in directories:
                found = next(
                    (base / directory / ending for base in self._bases if (base / directory / ending).is_file()), None
                )
                if found is not None:
                    return shown_path(found, self._workspace)
        return ""

    def _find(self, raw: str) -> Path | None:
        if raw not in self._known:
            self._known[raw] = self._look_up(raw)
        return self._known[raw]

    def _look_up(self, raw: str) -> Path | None:
        name = re.sub(r"^/{2,}", "/", raw.strip())
        if not name:
            return None
        for base in self._bases:
            try:
                path = base / name
                if path.is_file():
                    return path.resolve()
            except (OSError, ValueError):  # no name of a file at all
                return None
        return None


def problem_at(spot: Spot | None, message: str, test_name: str = "", fallback: str = "") -> Problem:
    """A problem at a place, or only in a file, or nowhere in particular."""
    if spot is None:
        return Problem(message=message, file=fallback, test_name=test_name)
    return Problem(message=message, file=spot.file, line=spot.line, column=spot.column, test_name=test_name)

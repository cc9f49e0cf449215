"""What is wrong in a configuration, and where each value comes from.

Above: everything else in ``config``. Below: ``errors``.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

import msgspec

from groundwire.errors import InvalidArgument

KeyPath = tuple[str, ...]
LayerName = Literal["defaults", "user", "project", "named file", "environment", "flags"]


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong. A warning leaves out what it tells of; an error is for somebody to mend."""

    key: KeyPath
    message: str
    hint: str = ""
    file: Path | None = None
    line: int | None = None
    where: str = ""
    """For what has no file: the variable, or the flags."""
    is_error: bool = True

    def __str__(self) -> str:
        place = self.where if self.file is None else str(self.file)
        line = "" if self.line is None else f":{self.line}"
        key = f" {dotted(self.key)}:" if self.key else ""
        return " ".join(filter(None, (f"{place}{line}:{key} {self.message}.".lstrip(": "), self.hint)))


class Origin(msgspec.Struct, frozen=True):
    """Which layer a value comes from, and where in it."""

    layer: LayerName
    file: Path | None = None
    line: int | None = None
    where: str = ""

    def __str__(self) -> str:
        if self.file is None:
            return self.where or self.layer
        return str(self.file) if self.line is None else f"{self.file}:{self.line}"


def dotted(key: Iterable[str]) -> str:
    """A key path as a TOML file would have it."""
    return ".".join(part if part.replace("-", "").replace("_", "").isalnum() else f'"{part}"' for part in key)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence with the nearest known name, or none."""
    names = sorted(known)
    by_folded = {folded.lower().replace("-", "_"): folded for folded in names}
    close = get_close_matches(name.lower().replace("-", "_"), by_folded, n=1)
    return f"Did you mean {by_folded[close[0]]}?" if close else ""


def refuse(problems: Iterable[Problem]) -> None:
    """Raises InvalidArgument with all errors at once; warnings are let through."""
    errors = [problem for problem in problems if problem.is_error]
    if not errors:
        return
    count = "an error" if len(errors) == 1 else f"{len(errors)} errors"
    listed = "\n".join(f"  {problem}" for problem in errors)
    raise InvalidArgument(f"the configuration has {count}:\n{listed}", hint="Correct what is named.")

"""What was seen around a workspace: facts that make up its identity, and the paths whose stamps tell of a change.

Above: ``surroundings``, ``packages``. Below: ``content``.
"""

import os
import time
from pathlib import Path

from groundwire.cache.content import LARGEST_READ, short_hash
from groundwire.pool.tree import fingerprint

MOST_STAMPS = 4_000
"""More would take too long to look at for every question."""


class Seen:
    """Facts name the workspace and the home directory by signs, so that they are the same elsewhere."""

    def __init__(self, workspace: Path, home: Path) -> None:
        self.workspace = workspace
        self.home = home
        self.facts: list[str] = []
        self.stamps: dict[str, int] = {}
        self.unknown = ""
        """What cannot be known; the last reason."""

    def fact(self, text: str) -> None:
        """One more."""
        self.facts.append(text.replace(str(self.workspace), "{workspace}").replace(str(self.home), "~"))

    def stamp(self, path: str) -> None:
        """A change to it from now on means looking again: this comes before it is read."""
        if path not in self.stamps:
            self.stamps[path] = stamp_of(path, time.time_ns())

    def file(self, path: Path) -> None:
        """A file with its content, or that it is not there."""
        self.stamp(str(path))
        try:
            found = path.stat()
            large = f"{found.st_size} {found.st_mtime_ns}" if found.st_size > LARGEST_READ else ""
            content = large or short_hash(path.read_bytes()).hex()
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            content = f"unreadable {error.errno}"
        self.fact(f"{path} {content}")

    def is_inside(self, path: Path) -> bool:
        """Whether it lies in the workspace once links are followed."""
        try:
            return path.resolve().is_relative_to(self.workspace)
        except (OSError, RuntimeError):
            return False


def stamp_of(path: str, now: int) -> int:
    """The state of what lies there, links followed; 0 where there is nothing."""
    try:
        return fingerprint(os.stat(path), now)  # noqa: PTH116  thousands for one question, and a Path costs more
    except OSError:
        return 0

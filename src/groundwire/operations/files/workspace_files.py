"""The files of a workspace that people edit: not those of tools, not those that version control ignores, none behind a
link; directory by directory from the top, and bounded.

Above: ``survey``, ``diagnostics_scope``, ``dependents``. Below: ``ignored`` and the watcher's list of what is not
looked into.
"""

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path, PurePath

from groundwire.pool.ignored import IgnoreFile, is_ignored, read_ignore_file
from groundwire.pool.outputs import OUTPUT_NAMES, is_output
from groundwire.pool.tree import EVERY_DOT_DIRECTORY
from groundwire.pool.watcher import DEFAULT_SKIP


class WorkspaceFiles:
    """A walk. ``note`` says, once it is over, why there may be more than it gave.

    ``is_thorough``: also those that version control ignores, for compilers do not; still none that a build or an
    installation put there.
    """

    def __init__(self, workspace: Path, *, most_entries: int = 50_000, is_thorough: bool = False) -> None:
        self._workspace = workspace
        self._most = most_entries
        self._is_thorough = is_thorough
        self.note = ""

    def __iter__(self) -> Iterator[Path]:
        left = self._most
        waiting: deque[tuple[Path, tuple[IgnoreFile, ...]]] = deque([(self._workspace, ())])
        while waiting:
            directory, above = waiting.popleft()
            own = read_ignore_file(directory)
            rules = (*above, own) if own is not None else above
            for entry in _entries(directory):
                left -= 1
                if left < 0:
                    self.note = f"only the first {self._most:,} names were looked at"
                    return
                path, is_directory = Path(entry.path), entry.is_dir(follow_symlinks=False)
                if is_directory and self._enters(path, rules):
                    waiting.append((path, rules))
                elif entry.is_file(follow_symlinks=False) and self._gives(path, rules):
                    yield path

    def _enters(self, directory: Path, rules: tuple[IgnoreFile, ...]) -> bool:
        if is_of_tools(directory.name) or is_output(str(directory)):
            return False
        if self._is_thorough:
            return not (directory / "pyvenv.cfg").exists()
        return not is_ignored(directory, rules, is_directory=True)

    def _gives(self, file: Path, rules: tuple[IgnoreFile, ...]) -> bool:
        is_own = self._is_thorough and OUTPUT_NAMES.isdisjoint(file.relative_to(self._workspace).parts)
        return is_own or not is_ignored(file, rules, is_directory=False)


def is_of_tools(directory: str) -> bool:
    """Whether a directory of this name is not looked into."""
    return directory in DEFAULT_SKIP or (EVERY_DOT_DIRECTORY in DEFAULT_SKIP and directory.startswith("."))


def is_below_tools(relative: PurePath) -> bool:
    """Whether a file, relative to the workspace, lies in such a directory."""
    return any(is_of_tools(directory) for directory in relative.parts[:-1])


def _entries(directory: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:  # gone meanwhile, or not ours to read: nothing in it can be checked either
        return []

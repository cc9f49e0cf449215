"""The content of all files of a workspace as a few numbers: one for every ending, changed with every file that changes.

The numbers are sums of hashes of (path, content): two worlds with the same numbers hold the same files. A file that is
renamed, new, gone or put back needs no rule of its own. Above: ``operations.reference_cache``. Below: ``content``.

Not for several threads at once; nothing here waits for anything but the disk.
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path

from groundwire.cache.content import IsWanted, Known, look_at
from groundwire.cache.seen import stamp_of
from groundwire.edits.staging import TEMPORARY_PREFIX
from groundwire.pool.outputs import is_cache
from groundwire.pool.tree import EVERY_DOT_DIRECTORY, UNSETTLED

_ALL_SUMS = 1 << 256


class World:
    """Of one root. ``skip`` are the names of directories that the watcher does not look into."""

    def __init__(
        self, root: str, skip: frozenset[str], is_wanted: IsWanted, clock: Callable[[], int] = time.time_ns
    ) -> None:
        self._root = root
        self._skip = skip
        self._is_wanted = is_wanted
        self._clock = clock
        self._files: dict[str, Known] = {}
        self._sums: dict[str, int] = {}
        self._strays: Counter[str] = Counter()
        self._directories: dict[str, tuple[str, int]] = {}
        """Directory → its absolute path and its times."""
        self._tools: dict[str, frozenset[str]] = {}
        """Directory → the directories of tools in it, where there are any."""
        self.unsaved: dict[str, Known | None] = {}
        """What differs from what is remembered on disk."""
        self.is_stopped = False
        """Nobody waits for a scan any more."""

    def __len__(self) -> int:
        return len(self._files)

    def scan(self, remembered: Mapping[str, Known]) -> bool:
        """Look at everything; what has the remembered stamp is not read. False: it was stopped before the end."""
        self._files, self._sums, self._directories, self._tools = {}, {}, {}, {}
        self._strays.clear()
        pending = [""]
        while pending:
            directory = pending.pop()
            if self.is_stopped:
                return False
            for name, is_directory in self._list(directory):
                path = _joined(directory, name)
                if is_directory:
                    pending.append(path)
                else:
                    self._examine(path, remembered.get(path))
        self.unsaved = {path: known for path, known in self._files.items() if remembered.get(path) != known}
        self.unsaved.update((path, None) for path in remembered if path not in self._files)
        return True

    def look_again(self, paths: Iterable[str]) -> None:
        """Look at these files, absolute, whatever became of them."""
        prefix = f"{self._root}/"
        for path in paths:
            relative = path.removeprefix(prefix)
            if relative != path and not self._is_below_tools(relative):
                self._examine(relative, self._files.get(relative))
                self.unsaved[relative] = self._files.get(relative)

    def look_for_tools(self) -> bool:
        """Whether directories of tools have come or gone: no watcher tells of them."""
        changed = [each for each, (path, times) in self._directories.items() if _times(path) != times]
        if not changed:
            return False
        before = self.tool_directories()
        for directory in changed:
            self._look_for_new(directory)
        return self.tool_directories() != before

    def _look_for_new(self, directory: str) -> None:
        self._directories.pop(directory, None)
        self._tools.pop(directory, None)
        if not Path(self._absolute(directory)).is_dir():
            return
        pending = [directory]
        while pending:
            above = pending.pop()
            names = [_joined(above, name) for name, is_directory in self._list(above) if is_directory]
            pending += [name for name in names if name not in self._directories]

    def tool_directories(self) -> frozenset[str]:
        """Those that the watcher does not look into."""
        return frozenset(_joined(above, name) for above, names in self._tools.items() for name in names)

    @property
    def directory_count(self) -> int:
        """How many are looked at."""
        return len(self._directories)

    def state(self, is_relevant: IsWanted) -> bytes | None:
        """All content that is relevant, by kinds of file; None when some of it leads out of the workspace."""
        kinds = sorted(kind for kind, total in self._sums.items() if total and is_relevant(kind))
        if any(self._strays[kind] for kind in kinds):
            return None
        digest = blake2b(digest_size=32)
        for kind in kinds:
            digest.update(f"{kind}\0".encode("utf-8", "surrogateescape"))
            digest.update(self._sums[kind].to_bytes(32))
        return digest.digest()

    def content_of(self, relative: str) -> bytes | None:
        """The hash of one file."""
        known = self._files.get(relative)
        return known.content if known is not None else None

    def _examine(self, path: str, before: Known | None) -> None:
        name = path.rpartition("/")[2]
        if name.startswith(TEMPORARY_PREFIX) or not self._is_wanted(name):
            return
        known = self._files.pop(path, None)
        if known is not None:
            self._count(path, name, known, -1)
        now = look_at(self._root, path, self._clock(), before)
        if now is not None:
            self._files[path] = now
            self._count(path, name, now, 1)

    def _count(self, path: str, name: str, known: Known, times: int) -> None:
        kind = kind_of(name)
        single = blake2b(path.encode("utf-8", "surrogateescape") + b"\0" + known.content, digest_size=32).digest()
        self._sums[kind] = (self._sums.get(kind, 0) + times * int.from_bytes(single)) % _ALL_SUMS
        self._strays[kind] += times * known.is_stray

    def _list(self, directory: str) -> list[tuple[str, bool]]:
        """Every name with whether it is a directory to look into."""
        absolute = self._absolute(directory)
        found: list[tuple[str, bool]] = []
        tools: set[str] = set()
        times = _times(absolute)
        is_settled = stamp_of(absolute, self._clock()) != UNSETTLED
        try:
            with os.scandir(absolute) as entries:
                for entry in entries:
                    is_directory = entry.is_dir(follow_symlinks=False)
                    if is_directory and (self._is_skipped(entry.name) or is_cache(f"{absolute}/{entry.name}")):
                        tools.add(entry.name)
                    else:
                        found.append((entry.name, is_directory))
        except OSError:  # gone meanwhile, or not ours to read
            return []
        self._directories[directory] = (absolute, times if is_settled else UNSETTLED)
        if tools:
            self._tools[directory] = frozenset(tools)
        return found

    def _is_skipped(self, name: str) -> bool:
        return name in self._skip or (EVERY_DOT_DIRECTORY in self._skip and name.startswith("."))

    def _is_below_tools(self, relative: str) -> bool:
        return any(map(self._is_skipped, relative.split("/")[:-1]))

    def _absolute(self, directory: str) -> str:
        return f"{self._root}/{directory}" if directory else self._root


def kind_of(name: str) -> str:
    """The ending of a name, or all of a name without one."""
    dot = name.rfind(".")
    return name[dot:].lower() if dot > 0 else name


def _times(directory: str) -> int:
    """One number of both times: any change to the names in a directory sets them."""
    try:
        found = os.stat(directory)  # noqa: PTH116  of every directory for every question
    except OSError:
        return 0
    return found.st_mtime_ns + found.st_ctime_ns


def _joined(directory: str, name: str) -> str:
    return f"{directory}/{name}" if directory else name

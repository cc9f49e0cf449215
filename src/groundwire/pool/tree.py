"""What was last seen below a root, and how it differs from what is there now.

Nothing is concluded from events: a name is looked at, and what is found is compared with what was known. So the changes
told, applied to what was known before, always give what was found. Symbolic links are entries of their own, like files,
and are not followed, whatever they lead to: a link out of the tree leads to files that are not ours, and one back into
it would make a loop. Above: ``scan`` looks at everything, ``inotify`` only where the kernel says so.
Below: ``outputs``, ``workspace.changes``.
"""

import errno
import os
import stat
import time
from collections.abc import Callable, Container, Iterable
from typing import Protocol

from groundwire.edits.staging import TEMPORARY_PREFIX
from groundwire.errors import Internal
from groundwire.pool.outputs import CACHE_TAGS, CARGO_MANIFEST, CARGO_RECORD, OUTPUT_NAMES, is_cache
from groundwire.protocol.names import is_text
from groundwire.workspace.changes import ChangeKind, FileChange, coalesce

EVERY_DOT_DIRECTORY = ".*"
"""A member of a skip list that stands for all directories whose name begins with a dot."""

UNSETTLED = -1
"""A fingerprint that equals none, not even itself (``hash`` never gives -1)."""

_FRESH_NS = 50_000_000
"""A file written this recently may be written again without its times changing. Kernels stamp files from a clock that
ticks every 1-10 ms on Linux and every 15.6 ms on Windows; this is three of the longest ticks."""

_FRESH_WHOLE_SECONDS_NS = 2_000_000_000
"""The same for a time without fractions, which a file system that keeps whole seconds (FAT: two) may have cut."""

_FUTURE_NS = -60_000_000_000
"""A little in the future still counts as fresh (written while we were listing, or clocks that differ a little); a date
far ahead was set on purpose, and any write replaces it."""

_OUR_OWN_LIMITS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})


class Directory:
    """A directory that is known, with the files and directories seen in it. ``watch`` belongs to who watches it."""

    __slots__ = ("directories", "files", "is_known", "name", "parent", "path", "watch")

    def __init__(self, path: str, name: str, parent: "Directory | None") -> None:
        self.path = path
        self.name = name
        self.parent = parent
        self.files: dict[str, int] = {}
        self.directories: dict[str, Directory] = {}
        self.is_known = True
        self.watch = -1

    @property
    def prefix(self) -> str:
        """What a name is appended to."""
        return self.path if self.path.endswith("/") else f"{self.path}/"

    def below(self, names: Iterable[str]) -> "Directory | None":
        """What is known of a directory, by the names that lead to it from here; None: nothing."""
        found: Directory | None = self
        for name in names:
            if (found := found.directories.get(name)) is None:
                return None
        return found


class Gate(Protocol):
    """Told of every directory before it is listed, and when it is no longer known."""

    def enter(self, directory: Directory, /) -> bool:
        """Get ready for the listing. False: the directory is not to be listed, as if it were not there."""
        ...

    def leave(self, directory: Directory, /) -> None:
        """It is gone."""
        ...


class OpenGate:
    """Lets everything through: nothing is watched."""

    def enter(self, directory: Directory, /) -> bool:
        """Always."""
        return directory.is_known

    def leave(self, directory: Directory, /) -> None:
        """Nothing to let go."""


def fingerprint(found: os.stat_result, now: int) -> int:
    """The state of a file as one number: a fifth of the memory of the times, size and inode that it is made of."""
    written, changed = found.st_mtime_ns, found.st_ctime_ns
    if _is_fresh(now - written, written) or _is_fresh(now - changed, changed):
        return UNSETTLED
    return hash((written, changed, found.st_size, found.st_ino))


def _is_fresh(age: int, stamp: int) -> bool:
    if not _FUTURE_NS < age < _FRESH_WHOLE_SECONDS_NS:
        return False
    return age < _FRESH_NS or not stamp % 1_000_000_000


def _look(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:  # gone, or out of reach for this user and so for the servers too
        return None


class Tree:
    """Everything known below a root. The changes found are kept until they are taken; what is there until they are
    taken for the first time was there before, and is none.
    """

    def __init__(self, root: str, skip: frozenset[str], gate: Gate, *, clock: Callable[[], int] = time.time_ns) -> None:
        self.root = Directory(root, "", None)
        self.gate = gate
        self._skip = skip
        self._skips_dots = EVERY_DOT_DIRECTORY in skip
        self._included: frozenset[str] = frozenset()
        self._clock = clock
        self._changes: list[FileChange] = []
        self._was_taken = False
        self.odd_names: dict[str, None] = {}
        """Paths of files whose names are no UTF-8: not every server knows them, and somebody has to say so."""
        self.links: dict[str, None] = {}
        """Paths of symbolic links."""
        self.link_changes = 0
        """How often a link came, went or may lead elsewhere."""

    def take(self) -> list[FileChange]:
        """The changes found since the last call, one per path."""
        found, self._changes, self._was_taken = self._changes, [], True
        return coalesce(found)

    def include(self, names: frozenset[str]) -> None:
        """Look into directories of these names too. What is in them already is not reported: it is no change."""
        skipped = frozenset(name for name in names if self._is_skipped(name) or name in OUTPUT_NAMES) - self._included
        if not skipped:
            return
        self._included |= skipped
        known, self._changes = self._changes, []
        try:
            self.compare(self.root)
        finally:
            found = (change for change in self._changes if not self._is_below(change.path, skipped))
            self._changes = [*known, *found]

    def compare(self, start: Directory) -> None:
        """Look at everything below ``start``."""
        pending = [start]
        while pending:
            directory = pending.pop()
            directory.is_known = True
            if self.gate.enter(directory):
                pending += self._list(directory)
            else:
                self.forget(directory)

    def examine(self, directory: Directory, name: str) -> None:
        """Look at one name."""
        if name in CACHE_TAGS and self._is_made(directory, name, directory.files) and _look(directory.prefix + name):
            self.forget(directory, is_there=True)  # it was seen before it said what it is
            return
        path = directory.prefix + name
        found = _look(path)
        is_directory = found is not None and stat.S_ISDIR(found.st_mode)
        self._note_file(directory, name, None if is_directory else found)
        known = directory.directories.get(name)
        if is_directory and not self._is_passed_over(directory, name):
            self.compare(known or self._add(directory, name))
        elif known is not None:
            self.forget(known, is_there=is_directory)

    def forget(self, start: Directory, *, is_there: bool = False) -> None:
        """It is gone, and all that was in it; or it is there and looked at no longer, which is nobody's news."""
        if start.parent is not None:
            start.parent.directories.pop(start.name, None)
        pending = [start]
        while pending:
            directory = pending.pop()
            self.gate.leave(directory)
            directory.is_known = False
            pending += directory.directories.values()
            if not is_there:
                self._note_differences(directory, {})
            directory.files, directory.directories = {}, {}

    def _list(self, directory: Directory) -> list[Directory]:
        files: dict[str, int] = {}
        names: dict[str, None] = {}
        passed_over: set[str] = set()
        now = self._clock()
        try:
            with os.scandir(directory.path) as entries:
                for entry in entries:
                    if not entry.is_dir(follow_symlinks=False):
                        self._read_entry(entry, files, now)
                        self._note_link(directory.prefix + entry.name, is_link=entry.is_symlink())
                    elif self._is_passed_over(directory, entry.name):
                        passed_over.add(entry.name)
                    else:
                        names[entry.name] = None
        except OSError as error:
            self._refuse(directory, error)
            return []
        if any(tag in files and self._is_made(directory, tag, files) for tag in CACHE_TAGS):
            self.forget(directory, is_there=True)
            return []
        self._note_differences(directory, files)
        directory.files = files
        for gone in [known for name, known in directory.directories.items() if name not in names]:
            self.forget(gone, is_there=gone.name in passed_over)
        return [directory.directories.get(name) or self._add(directory, name) for name in names]

    def _read_entry(self, entry: os.DirEntry[str], files: dict[str, int], now: int) -> None:
        try:
            files[entry.name] = fingerprint(entry.stat(follow_symlinks=False), now)
        except OSError:  # as in _look
            files.pop(entry.name, None)

    def _refuse(self, directory: Directory, error: OSError) -> None:
        """A directory that cannot be listed is as good as gone; but our own shortage says nothing about it."""
        if error.errno in _OUR_OWN_LIMITS:
            hint = "Raise the limit of open files, or close what holds them."
            raise Internal(f"cannot list {directory.path}: {error.strerror}", hint=hint) from error
        self.forget(directory)

    def _add(self, parent: Directory, name: str) -> Directory:
        directory = parent.directories[name] = Directory(parent.prefix + name, name, parent)
        return directory

    def _is_skipped(self, name: str) -> bool:
        return (name in self._skip or (self._skips_dots and name.startswith("."))) and name not in self._included

    def _is_passed_over(self, parent: Directory, name: str) -> bool:
        if name in OUTPUT_NAMES:
            return name not in self._included and is_cache(parent.prefix + name)
        return self._is_skipped(name)

    def _is_made(self, directory: Directory, tag: str, files: Container[str]) -> bool:
        """Whether a directory with these files and the tag of a cache is what a build makes, or a part of it. Sources
        may have been tagged by mistake, and cargo may have been told to build beside them, in the crate itself.
        """
        parts = directory.path[len(self.root.prefix) :].split("/")
        is_named_so = not OUTPUT_NAMES.isdisjoint(parts) or (tag == CARGO_RECORD and CARGO_MANIFEST not in files)
        return is_named_so and directory.parent is not None and self._included.isdisjoint(parts)

    def _is_below(self, path: str, names: frozenset[str]) -> bool:
        return not names.isdisjoint(path[len(self.root.prefix) :].split("/")[:-1])

    def _note_file(self, directory: Directory, name: str, found: os.stat_result | None) -> None:
        is_known = name in directory.files
        if found is not None:
            directory.files[name] = fingerprint(found, self._clock())
            self._note_link(directory.prefix + name, is_link=stat.S_ISLNK(found.st_mode))
            self._note(directory.prefix + name, ChangeKind.CHANGED if is_known else ChangeKind.CREATED)
        elif is_known:
            del directory.files[name]
            self._note(directory.prefix + name, ChangeKind.DELETED)

    def _note_differences(self, directory: Directory, files: dict[str, int]) -> None:
        prefix, known = directory.prefix, directory.files
        for name, state in files.items():
            before = known.get(name)
            if before is None:
                self._note(prefix + name, ChangeKind.CREATED)
            elif before != state or state == UNSETTLED:
                self._note(prefix + name, ChangeKind.CHANGED)
        for name in known:
            if name not in files:
                self._note(prefix + name, ChangeKind.DELETED)

    def _note_link(self, path: str, *, is_link: bool) -> None:
        if is_link and path not in self.links:
            self.links[path] = None
            self.link_changes += 1

    def _note(self, path: str, kind: ChangeKind) -> None:
        # Files that an edit of ours is being written through are nobody's concern.
        if f"/{TEMPORARY_PREFIX}" in path:
            return
        if self._was_taken:
            self._changes.append(FileChange(path, kind))
        if path in self.links:
            self.link_changes += 1
            if kind == ChangeKind.DELETED:
                del self.links[path]
        if not is_text(path):
            self._note_odd_name(path, kind)

    def _note_odd_name(self, path: str, kind: ChangeKind) -> None:
        if kind == ChangeKind.DELETED:
            self.odd_names.pop(path, None)
        else:
            self.odd_names[path] = None

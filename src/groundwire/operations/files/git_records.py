"""What git has recorded of a workspace, read off its own files: nothing that a repository configures is run.

Above: ``changed_files``, ``change_set``. Below: ``pool.git_questions``.
"""

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from groundwire.errors import InvalidArgument, RequestTimeout
from groundwire.pool.git_questions import Repository, find_repository

INSTEAD = "Name files in file_path or file_paths, or ask with scope=workspace."

_STAGED = re.compile(
    rb"(?P<mode>\d+) (?P<content>[0-9a-f]+) (?P<stage>\d)\t(?P<path>[^\0]+)\0"
    rb"(?:  ctime: (?P<ctime>\d+:\d+)\n  mtime: (?P<mtime>\d+:\d+)\n  dev:[^\n]*\n  uid:[^\n]*\n"
    rb"  size: (?P<size>\d+)\t[^\n]*\n)?"
)
_REGULAR = b"100"
_SUBMODULE = b"160000"
_WORD = 0xFFFFFFFF
"""Sizes are recorded in 32 bits."""


class Staged(msgspec.Struct, frozen=True):
    """A file as it was when git last looked at it. Times are in nanoseconds. In a conflict it has no content."""

    content: bytes
    ctime: int = -1
    mtime: int = -1
    size: int = -1
    is_file: bool = True

    def is_untouched(self, found: os.stat_result, looked_at: int) -> bool:
        """Whether the file is still that one. One written when git looked, or later, may have been written twice."""
        seen = (found.st_ctime_ns, found.st_mtime_ns, found.st_size & _WORD)
        return seen == (self.ctime, self.mtime, self.size) and self.mtime < looked_at


class Commit(msgspec.Struct, frozen=True):
    """The names of the contents of a commit, by path; empty before the first one."""

    contents: Mapping[bytes, bytes]
    has_submodules: bool
    name: str = ""


class GitRecords:
    """Asks git, with the workspace as its directory, until a moment of the monotonic clock."""

    def __init__(self, repository: Repository, deadline: float, instead: str) -> None:
        self._repository = repository
        self._instead = instead
        self.workspace = repository.workspace
        self._deadline = deadline

    def last_commit(self) -> Commit:
        """What it holds."""
        name = self._ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}", may_fail=True).decode().strip()
        return self.commit(name) if name else Commit({}, has_submodules=False)

    def commit(self, name: str) -> Commit:
        """What the commit with this full name holds."""
        entries = [_entry(line) for line in _names(self._ask("ls-tree", "-r", "-z", name))]
        contents = {path: content for mode, content, path in entries if mode.startswith(_REGULAR)}
        return Commit(contents, any(mode == _SUBMODULE for mode, _, _ in entries), name)

    def fork_point(self, revision: str) -> Commit:
        """The last commit that is in the history of the revision as well as in the present one."""
        found = b""
        if not revision.startswith("-"):  # that would be an option
            found = self._ask("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", may_fail=True).strip()
        if not found:
            raise InvalidArgument(f"git knows no commit {revision!r}", hint="Name a branch, a tag or a commit.")
        shared = self._ask("merge-base", found.decode(), "HEAD", may_fail=True).decode().strip()
        if not shared:
            hint = "In a shallow clone, fetch more of the history."
            raise InvalidArgument(f"{revision} and the last commit have no history in common", hint=hint)
        return self.commit(shared)

    def staged(self) -> dict[bytes, Staged]:
        """What the next commit would hold, by path; of a file in conflict nothing is known."""
        listed = self._ask("ls-files", "--cached", "--stage", "--debug", "-z")
        return {found["path"]: _staged(found) for found in _STAGED.finditer(listed)}

    def untracked(self) -> set[bytes]:
        """Paths of files that are neither tracked nor ignored."""
        return set(_names(self._ask("ls-files", "--others", "--exclude-standard", "-z")))

    def contents(self, names: Iterable[bytes], largest: int) -> dict[bytes, bytes]:
        """What the names stand for, as git keeps it; without those that are larger."""
        sizes = self._ask("cat-file", "--batch-check=%(objectname) %(objectsize)", given=_lines(set(names)))
        found = [line.split() for line in sizes.splitlines()]
        small = [name for name, size in found if size.isdigit() and int(size) <= largest]
        return dict(_batch(self._ask("cat-file", "--batch", given=_lines(small)))) if small else {}

    def attributes(self, paths: Iterable[bytes], wanted: Sequence[str]) -> dict[bytes, dict[str, str]]:
        """What the attributes of each path are, by git's words for it."""
        given = b"".join(path + b"\0" for path in paths)
        listed = self._ask("check-attr", "-z", "--stdin", *wanted, given=given).split(b"\0")[:-1]
        found: dict[bytes, dict[str, str]] = {}
        for path, name, value in zip(listed[::3], listed[1::3], listed[2::3], strict=True):
            found.setdefault(path, {})[name.decode()] = value.decode("utf-8", "replace")
        return found

    def setting(self, name: str) -> str:
        """A setting of git, in small letters; empty where it is not set."""
        return self._ask("config", "--get", name, may_fail=True).decode("utf-8", "replace").strip().lower()

    def looked_at(self) -> int:
        """When git last recorded the state of files, in nanoseconds."""
        index = self._ask("rev-parse", "--git-path", "index").removesuffix(b"\n")
        try:
            return (self.workspace / os.fsdecode(index)).stat().st_mtime_ns
        except OSError:  # nothing has been recorded
            return 0

    def require_time(self) -> None:
        """Raise RequestTimeout when the time is over."""
        if time.monotonic() > self._deadline:
            raise RequestTimeout("comparing files with what git has recorded took too long", hint=self._instead)

    def _ask(self, *question: str, given: bytes = b"", may_fail: bool = False) -> bytes:
        self.require_time()
        left = max(self._deadline - time.monotonic(), 0.001)
        done = self._repository.ask(self.workspace, *question, given=given, wait_s=left)
        if done is None:
            raise RequestTimeout("git did not tell in time what has changed", hint=self._instead)
        if done.returncode and not may_fail:
            raise InvalidArgument(f"what has changed is not known: git {question[0]} failed", hint=self._instead)
        return done.stdout if not done.returncode else b""


def open_records(
    workspace: Path, environment: Mapping[str, str], wait_s: float, *, instead: str = INSTEAD
) -> GitRecords:
    """Those of the repository of a workspace. Raises InvalidArgument when no repository can tell.

    ``instead`` is what the reader can do when git does not tell.
    """
    deadline = time.monotonic() + wait_s
    repository = find_repository(workspace, environment)
    if repository is None:
        raise InvalidArgument(f"no git repository tells what has changed in {workspace}", hint=instead)
    return GitRecords(repository, deadline, instead)


def _names(listed: bytes) -> Iterator[bytes]:
    return (name for name in listed.split(b"\0") if name)


def _lines(names: Iterable[bytes]) -> bytes:
    return b"".join(name + b"\n" for name in names)


def _batch(listed: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and content of each entry of ``cat-file --batch``."""
    at = 0
    while at < len(listed):
        start = listed.index(b"\n", at) + 1
        name, _, size = listed[at : start - 1].split(b" ")
        end = start + int(size)
        yield name, listed[start:end]
        at = end + 1


def _entry(line: bytes) -> tuple[bytes, bytes, bytes]:
    """Mode, name of the content, path."""
    described, _, path = line.partition(b"\t")
    mode, _, content = described.split(b" ")
    return mode, content, path


def _staged(found: re.Match[bytes]) -> Staged:
    is_file = found["mode"].startswith(_REGULAR)
    if found["stage"] != b"0" or found["size"] is None:
        return Staged(b"", is_file=is_file)
    times = (_nanoseconds(found["ctime"]), _nanoseconds(found["mtime"]))
    return Staged(found["content"], *times, int(found["size"]), is_file)


def _nanoseconds(recorded: bytes) -> int:
    seconds, _, rest = recorded.partition(b":")
    return int(seconds) * 1_000_000_000 + int(rest)

"""Whether a program may be run: the user's own always, one that the project supplies once it is trusted.

Above: ``pool`` and ``surfaces``. Below: ``provenance``, ``trust_store``.
"""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from groundwire.pool.provenance import executable_origin, fingerprint, judged_as, shown_in
from groundwire.pool.trust_store import TrustStore

_Stamp = tuple[int, int, int]
_Key = tuple[Path, _Stamp | None, _Stamp | None]


class ProgramGate:
    """Asks git once for each state of a program and of the repository, and the store every time."""

    def __init__(self, workspace: Path, store: TrustStore, environment: Mapping[str, str]) -> None:
        self._workspace = workspace.resolve()
        self._store = store
        self._environment = environment
        self._known: dict[_Key, tuple[str, str]] = {}

    def refusal(self, program: Path) -> str:
        """Why the program must not be run; empty: it may."""
        program = judged_as(Path(os.path.abspath(program)))  # noqa: PTH100 - links must stay
        why, mark = self._judged(program)
        name = shown_in(program, self._workspace)
        if not why or (mark and self._store.record(self._workspace).programs.get(name) == mark):
            return ""
        return f"is supplied by the project ({why}), which is not trusted"

    def _judged(self, program: Path) -> tuple[str, str]:
        """Why it is the project's, and its fingerprint; nothing for what is the user's own."""
        key = (program, _stamp(program), _stamp(_index_of(self._workspace)))
        found = self._known.get(key)
        if found is None:
            found = self._judge(program)
            if key[2] is not None:  # what version control knows may else change unseen
                self._known[key] = found
        return found

    def _judge(self, program: Path) -> tuple[str, str]:
        origin = executable_origin(program, self._workspace, self._environment)
        if not origin.is_project:
            return "", ""
        try:
            return origin.why, fingerprint(program, self._workspace, self._environment)
        except OSError:
            return origin.why, ""


def _index_of(workspace: Path) -> Path:
    """Where git keeps what it tracks. A worktree or submodule has a file there that names the directory."""
    above = (directory / ".git" for directory in (workspace, *workspace.parents))
    place = next((git for git in above if git.exists()), workspace / ".git")
    if place.is_file():
        named = place.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
        place = place.parent / named
    return place / "index"


def _stamp(place: Path) -> _Stamp | None:
    """Of a directory: the files in it count, which may be written without its notice."""
    try:
        found = place.stat()
        inner = [entry.stat() for entry in os.scandir(place)] if stat.S_ISDIR(found.st_mode) else []
    except (OSError, ValueError):
        return None
    every = [found, *inner]
    return max(each.st_mtime_ns for each in every), sum(each.st_size for each in every), found.st_ino

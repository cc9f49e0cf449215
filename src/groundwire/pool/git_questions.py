"""Asks git what it tracks, and lets a hostile repository run nothing: no monitor, hook, filter, pager or transport.

Above: ``provenance``, ``operations.git_records``. Below: ``registry.binaries``, to find git itself.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from groundwire.registry.binaries import executables_named

_SECONDS = 10.0
_ARGUMENTS = (
    "--no-pager",
    "--literal-pathspecs",
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.untrackedCache=false",
    "-c", "protocol.allow=never",
    "-c", "safe.bareRepository=explicit",
)  # fmt: skip
_UNTRACKED = 1


class Repository:
    """The repository that tells about a workspace."""

    def __init__(self, git: Path, workspace: Path, environment: Mapping[str, str]) -> None:
        self._git = git
        self.workspace = workspace
        self._environment = environment

    def says_untracked(self, path: Path) -> bool:
        """Whether git says that it does not track the path. Any other answer, failures included, is no."""
        # Asked from its own directory, so that a submodule answers for what is in it.
        done = self.ask(path.parent, "ls-files", "--error-unmatch", "-z", "--", path.name)
        return done is not None and done.returncode == _UNTRACKED and not done.stdout

    def knows_of(self, directory: Path) -> bool:
        """Whether git tracks anything in a directory. A failure is no."""
        done = self.ask(directory, "ls-files", "-z", "--", ".")
        return done is not None and done.returncode == 0 and bool(done.stdout)

    def tracked_below(self, directory: Path) -> bytes:
        """Path, mode and content of everything that is tracked below a directory, as git lists it."""
        done = self.ask(self.workspace, "ls-files", "--stage", "-z", "--", str(directory))
        return done.stdout if done is not None and done.returncode == 0 else b""

    def knows_workspace(self) -> bool:
        """Whether the last commit holds the directory of the workspace."""
        done = self.ask(self.workspace, "rev-parse", "--verify", "--quiet", "HEAD:./")
        return done is not None and done.returncode == 0

    def top(self) -> Path | None:
        """The directory of the repository, or none when there is no usable one."""
        done = self.ask(self.workspace, "rev-parse", "--show-toplevel")
        if done is None or done.returncode != 0:
            return None
        return Path(os.fsdecode(done.stdout.rstrip(b"\n"))).resolve()

    def ask(
        self, directory: Path, *question: str, given: bytes = b"", wait_s: float = _SECONDS
    ) -> subprocess.CompletedProcess[bytes] | None:
        """What git answers, with its exit status; none when it cannot be run or takes too long."""
        try:
            return subprocess.run(
                [str(self._git), *_ARGUMENTS, *question],
                cwd=directory,
                env=self._environment,
                input=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=wait_s,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None


def find_repository(workspace: Path, environment: Mapping[str, str]) -> Repository | None:
    """The repository of a workspace; none when there is none, or only one above it that does not know of it."""
    git = _find_git(workspace, environment)
    if git is None:
        return None
    repository = Repository(git, workspace, _sane(environment))
    top = repository.top()
    if top is None:
        return None
    # A repository above that knows nothing of the workspace (a home directory under version control) cannot tell.
    is_known = top == workspace or (workspace.is_relative_to(top) and repository.knows_workspace())
    return repository if is_known else None


def _find_git(workspace: Path, environment: Mapping[str, str]) -> Path | None:
    """Never one that the project brings along."""
    for entry in environment.get("PATH", "").split(os.pathsep):
        if not Path(entry).is_absolute() or Path(entry).resolve().is_relative_to(workspace):
            continue
        found = next(executables_named(Path(entry), "git"), None)
        if found is not None and not found.resolve().is_relative_to(workspace):
            return found
    return None


def _sane(environment: Mapping[str, str]) -> dict[str, str]:
    """Nothing from outside may point git to another repository, program or transport."""
    kept = {name: value for name, value in environment.items() if not name.startswith("GIT_")}
    return {
        **kept,
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }

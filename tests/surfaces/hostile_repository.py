"""A repository that does what it can to have something run, and the command line that is used on it.

Every program of it leaves a mark, named after how it would have been reached. The user has servers of his own, which
obey every option they are given. Above: ``test_untrusted_repository``. Below: ``tests/servers/evil_obeys_settings``.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple, cast

from tests.fakes.toy_servers import SERVERS

OWN_SERVERS = ("gopls", "rust-analyzer", "clangd", "typescript-language-server", "bash-language-server")
_SYSTEM = "/usr/bin:/bin"
_SECONDS = 90


class Outcome(NamedTuple):
    """What a command line answered."""

    code: int
    text: str
    """All of it, on both streams."""
    answer: dict[str, object]
    """The JSON it wrote; empty when it wrote none."""

    def reason(self, file: str) -> str:
        """Why not everything is known of a file; empty when it is."""
        result = cast("dict[str, list[dict[str, str]]]", self.answer["result"])
        return next(each["reason"] for each in result["files"] if each["file"] == file)


class Hostile:
    """The repository, its user, and the marks."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "repository"
        self.root.mkdir()
        self._marks = directory / "marks"
        self._marks.mkdir()
        self._started = directory / "started"
        self._started.mkdir()
        bin_directory = directory / "bin"
        bin_directory.mkdir()
        for name in OWN_SERVERS:
            _make_stand_in(bin_directory / name, name)
        (directory / "home").mkdir()
        self.environment = {
            "HOME": str(directory / "home"),
            "PATH": f"{bin_directory}:{_SYSTEM}",
            "GROUNDWIRE_LANGUAGES__PYTHON__SERVERS": "ty",
            "STAND_IN_LOG": str(self._started),
            "LC_ALL": "C.UTF-8",
        }

    def write(self, name: str, text: str, *, mode: int = 0o644) -> Path:
        """A file of the repository."""
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        file.chmod(mode)
        return file

    def marking(self, mark: str) -> list[str]:
        """A command that leaves a mark."""
        return ["/bin/sh", "-c", f": > {shlex.quote(str(self._marks / mark))}"]

    def script(self, mark: str) -> str:
        """A shell script that leaves a mark."""
        return f"#!/bin/sh\n{shlex.join(self.marking(mark))}\necho 9.9.9\n"

    def program(self, name: str, mark: str) -> Path:
        """A program of the repository that leaves a mark."""
        return self.write(name, self.script(mark), mode=0o755)

    def module(self, name: str, mark: str) -> Path:
        """A Python module that leaves a mark when it is imported."""
        return self.write(name, f"open({str(self._marks / mark)!r}, 'w').close()\n")

    def git(self, *arguments: str) -> None:
        """As the user runs it, without being hurt by what the test has put into the configuration."""
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.invalid", "-c", "core.fsmonitor=false")
        environment = {**self.environment, "PATH": _SYSTEM}
        command = ["git", *identity, *arguments]
        subprocess.run(command, cwd=self.root, env=environment, check=True, capture_output=True, timeout=_SECONDS)

    def commit(self) -> None:
        """Everything that is there came with the repository."""
        if not (self.root / ".git").exists():
            self.git("init", "--quiet")
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "-m", "x")

    def run(self, *arguments: str, cwd: str = "", **variables: str) -> Outcome:
        """The real command line, in a process of its own, as the console script starts it."""
        done = subprocess.run(
            [sys.executable, "-P", "-m", "groundwire", *arguments],
            cwd=self.root / cwd,
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
        out, text = done.stdout.decode(), (done.stdout + done.stderr).decode()
        answer = cast("dict[str, object]", json.loads(out)) if out.startswith("{") else {}
        return Outcome(done.returncode, text, answer)

    def check(self, *files: str, **variables: str) -> Outcome:
        """``groundwire check FILES --json``."""
        return self.run("check", *files, "--json", "--wait", "10", **variables)

    def trust(self, **variables: str) -> Outcome:
        """``groundwire trust --yes``."""
        return self.run("trust", "--yes", **variables)

    def marks(self) -> set[str]:
        """What has been run; forgets it."""
        return _taken(self._marks)

    def started(self) -> set[str]:
        """Which of the user's own servers were started, and what reached them; forgets it."""
        return _taken(self._started)


def _make_stand_in(program: Path, name: str) -> None:
    script = shlex.join([sys.executable, "-E", "-S", "-B", str(SERVERS / "evil_obeys_settings.py"), name])
    program.write_text(f'#!/bin/sh\ncase $1 in *version) echo 99.0 ;; *) exec {script} "$@" ;; esac\n', "utf-8")
    program.chmod(0o755)


def _taken(directory: Path) -> set[str]:
    names = set(os.listdir(directory))  # noqa: PTH208 - the names are all that is needed
    for name in names:
        (directory / name).unlink()
    return names

"""A shell in a small Python project, with a home of its own, in which the commands of a page are run one after another.

Above: the tests of the documentation. Below: ``pages``.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.documents.pages import Command

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n\n[tool.ty]\n',
    "pricing.py": "def total(prices: list[int]) -> int:\n    return sum(prices)\n\n\n"
    "def largest(prices: list[int]) -> int:\n    return max(prices)\n",
    "cart.py": "from pricing import largest, total\n\n\ndef summary(prices: list[int]) -> str:\n"
    '    return f"{total(prices)} (largest {largest(prices)})"\n',
    "invoice.py": "from pricing import total\n\n\ndef invoice(prices: list[int]) -> int:\n    return total(prices)\n",
}
# Whoever reads the pages is called this.
HOME = "/home/me"
PROGRAMS = f"{HOME}/.local/bin"
# Nothing else is on the PATH, so that what is found does not depend on the machine.
_PROGRAMS = ("bash", "cat", "chmod", "git", "ls", "mkdir", "rm", "sed", "touch")
_COMMAND_S = 20.0
"""Each starts an interpreter, and most a server: on a machine with much else to do that takes seconds."""
_MARK = "\x1e"


class Outcome(NamedTuple):
    """What a command printed, on either stream, and its exit status."""

    printed: str
    status: int


def make_home(home: Path) -> Path:
    """Writes the project into a home and gives its directory; it is a git repository with one commit."""
    project = home / "shop"
    for name, text in FILES.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, "utf-8")
    programs = home / "bin"
    programs.mkdir()
    for name in _PROGRAMS:
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    for name, words in {"groundwire": "-P -m groundwire", "python3": "-P"}.items():
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n', "utf-8")
        (programs / name).chmod(0o755)
    _run("git init -q -b main && git add -A && git commit -q -m 'The shop'", project)
    return project


def run_all(commands: Sequence[Command], project: Path) -> list[Outcome]:
    """What comes out of each, in one shell: it stays where a command went, and knows what one has set."""
    # The status is put back, so that a page may ask for it with `echo $?`.
    after = f"status=$?; printf '{_MARK}%d{_MARK}' $status; (exit $status)"
    script = "".join(f"{command.text}\n{after}\n" for command in commands)
    try:
        printed = _run(script, project, _COMMAND_S * (len(commands) + 5))
    finally:
        _run("groundwire daemon stop", project)
    shown = printed.replace(str(project.parent), HOME).replace(str(Path(sys.executable).parent), PROGRAMS)
    parts = shown.split(_MARK)
    return [Outcome(text, int(status)) for text, status in zip(parts[:-1:2], parts[1::2], strict=True)]


def _run(script: str, project: Path, seconds: float = 5 * _COMMAND_S) -> str:
    with subprocess.Popen(
        ["bash", "-c", script],
        cwd=project,
        env=environment(project.parent),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as shell:
        try:
            return shell.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            os.killpg(shell.pid, signal.SIGKILL)
            raise


def environment(home: Path) -> dict[str, str]:
    """All that a command knows of the world: nothing of the one that the tests run in."""
    someone = {f"GIT_{role}_{what}": "me" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {
        **someone,
        "HOME": str(home),
        "PATH": str(home / "bin"),
        "LANG": "C.UTF-8",
        "COLUMNS": "100",
        "PYTHONUNBUFFERED": "1",
        "GROUNDWIRE_HOOK_DEADLINE_S": "60",  # on a busy machine, too, what a hook says is told and not put off
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def fits(shown: str, printed: str) -> bool:
    """Whether a page shows what came out: `…` stands for anything, alone on a line for any number of lines."""
    lines = [r"(?:.*\n)*?" if line.strip() == "…" else _line(line) for line in shown.rstrip().split("\n")]
    return re.fullmatch("".join(lines), printed.rstrip() + "\n") is not None


def _line(shown: str) -> str:
    return ".*".join(re.escape(part) for part in shown.rstrip().split("…")) + r"[ ]*\n"

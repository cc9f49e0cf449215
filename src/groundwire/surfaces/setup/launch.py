"""How an agent starts groundwire: the command, its arguments, and both as one line for a shell.

Above: ``planning``. Below: nothing.
"""

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from groundwire.surfaces.setup.agent import System

_NAME = "groundwire"
_PLAIN_ON_WINDOWS = re.compile(r"[\w./:\\-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Launch:
    """The program and what comes before the command's own arguments."""

    program: str
    prefix: tuple[str, ...]
    system: System

    def arguments(self, *rest: str) -> list[str]:
        """What follows the program."""
        return [*self.prefix, *rest]

    def line(self, *rest: str) -> str:
        """For the shell by which agents run hooks on this system."""
        words = (self.program, *self.arguments(*rest))
        if self.system != "windows":
            return shlex.join(words)
        # Both the command prompt and a POSIX shell on Windows take this; the latter would drop backslashes.
        return " ".join((_quoted_on_windows(words[0].replace("\\", "/")), *map(_quoted_on_windows, words[1:])))

    def posix_line(self, *rest: str) -> str:
        """For a POSIX shell, wherever it runs."""
        program = self.program.replace("\\", "/") if self.system == "windows" else self.program
        return shlex.join((program, *self.arguments(*rest)))

    def powershell_line(self, *rest: str) -> str:
        """For PowerShell."""
        words = (self.program, *self.arguments(*rest))
        return "& " + " ".join("'" + word.replace("'", "''") + "'" for word in words)


def this_launch(
    system: System, *, is_portable: bool = False, started_as: str | None = None, python: str | None = None
) -> Launch:
    """The command in use, in full, for agents with windows lack the PATH of a shell; portable: its plain name."""
    if is_portable:
        return Launch(_NAME, (), system)
    python = python or sys.executable
    # No link is resolved: the one that a package manager keeps outlives the place that it leads to today.
    started = Path(started_as or sys.argv[0]).absolute()
    for candidate in (started, started.with_name(f"{_NAME}.exe"), *_beside(Path(python))):
        if candidate.stem == _NAME and candidate.is_file():
            return Launch(str(candidate), (), system)
    return Launch(python, ("-m", _NAME), system)


def _beside(python: Path) -> list[Path]:
    return [python.with_name(_NAME), python.with_name(f"{_NAME}.exe")]


def _quoted_on_windows(word: str) -> str:
    return word if _PLAIN_ON_WINDOWS.fullmatch(word) else f'"{word}"'

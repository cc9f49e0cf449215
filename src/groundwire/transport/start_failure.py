"""Why a command could not be started, in words that help: which of the command, its interpreter or the directory it is.

Above: ``process``. Below: ``errors``.
"""

import errno
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from groundwire.errors import ServerUnavailable


def start_failure(command: tuple[str, ...], cwd: str, env: Mapping[str, str], error: Exception) -> ServerUnavailable:
    """The error to raise when the system refused to start ``command``."""
    if not command or not command[0]:
        return ServerUnavailable("the command is empty", hint="Name the server's program in its definition.")
    if not Path(cwd).is_dir():
        what = "is not a directory" if Path(cwd).exists() else "does not exist"
        return ServerUnavailable(
            f"the directory to start {command[0]} in {what}: {cwd}", hint="Check the workspace path."
        )
    if not os.access(cwd, os.X_OK):
        return ServerUnavailable(
            f"the directory to start {command[0]} in may not be entered: {cwd}", hint="Check its permissions."
        )
    program = _locate(command[0], cwd, env)
    if program is None:
        return ServerUnavailable(
            f"{command[0]} was not found",
            hint=f"Install {Path(command[0]).name}, or give its full path in the server's definition.",
        )
    return _refused(program, error)


def _locate(name: str, cwd: str, env: Mapping[str, str]) -> Path | None:
    """The file that would be started, executable or not."""
    if os.path.dirname(name):  # noqa: PTH120 - "./x" and "x" mean different things; Path makes them equal
        path = Path(cwd, name)
        return path if path.exists() else None
    found = shutil.which(name, os.F_OK, env.get("PATH"))
    return Path(found) if found else None


def _refused(program: Path, error: Exception) -> ServerUnavailable:
    if program.is_dir():
        return ServerUnavailable(f"{program} is a directory, not a program", hint="Name the program inside it.")
    if not os.access(program, os.X_OK):
        return ServerUnavailable(f"{program} is not executable", hint=f"Make it executable: chmod +x {program}")
    if isinstance(error, FileNotFoundError):
        return ServerUnavailable(
            f"the interpreter that {program} names in its first line was not found",
            hint=f"Install that interpreter, or reinstall {program.name}.",
        )
    if isinstance(error, OSError) and error.errno == errno.ENOEXEC:
        hint = "Install the build for this machine; a script must name its interpreter in its first line."
        return ServerUnavailable(f"{program} is not in a format this system can run", hint=hint)
    return ServerUnavailable(
        f"{program} could not be started: {error}", hint="The system refused; its reason is given."
    )

"""Where things are for this user and this project, said with strings: for processes that must start at once.

Above: ``config.places``, ``registry.roots``, ``operations.workspace``, ``daemon``. Below: nothing.
"""

import os
import sys
from collections.abc import Mapping

_IS_WINDOWS = os.name == "nt"


def home(environment: Mapping[str, str]) -> str:
    """The home directory; a relative one would mean whatever directory we happen to be in."""
    named = environment.get("USERPROFILE" if _IS_WINDOWS else "HOME", "")
    return named if os.path.isabs(named) else os.path.expanduser("~")


def state_directory(environment: Mapping[str, str]) -> str:
    """Where groundwire keeps what it must remember for the user."""
    return _joined(standard_directory(environment, "XDG_STATE_HOME", ".local/state", "LOCALAPPDATA"), "groundwire")


def config_directory(environment: Mapping[str, str]) -> str:
    """The user's configuration directory of groundwire."""
    return _joined(standard_directory(environment, "XDG_CONFIG_HOME", ".config", "APPDATA"), "groundwire")


def standard_directory(environment: Mapping[str, str], xdg: str, under_home: str, on_windows: str) -> str:
    """The XDG place wherever it is set, for people use it on every system; else the system's own.

    macOS keeps to the XDG default: its people look for the settings of command-line programs there.
    """
    for variable in (xdg, *((on_windows,) if _IS_WINDOWS else ())):
        named = environment.get(variable, "")
        if os.path.isabs(named):
            return named
    return _joined(home(environment), *under_home.split("/"))


def runtime_directory(environment: Mapping[str, str]) -> str:
    """Where the system keeps what lives as long as the user is logged in; empty where there is no such place."""
    named = environment.get("XDG_RUNTIME_DIR", "")
    is_there = sys.platform == "linux" and os.path.isabs(named) and os.path.isdir(named)
    return named if is_there else ""


def repository_of(start: str) -> str | None:
    """The git repository round a directory, unless it is far more than a project."""
    directory = start
    while True:
        if os.path.exists(_joined(directory, ".git")) and not is_too_wide(directory):
            return directory
        above = os.path.dirname(directory)
        if above == directory:
            return None
        directory = above


def is_too_wide(directory: str) -> bool:
    """Whether the directory holds far more than a project."""
    return directory in (os.path.expanduser("~"), os.path.dirname(directory))


def workspace_round(here: str) -> str:
    """The workspace that is meant where none is named: the repository, else the directory itself; without links."""
    absolute = os.path.realpath(here)
    return repository_of(absolute) or absolute


def _joined(*parts: str) -> str:
    return os.path.join(*parts)

"""Where configuration files lie on this system.

Above: ``sources`` and ``pool.trust_store``. Below: nothing.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

_IS_WINDOWS = os.name == "nt"
_IS_MAC = sys.platform == "darwin"


def user_config_directory(environment: Mapping[str, str]) -> Path:
    """The user's configuration directory of groundwire."""
    return _directory(environment, "XDG_CONFIG_HOME", ".config", "APPDATA") / "groundwire"


def user_state_directory(environment: Mapping[str, str]) -> Path:
    """Where groundwire keeps what it must remember for the user."""
    return _directory(environment, "XDG_STATE_HOME", ".local/state", "LOCALAPPDATA") / "groundwire"


def llxprt_settings(environment: Mapping[str, str]) -> Path:
    """The user's settings file of LLxprt."""
    named = environment.get("LLXPRT_CONFIG_HOME", "")
    if Path(named).is_absolute():
        return Path(named, "settings.json")
    if _IS_MAC:
        return home(environment) / "Library/Preferences/llxprt-code/settings.json"
    tail = "llxprt-code/Config" if _IS_WINDOWS else "llxprt-code"
    return _directory(environment, "XDG_CONFIG_HOME", ".config", "APPDATA") / tail / "settings.json"


def opencode_directory(environment: Mapping[str, str]) -> Path:
    """The user's configuration directory of opencode, which is the same on every system."""
    return home(environment) / ".config/opencode"


def home(environment: Mapping[str, str]) -> Path:
    """The home directory; a relative one would mean whatever directory we happen to be in."""
    named = environment.get("USERPROFILE" if _IS_WINDOWS else "HOME", "")
    return Path(named) if Path(named).is_absolute() else Path.home()


def _directory(environment: Mapping[str, str], xdg: str, under_home: str, on_windows: str) -> Path:
    """The XDG place wherever it is set, for people use it on every system; else the system's own.

    macOS keeps to the XDG default: its people look for the settings of command-line programs there.
    """
    for variable in (xdg, *((on_windows,) if _IS_WINDOWS else ())):
        named = environment.get(variable, "")
        if Path(named).is_absolute():
            return Path(named)
    return home(environment) / under_home

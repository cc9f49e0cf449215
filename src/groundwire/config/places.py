"""Where configuration files lie on this system.

Above: ``sources`` and ``pool.trust_store``. Below: ``places``.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from groundwire import places

_IS_WINDOWS = os.name == "nt"
_IS_MAC = sys.platform == "darwin"


def user_config_directory(environment: Mapping[str, str]) -> Path:
    """The user's configuration directory of groundwire."""
    return Path(places.config_directory(environment))


def user_state_directory(environment: Mapping[str, str]) -> Path:
    """Where groundwire keeps what it must remember for the user."""
    return Path(places.state_directory(environment))


def llxprt_settings(environment: Mapping[str, str]) -> Path:
    """The user's settings file of LLxprt."""
    named = environment.get("LLXPRT_CONFIG_HOME", "")
    if Path(named).is_absolute():
        return Path(named, "settings.json")
    if _IS_MAC:
        return home(environment) / "Library/Preferences/llxprt-code/settings.json"
    tail = "llxprt-code/Config" if _IS_WINDOWS else "llxprt-code"
    return Path(places.standard_directory(environment, "XDG_CONFIG_HOME", ".config", "APPDATA"), tail, "settings.json")


def opencode_directory(environment: Mapping[str, str]) -> Path:
    """The user's configuration directory of opencode, which is the same on every system."""
    return home(environment) / ".config/opencode"


def home(environment: Mapping[str, str]) -> Path:
    """The home directory."""
    return Path(places.home(environment))

"""Where the servers live that groundwire itself installs: the layout of the directories, and nothing else.

    $XDG_DATA_HOME/groundwire/servers/     ~/.local/share where the variable is not set
        UNIT/                              a server's id, or the name that several servers of one package share
            bin/COMMAND                    what starts a server

A directory whose name begins with a dot is an installation under way and not looked at. Above: ``binaries``, and
whoever installs. Below: ``spec``.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from groundwire.registry.spec import ServerSpec

_IS_WINDOWS = os.name == "nt"
BIN = "bin"


def managed_home(environment: Mapping[str, str]) -> Path | None:
    """The directory of all managed servers, there or not; none where the user has no home."""
    data = _absolute(environment.get("XDG_DATA_HOME", "")) or _default_data_directory(environment)
    return data / "groundwire" / "servers" if data is not None else None


def managed_unit(spec: ServerSpec) -> str:
    """The name of the directory a server is installed in."""
    return spec.managed.unit or spec.id if spec.managed is not None else spec.id


def managed_bin_directory(spec: ServerSpec, environment: Mapping[str, str]) -> Path | None:
    """Where the server's own commands are, installed or not."""
    home = managed_home(environment)
    return home / managed_unit(spec) / BIN if home is not None else None


def managed_bin_directories(environment: Mapping[str, str]) -> Iterator[Path]:
    """Those of everything that is installed."""
    home = managed_home(environment)
    if home is None or not home.is_dir():
        return
    for unit in sorted(home.iterdir()):
        if not unit.name.startswith(".") and (unit / BIN).is_dir():
            yield unit / BIN


def _default_data_directory(environment: Mapping[str, str]) -> Path | None:
    if _IS_WINDOWS:
        return _absolute(environment.get("LOCALAPPDATA", ""))
    home = _absolute(environment.get("HOME", ""))
    return home / ".local" / "share" if home is not None else None


def _absolute(named: str) -> Path | None:
    return Path(named) if named and Path(named).is_absolute() else None

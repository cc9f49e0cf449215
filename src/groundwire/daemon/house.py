"""Where the daemon of a workspace lives: its socket, its locks, its record and its log, for this user's eyes only.

A socket's path may have 107 bytes, however deep the workspace or the home directory is. Uses strings instead of
``pathlib``: the processes that look here must start at once. Above: the rest of ``daemon``. Below: ``places``.
"""

import os
import stat
from collections.abc import Mapping
from typing import NamedTuple

from groundwire import places
from groundwire.errors import DaemonUnavailable

try:
    from _blake2 import blake2b  # pyright: ignore[reportMissingImports, reportUnknownVariableType]  # what hashlib has, without loading OpenSSL
except ImportError:
    from hashlib import blake2b

LONGEST_SOCKET = 103
"""Bytes, on the strictest of the systems."""

_NAME_BYTES = 8


class House(NamedTuple):
    """Paths of one workspace's daemon."""

    root: str
    """The workspace, absolute and without links."""
    directory: str
    socket: str

    @property
    def life_lock(self) -> str:
        """Held by the daemon as long as it lives."""
        return os.path.join(self.directory, "lock")

    @property
    def start_lock(self) -> str:
        """Held by whoever starts one."""
        return os.path.join(self.directory, "start.lock")

    @property
    def record(self) -> str:
        """Who the daemon is."""
        return os.path.join(self.directory, "daemon.json")

    @property
    def log(self) -> str:
        """What the daemon has to say."""
        return os.path.join(self.directory, "daemon.log")


def house_of(root: str, environment: Mapping[str, str]) -> House:
    """The house of a workspace, whether or not anybody lives there."""
    name = _name_of(root)
    directory = os.path.join(houses(environment), name)
    socket = os.path.join(places.runtime_directory(environment) or directory, f"groundwire-{name}.sock")
    if len(os.fsencode(socket)) > LONGEST_SOCKET:
        socket = os.path.join(_short_directory(), f"{_name_of(directory)}.sock")
    return House(root, directory, socket)


def houses(environment: Mapping[str, str]) -> str:
    """Where all of them are."""
    return os.path.join(places.state_directory(environment), "daemons")


def furnish(house: House) -> None:
    """Make its directories. Raises DaemonUnavailable when they cannot be made, or are not ours alone."""
    try:
        os.makedirs(os.path.dirname(house.directory), mode=0o700, exist_ok=True)
        _make_private(house.directory)
        if os.path.dirname(house.socket) == _short_directory():
            _make_private(_short_directory())
    except OSError as problem:
        raise DaemonUnavailable(f"there is no place for a background process: {problem}") from None


def _make_private(directory: str) -> None:
    os.makedirs(directory, mode=0o700, exist_ok=True)
    if not hasattr(os, "getuid"):
        return  # the directory of a user is private on Windows
    found = os.lstat(directory)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise DaemonUnavailable(
            f"{directory} belongs to somebody else", hint="Remove it, or set XDG_STATE_HOME to a directory of yours."
        )
    if stat.S_IMODE(found.st_mode) != 0o700:
        os.chmod(directory, 0o700)


def _short_directory() -> str:
    who = os.getuid() if hasattr(os, "getuid") else 0
    return f"/tmp/groundwire-{who}"  # noqa: S108  made private, and checked to be


def _name_of(path: str) -> str:
    return blake2b(os.fsencode(path), digest_size=_NAME_BYTES).hexdigest()

"""Where the servers are that groundwire installed for this user, and which of them count.

    DATA/servers/<id>/<version>-<fingerprint>/   one installation: its files, its receipt, and ``bin`` with its commands
    DATA/servers/<id>/current                    the one that counts: a link, or a file with its name

An installation is built where it stays, since a Python environment cannot be moved. It counts once ``current`` names
it, which is the last thing that happens to it, in one step. So nothing ever sees half of one.
Above: ``binaries`` and ``install``. Below: ``errors``.
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

import msgspec

from groundwire.errors import InvalidArgument

COMMANDS = "bin"
CURRENT = "current"
RECEIPT = "receipt.json"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What an installation says of itself; written when it is complete."""

    id: str
    version: str
    method: str
    packages: tuple[str, ...]
    commands: tuple[str, ...]
    when: datetime


class InstalledServer(msgspec.Struct, frozen=True):
    """An installation that counts."""

    id: str
    version: str
    path: Path
    when: datetime


def managed_directory(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """The directory of this user for what groundwire installs.

    Raises:
        InvalidArgument: ``GROUNDWIRE_DATA_DIR`` is relative, and would mean something else in every directory.

    """
    chosen = environment.get("GROUNDWIRE_DATA_DIR", "")
    if chosen:
        if not Path(chosen).is_absolute():
            raise InvalidArgument(
                f"GROUNDWIRE_DATA_DIR is {chosen!r}, which is relative", hint="Give it the full path of a directory."
            )
        return Path(chosen)
    shared = environment.get("XDG_DATA_HOME", "")
    # The XDG convention has a relative one ignored.
    base = Path(shared) if shared and Path(shared).is_absolute() else _platform_default(environment, platform)
    return base / "groundwire"


def servers_directory(environment: Mapping[str, str]) -> Path:
    """Where the installations are, by the id of the server."""
    return managed_directory(environment) / "servers"


def server_directory(environment: Mapping[str, str], server: str) -> Path:
    """The directory that belongs to one server and to nothing else.

    Raises:
        InvalidArgument: the id, or a link in its place, leads elsewhere.

    """
    servers = servers_directory(environment)
    directory = servers / server
    if not is_plain_name(server) or directory.is_symlink():
        raise InvalidArgument(
            f"{server!r} leads out of {servers}",
            hint="Name a server by its id; `groundwire install --list` shows those that are installed.",
        )
    return directory


def installed(environment: Mapping[str, str]) -> list[InstalledServer]:
    """Everything that counts as installed, by id."""
    found = (current_installation(directory) for directory in _server_directories(environment))
    return [each for each in found if each]


def managed_bin_directories(environment: Mapping[str, str]) -> list[Path]:
    """Where the commands of the installed servers are. Each directory holds those of one server and nothing else."""
    return [each.path / COMMANDS for each in installed(environment)]


def current_installation(directory: Path) -> InstalledServer | None:
    """The installation that counts among those of one server."""
    name = _current_name(directory / CURRENT)
    receipt = read_receipt(directory / name) if name else None
    if receipt is None or receipt.id != directory.name:
        return None
    return InstalledServer(receipt.id, receipt.version, directory / name, receipt.when)


def read_receipt(installation: Path) -> Receipt | None:
    """The receipt of a complete installation; none of one that is not."""
    try:
        return msgspec.json.decode((installation / RECEIPT).read_bytes(), type=Receipt)
    except (OSError, msgspec.MsgspecError):
        return None


def write_receipt(installation: Path, receipt: Receipt) -> None:
    """Declares the installation complete."""
    (installation / RECEIPT).write_bytes(msgspec.json.format(msgspec.json.encode(receipt)) + b"\n")


def make_current(installation: Path, *, by_link: bool = os.name != "nt") -> None:
    """From now on this one counts; whoever looks sees the one before or this one."""
    directory = installation.parent
    with tempfile.TemporaryDirectory(prefix=".pointer-", dir=directory) as scratch:
        pointer = Path(scratch, CURRENT)
        if not (by_link and _is_linked(pointer, installation.name)):
            pointer.write_text(installation.name, "utf-8")
        pointer.replace(directory / CURRENT)


def is_plain_name(name: str) -> bool:
    """Whether a name can stand for a file inside a directory and for nothing else."""
    return _PLAIN_NAME.fullmatch(name) is not None


def _is_linked(pointer: Path, name: str) -> bool:
    try:
        pointer.symlink_to(name)
    except OSError:  # not every file system has links
        return False
    return True


def _current_name(pointer: Path) -> str:
    try:
        name = str(pointer.readlink()) if pointer.is_symlink() else pointer.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return name if is_plain_name(name) else ""


def _server_directories(environment: Mapping[str, str]) -> Iterator[Path]:
    try:
        entries = sorted(servers_directory(environment).iterdir())
    except OSError:
        return
    yield from (entry for entry in entries if is_plain_name(entry.name) and not entry.is_symlink())


def _platform_default(environment: Mapping[str, str], platform: str) -> Path:
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA", "") or _home(environment, "USERPROFILE") / "AppData" / "Local")
    if platform == "darwin":
        return _home(environment, "HOME") / "Library" / "Application Support"
    return _home(environment, "HOME") / ".local" / "share"


def _home(environment: Mapping[str, str], variable: str) -> Path:
    named = environment.get(variable, "")
    return Path(named) if named else Path.home()

"""Who the daemon of a workspace is, as it wrote it down: to be shown, to be ended by, and to be reached by where there
are no sockets in the file system.

Above: ``meeting``, ``server``, ``control``. Below: ``house``.
"""

import json
import os
from collections.abc import Mapping
from typing import NamedTuple, cast

from groundwire.daemon.house import House, houses
from groundwire.version import VERSION


class Record(NamedTuple):
    """``port`` and ``token`` where it listens on the loopback interface instead of a socket in the file system."""

    pid: int
    root: str
    version: str = VERSION
    started: float = 0.0
    """Seconds since 1970."""
    port: int = 0
    token: str = ""


def write_record(house: House, record: Record) -> None:
    """Replaces what was there; only this user can read it."""
    beside = f"{house.record}.{record.pid}"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(record._asdict(), file)
    os.replace(beside, house.record)


def read_record(path: str) -> Record | None:
    """None when there is none that can be read."""
    try:
        with open(path, encoding="utf-8") as file:
            found = cast("object", json.load(file))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    members = cast("dict[str, object]", found)
    pid, root, version, token = (members.get(name) for name in ("pid", "root", "version", "token"))
    started, port = members.get("started"), members.get("port")
    # Whatever stands for more than one process must never be ended by.
    if not isinstance(pid, int) or isinstance(pid, bool) or pid <= 1 or not isinstance(root, str):
        return None
    return Record(
        pid,
        root,
        version if isinstance(version, str) else "",
        started if isinstance(started, int | float) else 0.0,
        port if isinstance(port, int) else 0,
        token if isinstance(token, str) else "",
    )


def all_records(environment: Mapping[str, str]) -> list[Record]:
    """Of every workspace that has, or had, a daemon."""
    directory = houses(environment)
    try:
        names = sorted(os.listdir(directory))
    except OSError:
        return []
    found = (read_record(os.path.join(directory, name, "daemon.json")) for name in names)
    return [record for record in found if record is not None]

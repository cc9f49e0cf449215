"""What one name of the workspace holds, as one short hash; and whether it leads out of the workspace.

A link is what is written in it: where that leads is a file of its own, or out of sight. Above: ``world``,
``surroundings``. Below: ``pool.tree``.
"""

import os
import stat
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from groundwire.pool.tree import fingerprint

HASH_SIZE = 16
LARGEST_READ = 16 * 1024 * 1024
"""What is larger is known by its times and size: that it is the same is then said too rarely, never too often."""

_STEP_OUT = b"../"


class Known(NamedTuple):
    """``stamp`` is ``pool.tree.fingerprint``: while it is the same and settled, so is the content."""

    stamp: int
    content: bytes
    is_stray: bool
    """Whether it names something outside of the workspace, where changes are not seen."""


def short_hash(data: bytes) -> bytes:
    """Of any content."""
    return blake2b(data, digest_size=HASH_SIZE).digest()


def look_at(root: str, relative: str, now: int, before: Known | None = None) -> Known | None:
    """What is there now; None for nothing. What has the stamp from ``before`` is not read again."""
    path = f"{root}/{relative}"
    try:
        found = os.lstat(path)
        stamp = fingerprint(found, now)
        if before is not None and before.stamp == stamp and stamp != -1:
            return before
        if stat.S_ISDIR(found.st_mode):
            return None
        return _read(root, relative, found, stamp)
    except FileNotFoundError:
        return None
    except OSError as error:  # not ours to read, and so not the server's either
        return Known(-1, short_hash(f"unreadable {error.errno}".encode()), is_stray=False)


def _read(root: str, relative: str, found: os.stat_result, stamp: int) -> Known:
    path = f"{root}/{relative}"
    if stat.S_ISLNK(found.st_mode):
        target = Path(path).readlink()
        real = os.path.realpath(path)
        is_inside = real.startswith(f"{root}/")
        return Known(stamp, short_hash(b"link " + os.fsencode(target)), is_stray=not is_inside)
    if not stat.S_ISREG(found.st_mode):
        return Known(stamp, short_hash(b"no file"), is_stray=False)
    if found.st_size > LARGEST_READ:
        seen = f"large {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"
        return Known(stamp, short_hash(seen.encode()), is_stray=False)
    data = Path(path).read_bytes()
    # As many steps up as it lies deep, and one more: an include, an import, a project beside this one.
    is_stray = _STEP_OUT * (relative.count("/") + 1) in data
    return Known(stamp, short_hash(data), is_stray)


IsWanted = Callable[[str], bool]
"""Whether a file of this name counts at all."""

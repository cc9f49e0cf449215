"""Whom a process has started, and whom these: as Linux lists them, else by a look at every process that there is.

Above: ``family``. Below: psutil, ``/proc``.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

import psutil

_MOST_READS = 5


def descendants(leader: int) -> list[psutil.Process]:
    """Those that are there now; none where the leader is gone."""
    pids = _listed(leader) if sys.platform == "linux" else None
    if pids is None:
        with suppress(psutil.NoSuchProcess):
            return psutil.Process(leader).children(recursive=True)
        return []
    found: list[psutil.Process] = []
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            found.append(psutil.Process(pid))
    return found


def _listed(leader: int) -> list[int] | None:
    """By the kernel's own lists; None where it keeps none."""
    found: dict[int, None] = {}
    waiting = [leader]
    while waiting:
        children = _children(waiting.pop())
        if children is None:
            return None
        waiting += [pid for pid in children if pid not in found]
        found.update(dict.fromkeys(children))
    return list(found)


def _children(pid: int) -> list[int] | None:
    """While one of them ends another may be left out: only what is read twice is believed."""
    before = _read_children(pid)
    for _ in range(_MOST_READS):
        now = _read_children(pid)
        if now == before:
            return now
        before = now
    return None  # they come and go too fast


def _read_children(pid: int) -> list[int] | None:
    children: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - names are all that is needed of them
    except OSError:  # it has ended
        return children
    for thread in threads:
        try:
            children += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_bytes().split())
        except ProcessLookupError:  # the thread has ended while it was read
            continue
        except OSError:
            if os.path.lexists(f"/proc/{pid}/task/{thread}"):
                return None  # a kernel without such lists, or one that keeps them from us
    return children

"""Linux's inotify through libc: put a watch on a directory, read what is queued, never wait.

The kernel queues an event before the call that caused it returns. So what a read finds includes every change that
finished before the read. Not seen by the kernel: writes into mapped memory before the file is closed, writes through
another hard link of the file, and anything done by another machine. Above: ``inotify``. Below: nothing.
"""

import ctypes
import os
import select
import struct
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

from groundwire.errors import Internal

IN_MODIFY = 0x2
IN_ATTRIB = 0x4
IN_CLOSE_WRITE = 0x8
IN_MOVED_FROM = 0x40
IN_MOVED_TO = 0x80
IN_CREATE = 0x100
IN_DELETE = 0x200
IN_Q_OVERFLOW = 0x4000
IN_IGNORED = 0x8000
IN_ONLYDIR = 0x0100_0000
IN_DONT_FOLLOW = 0x0200_0000

# MODIFY is for a write that has returned while the file stays open, CLOSE_WRITE for what was written through mapped
# memory, ATTRIB for what has become readable, or was touched so that somebody looks at it again. The end of a watched
# directory needs none: its parent tells of it, and IGNORED always comes.
_MASK = (
    IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE
    | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
)  # fmt: skip

_HEADER = struct.Struct("iIII")
_HEADER_SIZE = _HEADER.size
_MEANING = IN_Q_OVERFLOW | IN_IGNORED
"""All that matters of a mask: every other event only says where to look."""
_READ_SIZE = 65_536
_OFTEN_SEEN = 512
_LARGEST_EVENT = _HEADER_SIZE + 256


class Event(NamedTuple):
    """Something happened to ``name`` in the directory of the watch, or to that directory itself when it has no name."""

    watch: int
    mask: int
    name: str


class EventQueue(Protocol):
    """What is needed of the kernel."""

    def watch(self, path: str, *, follow: bool) -> int:
        """Watch a directory. The same directory gives the same number for as long as it is watched."""
        ...

    def unwatch(self, watch: int) -> None:
        """No more events for it."""
        ...

    def read(self) -> list[Event]:
        """What is queued now, oldest first."""
        ...

    def fileno(self) -> int:
        """Readable when something is queued."""
        ...

    def close(self) -> None:
        """Give everything back."""
        ...


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, path: str | None = None) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), path)
    return result


class KernelQueue:
    """An inotify descriptor."""

    def __init__(self) -> None:
        self._add = _libc().inotify_add_watch
        self._remove = _libc().inotify_rm_watch
        self._descriptor = _checked(int(_libc().inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)))
        poller = select.poll()
        poller.register(self._descriptor, select.POLLIN)
        self._poll = poller.poll

    def watch(self, path: str, *, follow: bool) -> int:
        """As in ``EventQueue``."""
        mask = _MASK if follow else _MASK | IN_DONT_FOLLOW
        return _checked(int(self._add(self._descriptor, os.fsencode(path), ctypes.c_uint32(mask))), path)

    def unwatch(self, watch: int) -> None:
        """As in ``EventQueue``."""
        self._remove(self._descriptor, watch)  # it fails only for a watch that the kernel has dropped by itself

    def read(self) -> list[Event]:
        """As in ``EventQueue``."""
        events: list[Event] = []
        while self._poll(0):  # a third of the price of a read that finds nothing
            data = os.read(self._descriptor, _READ_SIZE)
            events += _parse_again(data) if len(data) <= _OFTEN_SEEN else _parse(data)
            if len(data) <= _READ_SIZE - _LARGEST_EVENT:  # there was room for more, so there was no more
                break
        return events

    def fileno(self) -> int:
        """As in ``EventQueue``."""
        return self._descriptor

    def close(self) -> None:
        """As in ``EventQueue``."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1  # the number may soon be another file's
            self._poll = _refuse


def _refuse(_timeout: float | None = None, /) -> list[tuple[int, int]]:
    raise Internal("the watcher is closed")


def _parse(data: bytes) -> tuple[Event, ...]:
    """The events; one that says the same as one before it in ``data`` is left out, for a single save makes several."""
    events: dict[tuple[int, int, bytes], Event] = {}
    at, end = 0, len(data)
    while at < end:
        watch, mask, _cookie, length = _HEADER.unpack_from(data, at)
        at += _HEADER_SIZE
        said = (watch, mask & _MEANING, data[at : at + length])
        at += length
        if said not in events:
            events[said] = Event(watch, mask, os.fsdecode(said[2].rstrip(b"\0")))
    return tuple(events.values())


# A file that is edited is edited again, which gives the very same bytes; and parsing is most of what a question pays
# for the watcher when the processor's caches are cold.
_parse_again = lru_cache(maxsize=256)(_parse)

"""Finding the daemon of a workspace, starting it when there is none, and being greeted by it.

Nothing but the standard library, and little of that: agents wait for the processes that come through here.
Above: ``surfaces``. Below: ``house``, ``greeting``, ``starting``, ``record``, ``locks``, ``peer``.
"""

import contextlib
import os
import signal
import socket
import time
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple, Protocol, cast

from groundwire.daemon.greeting import LONGEST_LINE, Greeting, Welcome, dump, read_welcome
from groundwire.daemon.house import House, furnish, house_of
from groundwire.daemon.locks import FileLock
from groundwire.daemon.peer import is_own
from groundwire.daemon.record import read_record
from groundwire.errors import DaemonUnavailable, Wire

ANSWER_S = 15.0
"""A daemon that does not greet for this long is stuck."""

_EVERY_S = 0.01
_MOST_REFUSALS = 2
"""A program that finds another version of itself than it is must not start daemons for ever."""
HAS_UNIX_SOCKETS = hasattr(socket, "AF_UNIX")


class _Starting(Protocol):
    """Loaded by name when it is needed, which is once in many times."""

    def start_daemon(self, house: House, environment: Mapping[str, str], deadline: float) -> None: ...


class Link(NamedTuple):
    """A conversation that has begun."""

    socket: socket.socket
    welcome: Welcome


def meet(greeting: Greeting, environment: Mapping[str, str], deadline: float, *, starts: bool = True) -> Link | None:
    """The beginning of a conversation. ``deadline`` is of ``time.monotonic``.

    None only when there is no daemon and ``starts`` is false. Raises DaemonUnavailable.
    """
    house = house_of(greeting.root, environment)
    refusals = 0
    while True:
        link = _greet(house, greeting, deadline)
        if link is not None and link.welcome.is_welcome:
            return link
        if link is not None:
            refusals += 1
            _refused(link, is_last=refusals > _MOST_REFUSALS)
        if not starts:
            return None
        _require_time(deadline, house)
        _start(house, environment, deadline)


def _start(house: House, environment: Mapping[str, str], deadline: float) -> None:
    """One daemon, however many want one at this moment."""
    furnish(house)
    starting = cast("_Starting", import_module("groundwire.daemon.starting"))
    try:
        with FileLock(house.start_lock, deadline):
            reached = connect(house)
            if reached is not None:  # whoever waited here finds the daemon of the one before
                reached.close()
                time.sleep(_EVERY_S)  # one that does not greet is not asked without a pause
                return
            starting.start_daemon(house, environment, deadline)
    except TimeoutError:
        raise DaemonUnavailable("the background process is slow to start") from None
    except OSError as problem:
        raise DaemonUnavailable(f"the background process cannot be started: {problem}") from None
    while (reached := connect(house)) is None:  # another one came first, and is about to listen
        _require_time(deadline, house)
        time.sleep(_EVERY_S)
    reached.close()


def _greet(house: House, greeting: Greeting, deadline: float) -> Link | None:
    """What the daemon says; None when there is none. One that is stuck is ended."""
    reached = connect(house)
    if reached is None:
        return None
    record = None if HAS_UNIX_SOCKETS else read_record(house.record)
    now = time.monotonic()
    try:
        reached.settimeout(max(min(deadline - now, ANSWER_S), 0.001))
        reached.sendall(dump(greeting._replace(token=record.token if record is not None else "")))
        line = _read_line(reached)
        if not line:  # it ended just now
            reached.close()
            return None
        reached.settimeout(None)
        return Link(reached, read_welcome(line))
    except TimeoutError:
        reached.close()
        if time.monotonic() - now >= ANSWER_S:
            _end_stuck(house)
            return None
        raise DaemonUnavailable("the background process did not answer in time") from None
    except (OSError, Wire):
        reached.close()
        return None


def _refused(link: Link, *, is_last: bool) -> None:
    """Waits until it is gone when it makes room. Raises DaemonUnavailable otherwise."""
    with contextlib.closing(link.socket):
        if is_last or not link.welcome.is_leaving:
            raise DaemonUnavailable(link.welcome.error or "the background process refused", hint=link.welcome.hint)
        link.socket.settimeout(ANSWER_S)
        with contextlib.suppress(OSError):
            while link.socket.recv(4096):
                pass


def connect(house: House) -> socket.socket | None:
    """Whoever listens there; None when nobody does. Raises DaemonUnavailable when it is somebody else's."""
    try:
        if HAS_UNIX_SOCKETS:
            reached = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                reached.connect(house.socket)
            except OSError:
                reached.close()
                raise
            return _of_this_user(reached, house)
        record = read_record(house.record)
        return socket.create_connection(("127.0.0.1", record.port), ANSWER_S) if record and record.port else None
    except OSError:
        return None


def _of_this_user(reached: socket.socket, house: House) -> socket.socket:
    """Where others can make directories, too, one of them may listen in our place."""
    if is_own(reached):
        return reached
    reached.close()
    raise DaemonUnavailable(f"{house.socket} belongs to somebody else", hint="Remove it, or ask who did this.")


def _read_line(reached: socket.socket) -> bytes:
    """Just the line: what comes behind it is the conversation's."""
    line = b""
    while not line.endswith(b"\n"):
        seen = reached.recv(65536, socket.MSG_PEEK)
        if not seen or len(line) > LONGEST_LINE:
            return b""
        line += reached.recv(seen.find(b"\n") + 1 or len(seen))
    return line


def _end_stuck(house: House) -> None:
    """End a daemon that neither greets nor lets go, if it is still the one who wrote the record."""
    record, lock = read_record(house.record), FileLock(house.life_lock)
    if lock.take():
        lock.release()
        return  # it is gone already
    if record is not None and record.pid != os.getpid():
        with contextlib.suppress(OSError):
            os.kill(record.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    until = time.monotonic() + ANSWER_S
    while not lock.take() and time.monotonic() < until:
        time.sleep(_EVERY_S)
    lock.release()


def _require_time(deadline: float, house: House) -> None:
    if time.monotonic() > deadline:
        raise DaemonUnavailable("the background process did not answer in time", hint=f"Its log is {house.log}.")

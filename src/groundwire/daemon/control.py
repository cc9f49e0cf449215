"""What can be asked of a daemon about itself, and that it end: one line of JSON each way.

Above: ``background`` (which answers), ``surfaces.cli.daemon`` (which asks). Below: ``server``, ``meeting``, ``record``.
"""

import asyncio
import json
import os
import time
from collections.abc import Callable, Mapping
from typing import cast

import psutil

from groundwire.daemon.greeting import Greeting, relevant
from groundwire.daemon.house import House, house_of
from groundwire.daemon.locks import FileLock
from groundwire.daemon.meeting import Link, meet
from groundwire.daemon.record import read_record
from groundwire.daemon.server import Daemon
from groundwire.errors import DaemonUnavailable

_ANSWER_S = 10.0
_EVERY_S = 0.02


class Control:
    """The daemon's side. ``servers`` tells what runs."""

    def __init__(self, servers: Callable[[], list[dict[str, object]]]) -> None:
        self._servers = servers
        self.daemon: Daemon | None = None

    async def converse(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers what ``options`` ask for."""
        daemon = self.daemon
        if daemon is None:
            return
        if greeting.options.get("do") == "stop":
            daemon.leave("it was told to")
        writer.write(json.dumps(self._status(daemon)).encode() + b"\n")
        await writer.drain()
        await reader.read()  # until whoever asked has read it

    def _status(self, daemon: Daemon) -> dict[str, object]:
        now = time.monotonic()
        return {
            "pid": os.getpid(),
            "root": daemon.house.root,
            "uptime_s": round(time.time() - daemon.started, 1),
            "memory_mb": round(psutil.Process().memory_info().rss / 1e6, 1),
            "idle_s": round(daemon.clients.idle_s, 1),
            "idle_exit_s": daemon.idle_exit_s,
            "is_outdated": daemon.is_outdated(),
            "log": daemon.house.log,
            "clients": [
                {"client": each.client, "conversation": each.conversation, "since_s": round(now - each.since, 1)}
                for each in daemon.clients.all
            ],
            "servers": self._servers(),
        }


def ask_daemon(root: str, environment: Mapping[str, str], *, do: str = "status") -> dict[str, object] | None:
    """What the daemon of a workspace says; None when there is none. Raises DaemonUnavailable."""
    greeting = Greeting("control", root, client="control", options={"do": do}, environment=relevant(environment))
    link = meet(greeting, environment, time.monotonic() + _ANSWER_S, starts=False)
    return _answer(link) if link is not None else None


def stop_daemon(root: str, environment: Mapping[str, str]) -> bool:
    """End the daemon of a workspace, and wait until it is gone; whether there was one. Raises DaemonUnavailable."""
    house = house_of(root, environment)
    last = ask_daemon(root, environment, do="stop")
    if last is None:
        return False
    _wait_until_gone(house, last.get("pid"))
    return True


def is_alive(house: House) -> bool:
    """Whether somebody holds the lock of a daemon's life."""
    if read_record(house.record) is None:
        return False
    lock = FileLock(house.life_lock)
    try:
        is_free = lock.take()
    except OSError:  # there is not even a directory
        return False
    lock.release()
    return not is_free


def _wait_until_gone(house: House, pid: object) -> None:
    until = time.monotonic() + _ANSWER_S
    while is_alive(house) and _who_lives_there(house) == pid:
        if time.monotonic() > until:
            raise DaemonUnavailable("the background process does not end", hint=f"Its log is {house.log}.")
        time.sleep(_EVERY_S)


def _who_lives_there(house: House) -> int | None:
    record = read_record(house.record)
    return record.pid if record is not None else None


def _answer(link: Link) -> dict[str, object]:
    with link.socket:
        link.socket.settimeout(_ANSWER_S)
        line = b""
        try:
            while not line.endswith(b"\n") and (chunk := link.socket.recv(65536)):
                line += chunk
            return cast("dict[str, object]", json.loads(line))
        except (OSError, ValueError):
            raise DaemonUnavailable("the background process ended while it was asked") from None

"""Starting a daemon: detached from whoever starts it, and waited for until it listens or says why it cannot.

Above: ``meeting``. Below: ``house``.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from typing import cast

from groundwire.daemon.house import House
from groundwire.errors import DaemonUnavailable

READY = b"ready\n"
"""What it says once it listens."""
TAKEN = b"taken\n"
"""What it says when another one lives already, or is about to."""

_LONGEST_WORD = 65536


def start_daemon(house: House, environment: Mapping[str, str], deadline: float) -> None:
    """One that listens by the time this returns, unless another one has come before it. Raises DaemonUnavailable with
    its own reason; one that is slow is left to it, and is there for whoever comes later.
    """
    process = _spawn(house, environment)
    word = _first_word(process, deadline)
    if word is None:
        raise DaemonUnavailable("the background process is slow to start", hint=f"Ask again; its log is {house.log}.")
    if word not in (READY, TAKEN):
        raise _failure(word, house)


def _spawn(house: House, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    # -P: a module in whatever directory this is must not be taken for one of Python's own.
    command = [sys.executable, "-P", "-m", "groundwire.background", house.root]
    complaints = _open_log(house)
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            cwd=house.directory,
            env=dict(environment),
            start_new_session=True,
            creationflags=getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as problem:
        raise DaemonUnavailable(f"a background process cannot be started: {problem}") from None
    finally:
        os.close(complaints)


def _open_log(house: House) -> int:
    """Where Python itself says why it cannot go on."""
    try:
        return os.open(house.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY)


def _first_word(process: "subprocess.Popen[bytes]", deadline: float) -> bytes | None:
    """What it says when it listens, or fails; empty when it ended without a word, None when the time is over."""
    said: list[bytes] = []

    def listen() -> None:
        assert process.stdout is not None  # noqa: S101  it was asked for
        with process.stdout:
            said.append(process.stdout.readline(_LONGEST_WORD))

    # Pipes cannot be waited for in every system; a thread that is left behind ends with its process.
    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    thread.join(max(deadline - time.monotonic(), 0))
    if os.name == "nt":
        process.returncode = 0  # there it is our child as long as it lives, and need not be waited for
    elif not thread.is_alive():
        process.wait()  # what was started has left the daemon to the system, and ended
    return said[0] if said else None


def _failure(word: bytes, house: House) -> DaemonUnavailable:
    try:
        told = cast("dict[str, str]", json.loads(word))
        return DaemonUnavailable(told["error"], hint=told.get("hint"))
    except (ValueError, KeyError, TypeError):
        return DaemonUnavailable("the background process did not start", hint=f"Its log is {house.log}.")

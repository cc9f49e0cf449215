"""On Linux the kernel kills a child whose parent dies: one of two nets under ``kill -9``; ``guardian`` is the other.

A child has to ask for that itself, before it becomes the server. Where two small programs can do it in its place, it is
started without a copy of our memory: to copy that takes 10 ms and more for each 100 MB, and nobody is answered
meanwhile. Else the copy asks. Above: ``process``. Below: one call into the C library; ``setpriv`` and ``dash``.
"""

import ctypes
import os
import re
import signal
import stat
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

PR_SET_PDEATHSIG = 1

_SETPRIV, _SHELL = "/usr/bin/setpriv", "/bin/sh"
_BECOME = '[ "$PPID" = "$0" ] || exit 1; if [ -n "$1" ]; then PWD=${1#=}; else unset PWD; fi; shift; exec "$@"'
"""The parent may have died before the request was made. Of PWD the shell has an idea of its own."""
_OF_THE_SHELL = frozenset({"IFS", "LINENO", "OPTIND", "PPID"})
_INTERPRETER = re.compile(rb"#![ \t]*([^ \t\n]+)")
_HEADER = 20
_MACHINE = (slice(4, 6), slice(18, 20))
"""Where a program says for what kind of machine it is."""

if sys.platform == "linux":
    # Loaded now: after a fork, only what is already in place may be used. PyDLL keeps the interpreter lock during the
    # call, so that the new process, which has one thread only, never has to ask for it.
    _prctl = ctypes.PyDLL(None).prctl
    _prctl.argtypes = (ctypes.c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong)


class Birth(NamedTuple):
    """How to start a command, and what a copy of ours does before it becomes that."""

    command: tuple[str, ...]
    preparation: Callable[[], None] | None = None


def born_to_die_with_parent(command: tuple[str, ...], env: Mapping[str, str]) -> Birth:
    """The command as it is to be started; as it is where the system offers nothing.

    The kernel binds this to the thread that spawns, not to the process: spawn from a thread that lives as long as the
    server shall (the event loop's).
    """
    if sys.platform != "linux":
        return Birth(command)
    if not _has_launchers() or not _is_sure_to_start(command[0]) or not all(map(_is_handed_on, env)):
        return Birth(command, _ask_for_the_signal(os.getpid()))
    directory = f"={env['PWD']}" if "PWD" in env else ""
    launcher = (_SETPRIV, "--pdeathsig", "KILL", "--", _SHELL, "-c", _BECOME, str(os.getpid()), directory)
    return Birth((*launcher, *command))


def _ask_for_the_signal(parent: int) -> Callable[[], None]:
    fatal = int(signal.SIGKILL)

    def ask() -> None:
        _prctl(PR_SET_PDEATHSIG, fatal, 0, 0, 0)
        # The parent may have died before the request was made.
        if os.getppid() != parent:
            os._exit(1)

    return ask


@cache
def _has_launchers() -> bool:
    """Whether both are there and are those that are meant: older ones, and those of BusyBox, cannot do it, and other
    shells leave traces in the environment."""
    try:
        return Path(_SHELL).resolve().name == "dash" and b"pdeathsig" in Path(_SETPRIV).read_bytes()
    except OSError:
        return False


def _is_handed_on(variable: str) -> bool:
    """Whether the shell leaves it as it is: what is no name to it it drops. And it means nothing to the small programs:
    libraries that are meant for a server may not be for them."""
    is_name = variable.isidentifier() and variable.isascii()
    return is_name and variable not in _OF_THE_SHELL and not variable.startswith("LD_")


def _is_sure_to_start(program: str) -> bool:
    """Otherwise the system's own reason would be lost, and the shell might take the program for a script."""
    if _is_native(program):
        return True
    interpreter = _interpreter_of(_beginning(program, 256))
    return interpreter != "" and os.access(program, os.X_OK) and _is_native(interpreter)


def _interpreter_of(beginning: bytes) -> str:
    """What a script names in its first line; as the kernel reads it, to which a carriage return is part of the name."""
    named = _INTERPRETER.match(beginning)
    return os.fsdecode(named[1]) if named else ""


def _is_native(program: str) -> bool:
    """Whether it is a program for this machine, named so that it cannot be another."""
    beginning = _beginning(program, _HEADER)
    is_program = beginning.startswith(b"\x7fELF") and os.access(program, os.X_OK)
    return is_program and _machine(beginning) == _machine(_beginning(sys.executable, _HEADER))


def _machine(beginning: bytes) -> tuple[bytes, ...]:
    return tuple(beginning[part] for part in _MACHINE)


def _beginning(program: str, size: int) -> bytes:
    if not program.startswith("/"):
        return b""
    try:
        descriptor = os.open(program, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        return os.read(descriptor, size) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)

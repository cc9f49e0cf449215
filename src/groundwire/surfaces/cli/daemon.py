"""``groundwire daemon status|stop|restart|logs``: the background process of a workspace, or of all.

Above: ``main``. Below: ``daemon.control``, ``daemon_screen``, ``log_tail``.
"""

import contextlib
import json
import os
import sys
import time
from pathlib import Path

import msgspec

from groundwire.daemon.control import ask_daemon, is_alive, stop_daemon
from groundwire.daemon.greeting import Greeting, relevant
from groundwire.daemon.house import house_of
from groundwire.daemon.meeting import Link, meet
from groundwire.daemon.record import all_records
from groundwire.errors import DaemonUnavailable, FileNotFound
from groundwire.operations.serving.workspace import find_workspace
from groundwire.surfaces.cli.arguments import Arguments
from groundwire.surfaces.cli.daemon_screen import DaemonState, status_lines, table_lines
from groundwire.surfaces.cli.log_tail import follow, last_lines
from groundwire.surfaces.cli.page import page_of

_DONE = 0
_FAILED = 1
_START_S = 30.0


def run(arguments: Arguments) -> int:
    """Does what was asked, and gives the exit status."""
    return _ACTIONS[arguments.action](arguments)


def _status(arguments: Arguments) -> int:
    states = [_state(root) for root in _roots(arguments)]
    if arguments.json:
        _say_json({"ok": True, "daemons": msgspec.to_builtins([state for state in states if state.is_there])})
    elif arguments.every:
        _say(*table_lines(states, page_of(sys.stdout)))
    else:
        _say(*status_lines(states[0], page_of(sys.stdout)))
    return _DONE


def _stop(arguments: Arguments) -> int:
    stopped: list[str] = []
    failed: list[DaemonUnavailable] = []
    for root in _roots(arguments):
        try:
            if stop_daemon(root, os.environ):
                stopped.append(root)
        except DaemonUnavailable as problem:
            failed.append(problem)
    if arguments.json:
        problems = [problem.as_dict() for problem in failed]
        _say_json({"ok": not failed, "stopped": stopped, "problems": problems})
        return _FAILED if failed else _DONE
    _say(*(f"Stopped: {root}" for root in stopped))
    for problem in failed:
        sys.stderr.write(f"groundwire: {problem.message}\nhint: {problem.hint}\n")
    if not stopped and not failed:
        _say("Nothing to stop: no background process runs.")
    return _FAILED if failed else _DONE


def _restart(arguments: Arguments) -> int:
    root = _root(arguments)
    was_there = stop_daemon(root, os.environ)
    link = _greet(root, starts=True)
    assert link is not None  # noqa: S101  it starts one, or says why not
    link.socket.close()
    if arguments.json:
        _say_json({"ok": True, "root": root, "pid": link.welcome.pid, "was_running": was_there})
    else:
        _say(f"{'Restarted' if was_there else 'Started'}: {root} (process {link.welcome.pid})")
    return _DONE


def _logs(arguments: Arguments) -> int:
    root = _root(arguments)
    log = Path(house_of(root, os.environ).log)
    if not log.exists():
        raise FileNotFound("there is no log yet", hint=f"No background process has run for {root}.")
    _say(*last_lines(log, arguments.lines))
    if arguments.follow:
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):  # the way to end it
            follow(log, sys.stdout)
    return _DONE


_ACTIONS = {"status": _status, "stop": _stop, "restart": _restart, "logs": _logs}


def _roots(arguments: Arguments) -> list[str]:
    if not arguments.every:
        return [_root(arguments)]
    living: list[str] = []
    for record in all_records(os.environ):
        house = house_of(record.root, os.environ)
        if is_alive(house):
            living.append(record.root)
        else:  # it was killed: nobody else clears it away
            with contextlib.suppress(OSError):
                Path(house.record).unlink()
    return living


def _root(arguments: Arguments) -> str:
    here = Path.cwd()
    return os.path.realpath(find_workspace(arguments.root, here / "any", here))


def _state(root: str) -> DaemonState:
    try:
        told = ask_daemon(root, os.environ)
        if told is None:
            return DaemonState(root=root)
        link = _greet(root, starts=False)
    except DaemonUnavailable as problem:
        return DaemonState(root=root, problem=problem.message)
    if link is None:
        return DaemonState(root=root)
    link.socket.close()
    state = msgspec.convert(told, DaemonState)
    own = [client for client in state.clients if client.conversation != "control"]
    return msgspec.structs.replace(state, clients=own, notes=link.welcome.notes, version=link.welcome.version)


def _greet(root: str, *, starts: bool) -> Link | None:
    greeting = Greeting("control", root, client="control", environment=relevant(os.environ))
    return meet(greeting, os.environ, time.monotonic() + _START_S, starts=starts)


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _say_json(data: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")

"""Where the system has no sockets in the file system: the loopback interface, and a token for this user only."""

import json
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.daemon.greeting import Greeting, dump, read_welcome
from groundwire.daemon.record import Record, read_record
from tests.daemon.homes import Home, within

LACKING = (
    "import functools, socket, psutil\n"  # psutil knows that this is Linux
    "socket.socketpair = functools.partial(socket.socketpair, 1)\n"
    "del socket.AF_UNIX\n"
)
"""Run at the start of every Python: such a system, as far as that can be had."""
ASK = (
    "import json, os, sys; from groundwire.daemon.control import ask_daemon, stop_daemon;"
    " print(json.dumps({'status': ask_daemon, 'stop': stop_daemon}[sys.argv[1]](sys.argv[2], os.environ)))"
)


@pytest.fixture
def lacking(home: Home) -> Home:
    """A home on such a system."""
    site = home.directory / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(LACKING)
    home.environment["PYTHONPATH"] = f"{site}{os.pathsep}{home.environment['PYTHONPATH']}"
    return home


def _control(home: Home, what: str) -> object:
    done = subprocess.run(
        [sys.executable, "-c", ASK, what, str(home.root)],
        env=home.environment,
        capture_output=True,
        check=True,
        timeout=50,
    )
    return json.loads(done.stdout)


def _record(home: Home) -> Record:
    record = read_record(home.house.record)
    assert record is not None
    return record


def _greeted(home: Home, token: str) -> bool:
    reached = socket.create_connection(("127.0.0.1", _record(home).port), 20)
    with reached, reached.makefile("rb") as lines:  # who is welcome may be told the rest at once
        reached.sendall(dump(Greeting("control", str(home.root), token=token)))
        return read_welcome(lines.readline()).is_welcome


def test_an_agent_reaches_the_daemon_and_nobody_without_the_token_does(lacking: Home) -> None:
    first = lacking.agent()
    first.initialize()
    assert "voices.toy" in first.use("find_references", symbol="shout")
    assert not Path(lacking.house.socket).exists()
    assert stat.S_IMODE(Path(lacking.house.record).stat().st_mode) == 0o600
    record = _record(lacking)
    assert len(record.token) >= 32
    for wrong in ("", "é", "\ud800", record.token[:-1], record.token + "0"):
        assert not _greeted(lacking, wrong)
    assert _greeted(lacking, record.token)
    second = lacking.agent()
    second.initialize()
    assert "voices.toy" in second.use("find_references", symbol="shout")
    assert len(lacking.daemons()) == 1
    lacking.daemons()[0].kill()
    assert "voices.toy" in first.use("find_references", symbol="shout")
    assert _record(lacking).token != record.token
    assert [agent.leave() for agent in (first, second)] == [0, 0]
    assert _control(lacking, "stop") is True
    assert within(lambda: not lacking.daemons())
    assert _control(lacking, "status") is None

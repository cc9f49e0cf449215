"""``groundwire daemon``: what runs in the background, told and ended, with real processes."""

import json
import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest

from groundwire.render.layout import Page
from groundwire.surfaces.cli.daemon_screen import ClientState, DaemonState, duration, status_lines, table_lines
from tests.daemon.homes import Home, has_ended, within


@pytest.fixture
def home(tmp_path: Path) -> Generator[Home]:
    """Whatever it started has ended when the test has, or the test fails."""
    made = Home(tmp_path)
    try:
        yield made
    finally:
        left = made.close()
    assert not left, left


def test_where_none_runs_that_is_said_and_nothing_is_started(home: Home) -> None:
    assert "no background process runs" in home.run("daemon", "status").stdout
    assert home.run("daemon", "status", "--all").stdout == "No background process runs.\n"
    assert json.loads(home.run("daemon", "status", "--json").stdout) == {"ok": True, "daemons": []}
    assert home.run("daemon", "stop").stdout == "Nothing to stop: no background process runs.\n"
    told = home.run("daemon", "logs")
    assert (told.returncode, told.stderr.startswith("groundwire: there is no log yet\nhint: ")) == (2, True)
    assert home.daemons() == []


def test_it_is_renewed_shown_and_ended(home: Home) -> None:
    assert home.run("daemon", "restart").stdout.startswith("Started: ")
    (first,) = home.daemons()
    renewed = json.loads(home.run("daemon", "restart", "--json").stdout)
    assert (renewed["was_running"], renewed["pid"] != first.pid) == (True, True)
    shown = home.run("daemon", "status").stdout
    assert f"process {renewed['pid']}, version " in shown
    assert "clients  none for " in shown
    assert "note" not in shown
    (row,) = json.loads(home.run("daemon", "status", "--all", "--json").stdout)["daemons"]
    assert (row["pid"], row["root"], row["clients"]) == (renewed["pid"], str(home.root), [])
    assert str(renewed["pid"]) in home.run("daemon", "status", "--all").stdout
    assert f"as process {renewed['pid']}" in home.run("daemon", "logs", "-n", "5").stdout
    assert home.run("daemon", "stop", "--all").stdout == f"Stopped: {home.root}\n"
    assert within(lambda: has_ended(renewed["pid"]))


def test_how_it_differs_from_what_a_new_one_would_be_is_said(home: Home) -> None:
    home.start()
    home.environment["GOPATH"] = str(home.directory)
    home.configure("idle_teardown_secs = 17")
    shown = " ".join(home.run("daemon", "status").stdout.split())
    assert "another GOPATH" in shown
    assert "the configuration has changed since" in shown


def test_the_record_of_one_that_was_killed_is_cleared_away(home: Home) -> None:
    pid = home.start()
    assert Path(home.house.record).exists()
    os.kill(pid, signal.SIGKILL)
    assert within(lambda: has_ended(pid))
    assert home.run("daemon", "status", "--all").stdout == "No background process runs.\n"
    assert not Path(home.house.record).exists()


def test_a_command_asks_the_one_that_runs_and_starts_none(home: Home) -> None:
    assert home.run("def", "animals.toy:9:16").returncode == 0
    assert home.daemons() == []
    home.start()
    told = home.run("def", "animals.toy:9:16")
    assert (told.returncode, told.stderr) == (0, "")
    assert len(home.language_servers()) == 1


def test_one_line_for_each_of_several() -> None:
    states = [
        DaemonState(root="/one", pid=7, uptime_s=7300, memory_mb=55.2, notes=["old"]),
        DaemonState(root="/two", problem="it did not answer in time"),
        DaemonState(root="/none"),
    ]
    head, *rows = table_lines(states, Page())
    assert head.split() == ["PROCESS", "FOR", "MEMORY", "CLIENTS", "SERVERS", "WORKSPACE"]
    assert [row.split()[0] for row in rows] == ["7", "?"]
    assert "2.0 h" in rows[0]
    assert "it did not answer in time" in rows[1]


def test_clients_are_counted_by_name() -> None:
    clients = [ClientState("cli"), ClientState("cli"), ClientState("", "mcp")]
    shown = list(status_lines(DaemonState(root="/one", pid=7, clients=clients), Page()))
    assert "  clients  cli (2), mcp" in shown


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s"), (59, "59 s"), (90, "1.5 min"), (1800, "30 min"), (3600, "1.0 h"), (9e5, "10 d")]
)
def test_times_are_told_roughly(seconds: float, words: str) -> None:
    assert duration(seconds) == words

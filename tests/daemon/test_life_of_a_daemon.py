"""Daemons as processes: one for a workspace, found again, replaced when it must be, gone when nobody needs it."""

import os
import shutil
import signal
import socket
import stat
from pathlib import Path

import pytest

from groundwire.daemon import meeting
from groundwire.daemon.house import house_of
from groundwire.daemon.record import read_record
from groundwire.errors import DaemonUnavailable
from tests.daemon.homes import Home, has_ended, within

AT_ONCE = 20


def test_in_one_life_twenty_agents_share_it_and_what_is_left_of_it_is_cleared_away(home: Home) -> None:
    twenty_agents_at_once_start_one_daemon_and_one_language_server(home)
    another_environment_is_told_once_with_an_answer(home)
    what_a_killed_daemon_left_behind_is_cleared_away(home)


def twenty_agents_at_once_start_one_daemon_and_one_language_server(home: Home) -> None:
    agents = [home.agent() for _ in range(AT_ONCE)]
    for agent in agents:
        agent.initialize()
    calls = [(agent, agent.call("find_references", symbol="shout")) for agent in agents]
    for agent, call in calls:
        assert "voices.toy" in str(agent.answer(call, 50))
    assert len(home.daemons()) == 1
    assert len(home.language_servers()) == 1
    assert Path(home.house.log).read_text().count("serves") == 1
    status = home.status()
    assert status is not None
    assert len(str(status["clients"]).split("'client'")) == AT_ONCE + 1
    assert [agent.leave() for agent in agents] == [0] * AT_ONCE


def another_environment_is_told_once_with_an_answer(home: Home) -> None:
    agent = home.agent(VIRTUAL_ENV="/elsewhere", GROUNDWIRE_OUTPUT="text")
    agent.initialize()
    first, second = (agent.use("find_references", symbol="shout") for _ in range(2))
    assert "Note: language servers run with another VIRTUAL_ENV;" in first
    assert "Note" not in second


def what_a_killed_daemon_left_behind_is_cleared_away(home: Home) -> None:
    agent = home.agent()
    agent.initialize()
    agent.use("find_references", symbol="shout")
    (daemon,), (server,) = home.daemons(), home.language_servers()
    agent.kill()
    daemon.kill()
    assert within(lambda: has_ended(daemon.pid) and has_ended(server.pid), 5)
    assert Path(home.house.socket).exists()
    assert home.status() is None
    assert home.start() != daemon.pid
    assert len(home.daemons()) == 1


def test_strangers_do_not_end_it_and_a_newer_version_does_when_nobody_needs_it(home: Home) -> None:
    whatever_a_stranger_says_the_daemon_stays(home)
    an_idle_daemon_makes_room_for_a_newer_version_and_one_that_is_needed_does_not(home)


def whatever_a_stranger_says_the_daemon_stays(home: Home) -> None:
    pid = home.start()
    for said in (b"\n", b"nonsense\n", b"x" * 2_000_000, b'{"root": "/elsewhere"}\n', b"[" * 99_999 + b"\n", b""):
        reached = meeting.connect(home.house)
        assert reached is not None
        with reached:
            try:
                reached.sendall(said)
                reached.shutdown(socket.SHUT_WR)
                assert b'"is_welcome": true' not in reached.recv(65536)
            except OSError:  # it has hung up
                assert said.startswith(b"x")
    assert home.start() == pid


def an_idle_daemon_makes_room_for_a_newer_version_and_one_that_is_needed_does_not(home: Home) -> None:
    with home.meet().socket:
        busy = home.greet(version="99.0")
        with busy.socket:
            assert busy.welcome.is_welcome
            assert any("99.0" in note for note in busy.welcome.notes)
        stranger = home.greet(version="99.0", protocol=99)
        with stranger.socket:
            assert not stranger.welcome.is_welcome
            assert "daemon restart" in stranger.welcome.hint
        assert not stranger.welcome.is_leaving
    (daemon,) = home.daemons()
    assert within(lambda: home.status() == {**(home.status() or {}), "clients": []})
    newer = home.greet(version="99.0")
    with newer.socket:
        assert (newer.welcome.is_welcome, newer.welcome.is_leaving) == (False, True)
    assert within(lambda: has_ended(daemon.pid))


def test_a_daemon_is_found_again_and_its_files_are_private(home: Home) -> None:
    first = home.start()
    assert home.start() == first
    record = read_record(home.house.record)
    assert record is not None
    assert (record.pid, record.root) == (first, str(home.root))
    assert stat.S_IMODE(Path(home.house.directory).stat().st_mode) == 0o700
    for private in (home.house.socket, home.house.record, home.house.life_lock, home.house.log):
        assert stat.S_IMODE(Path(private).stat().st_mode) == 0o600, private
    assert home.stop()
    assert not home.stop()
    assert within(lambda: has_ended(first))
    assert not Path(home.house.socket).exists()


def test_one_that_cannot_write_what_it_must_says_why(home: Home) -> None:
    Path(home.house.record).mkdir(parents=True)  # as good as a full disk
    Path(home.house.directory).chmod(0o700)
    with pytest.raises(DaemonUnavailable, match=r"daemon\.json"):
        home.start()
    assert within(lambda: not home.daemons())


def test_it_leaves_when_nobody_comes_when_nobody_can_and_when_there_is_nothing_to_serve(home: Home) -> None:
    home.configure("daemon = { idle_exit_secs = 1 }")
    homes = {name: home.fill(home.directory / name).resolve() for name in ("idle", "unreachable", "gone")}
    houses = {name: house_of(str(root), home.environment) for name, root in homes.items()}
    links = [home.meet(root=root) for root in homes.values()]
    Path(houses["unreachable"].socket).unlink()
    shutil.rmtree(homes["gone"])
    for link in links:
        link.socket.close()
    assert within(lambda: all(has_ended(link.welcome.pid) for link in links), 20)
    said = {name: Path(house.log).read_text() for name, house in houses.items()}
    assert "leaves: nobody needed it for 1 s" in said["idle"]
    assert "leaves: nobody can reach it any more" in said["unreachable"]
    assert "leaves: the workspace is gone" in said["gone"]
    assert not any(Path(house.socket).exists() for house in houses.values())


def test_a_client_of_a_version_that_no_daemon_here_is_does_not_start_them_for_ever(home: Home) -> None:
    with pytest.raises(DaemonUnavailable, match=r"makes room for version 99\.0"):
        home.meet(version="99.0")
    assert Path(home.house.log).read_text().count("serves") <= 3


def test_asking_a_daemon_that_is_leaving_how_it_is_starts_no_other(home: Home) -> None:
    pid = home.start()
    os.kill(pid, signal.SIGTERM)
    while (status := home.status()) is not None:
        assert status["pid"] == pid
    assert within(lambda: has_ended(pid))
    assert home.daemons() == []


def test_changed_configuration_replaces_an_idle_daemon_and_is_told_to_who_meets_a_busy_one(home: Home) -> None:
    link = home.meet()
    home.configure("severity = 'warning'")
    told = home.meet()
    assert told.welcome.pid == link.welcome.pid
    assert any("configuration has changed" in note for note in told.welcome.notes)
    link.socket.close()
    told.socket.close()
    assert within(lambda: home.start() != link.welcome.pid)
    assert within(lambda: has_ended(link.welcome.pid))


def test_a_configuration_that_is_wrong_is_told_to_who_asks_until_it_is_mended(home: Home) -> None:
    good = home.config_file.read_text()
    home.config_file.write_text("severity = 'nonsense'\n")
    agent = home.agent()
    agent.initialize()
    answer = agent.answer(agent.call("find_references", symbol="shout"))
    assert answer["result"]["isError"]
    assert "severity" in answer["result"]["content"][0]["text"]
    home.config_file.write_text(good)
    assert "voices.toy" in agent.use("find_references", symbol="shout")


def test_a_daemon_that_cannot_even_start_says_why_in_its_log(home: Home) -> None:
    broken = home.directory / "broken"
    broken.mkdir()
    (broken / "psutil.py").write_text("raise ImportError('this one is broken')\n")
    home.environment["PYTHONPATH"] = f"{broken}{os.pathsep}{home.environment['PYTHONPATH']}"
    with pytest.raises(DaemonUnavailable, match="did not start") as refused:
        home.start()
    assert home.house.log in refused.value.hint
    assert "this one is broken" in Path(home.house.log).read_text()


def test_a_daemon_that_is_stuck_is_ended_and_replaced(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = home.start()
    os.kill(pid, signal.SIGSTOP)
    monkeypatch.setattr(meeting, "ANSWER_S", 1.0)
    assert home.start() != pid
    assert within(lambda: has_ended(pid))


def test_a_log_that_cannot_be_written_keeps_nobody_from_an_answer(home: Home) -> None:
    Path(home.house.log).mkdir(parents=True)
    agent = home.agent()
    agent.initialize()
    assert "voices.toy" in agent.use("find_references", symbol="shout")

"""Nothing outlives groundwire, however it ends."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from groundwire.transport.guardian import Guardian
from tests.transport.children_at_hand import CHILDREN, environment, eventually_blocking, lives

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="job objects do this on Windows")

BEHIND_A_WRAPPER = ("/bin/sh", str(CHILDREN / "wrapper.sh"), sys.executable, str(CHILDREN / "ignores_term.py"))
IN_ITS_OWN_GROUP = (sys.executable, "-I", "-S", str(CHILDREN / "has_a_child.py"), "group")


class Sleepers:
    """Processes in sessions of their own that end only by force."""

    def __init__(self) -> None:
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> int:
        """Another one."""
        command = ("/bin/sh", "-c", "trap '' TERM HUP; while :; do sleep 100; done")
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        self._processes.append(process)
        return process.pid

    def end(self) -> None:
        """End and reap them all."""
        for process in self._processes:
            # Not reaped yet, so the id is still theirs.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(5)


@pytest.fixture
def sleepers() -> Iterator[Sleepers]:
    """Sleepers that are gone after the test."""
    sleepers = Sleepers()
    yield sleepers
    sleepers.end()


def groundwire_like(then: str, command: tuple[str, ...]) -> tuple[subprocess.Popen[bytes], list[int]]:
    """A process that uses our transport, and the pids of all it started: child, guardian, the child's own."""
    process = subprocess.Popen(
        (sys.executable, str(CHILDREN / "groundwire_like.py"), then, *command),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    assert process.stdout
    with process.stdout as output:
        return process, json.loads(output.readline())


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_server_behind_a_wrapper_that_ignores_everything_dies_when_groundwire_is_ended_by(number: signal.Signals):
    process, started = groundwire_like("wait", BEHIND_A_WRAPPER)
    assert len(started) == 3
    assert all(lives(pid) for pid in started)
    process.send_signal(number)
    process.wait(10)
    assert eventually_blocking(lambda: not any(lives(pid) for pid in started))


@pytest.mark.parametrize("then", ["return", "raise"])
def test_a_server_that_nobody_stopped_dies_when_groundwire_ends_by(then: str):
    process, started = groundwire_like(then, BEHIND_A_WRAPPER)
    process.wait(10)
    assert eventually_blocking(lambda: not any(lives(pid) for pid in started))


@pytest.mark.skipif(sys.platform != "linux", reason="found through /proc")
def test_a_grandchild_in_a_process_group_of_its_own_dies_when_groundwire_is_killed():
    process, started = groundwire_like("wait", IN_ITS_OWN_GROUP)
    assert os.getpgid(started[2]) == started[2]
    process.kill()
    process.wait(10)
    assert eventually_blocking(lambda: not any(lives(pid) for pid in started))


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel offers this on Linux only")
def test_a_server_dies_when_groundwire_is_killed_even_if_the_guardian_was_killed_before():
    process, started = groundwire_like("wait", (sys.executable, "-I", "-S", str(CHILDREN / "ignores_term.py")))
    server, guardian = started
    os.kill(guardian, signal.SIGKILL)
    assert eventually_blocking(lambda: not lives(guardian))
    assert lives(server)
    process.kill()
    process.wait(10)
    assert eventually_blocking(lambda: not lives(server))


def test_the_guardian_itself_is_small_and_apart():
    process, started = groundwire_like("wait", BEHIND_A_WRAPPER)
    guardian = psutil.Process(started[1])
    assert guardian.memory_info().rss < 4_000_000
    assert guardian.cwd() == "/"
    assert os.getsid(guardian.pid) == guardian.pid
    process.kill()
    process.wait(10)
    assert eventually_blocking(lambda: not any(lives(pid) for pid in started))


def test_at_the_end_the_registered_sessions_die_and_the_dropped_ones_do_not(sleepers: Sleepers):
    guardian = Guardian()
    kept, dropped, also_kept, never_added = (sleepers.start() for _ in range(4))
    for session in (kept, dropped, also_kept):
        guardian.add(session)
    guardian.drop(dropped)
    guardian.drop(never_added)
    guardian.close()
    assert eventually_blocking(lambda: not lives(kept) and not lives(also_kept))
    assert lives(dropped)
    assert lives(never_added)


def test_a_guardian_with_nothing_left_to_guard_kills_nobody(sleepers: Sleepers):
    guardian = Guardian()
    sleeper = sleepers.start()
    guardian.add(sleeper)
    guardian.drop(sleeper)
    pid = guardian.pid
    guardian.close()
    assert pid
    assert not lives(pid)
    assert lives(sleeper)


def test_signals_that_end_others_do_not_end_the_guardian(sleepers: Sleepers):
    guardian = Guardian()
    sleeper = sleepers.start()
    guardian.add(sleeper)
    assert guardian.pid
    # It sets its traps before it reads; only then may it be tested.
    assert eventually_blocking(lambda: _ignores(guardian.pid or 0, signal.SIGTERM))
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        os.kill(guardian.pid, number)
    assert lives(guardian.pid)
    guardian.close()
    assert eventually_blocking(lambda: not lives(sleeper))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_guardian_that_was_lost_is_replaced_and_forgets_nobody(sleepers: Sleepers, number: signal.Signals):
    guardian = Guardian()
    first, second = sleepers.start(), sleepers.start()
    guardian.add(first)
    lost = guardian.pid
    assert lost
    os.kill(lost, number)
    if number == signal.SIGKILL:
        assert eventually_blocking(lambda: not lives(lost))
    for _ in range(20_000):
        guardian.drop(second)
        guardian.add(second)
        # One that hangs is noticed once its pipe is full.
        if guardian.pid != lost:
            break
    assert guardian.pid != lost
    assert lives(first)
    guardian.close()
    assert eventually_blocking(lambda: not lives(first) and not lives(second))


def test_without_a_shell_the_log_says_so_and_nothing_breaks(caplog: pytest.LogCaptureFixture):
    guardian = Guardian(shell="/no/such/shell")
    guardian.prepare()
    guardian.add(12345)
    guardian.drop(12345)
    guardian.close()
    assert guardian.pid is None
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "no guardian" in caplog.text


@pytest.mark.parametrize("session", [-1, 0, 1])
def test_a_number_that_would_mean_everybody_is_refused(session: int):
    with pytest.raises(ValueError, match="not a session of ours"):
        Guardian().add(session)


def _ignores(pid: int, number: signal.Signals) -> bool:
    if sys.platform != "linux":
        return True
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    ignored = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigIgn"))
    return bool(ignored & (1 << (number - 1)))

"""Whom a process has started, and whom these, by either way."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import suppress

import psutil
import pytest

from groundwire.transport import descendants as module
from groundwire.transport.descendants import descendants

# A child of the main thread, one of another thread, and a grandchild that has left the session; all wait for the end.
FAMILY = """
import subprocess, sys, threading
wait = [sys.executable, "-c", "import sys; sys.stdin.read()"]
nested = "import subprocess, sys; subprocess.Popen(sys.argv[1:], start_new_session=True); print(1, flush=True)"
nested += "; sys.stdin.read()"
outer = subprocess.Popen([sys.executable, "-c", nested, *wait], stdout=subprocess.PIPE)
outer.stdout.readline()
def beside():
    subprocess.Popen(wait)
    print("ready", flush=True)
    sys.stdin.read()
threading.Thread(target=beside).start()
sys.stdin.read()
"""


@pytest.fixture
def leader() -> Generator[subprocess.Popen[bytes]]:
    started = subprocess.Popen([sys.executable, "-c", FAMILY], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert started.stdout is not None
    assert started.stdout.readline() == b"ready\n"
    yield started
    family = psutil.Process(started.pid).children(recursive=True)
    started.communicate(timeout=20)  # the others end with its input, unless something went wrong
    for each in family:
        with suppress(psutil.NoSuchProcess):
            each.kill()


def test_all_are_found_whichever_thread_has_started_them_and_in_whichever_session(
    leader: subprocess.Popen[bytes],
) -> None:
    found = {each.pid for each in descendants(leader.pid)}
    assert len(found) == 3
    assert found == {each.pid for each in psutil.Process(leader.pid).children(recursive=True)}


def test_a_kernel_that_keeps_no_lists_is_done_without(
    leader: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def has_none(_: int) -> None:
        return None

    listed = {each.pid for each in descendants(leader.pid)}
    monkeypatch.setattr(module, "_read_children", has_none)
    assert {each.pid for each in descendants(leader.pid)} == listed


def test_lists_that_are_never_twice_the_same_are_not_believed(
    leader: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = iter(range(1_000_000, 2_000_000))

    def another(_: int) -> list[int]:
        return [next(numbers)]

    monkeypatch.setattr(module, "_read_children", another)
    assert len(descendants(leader.pid)) == 3


def test_who_is_gone_has_nobody() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(20)
    assert descendants(ended.pid) == []

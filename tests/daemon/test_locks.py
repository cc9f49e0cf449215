"""A file that one at a time can hold."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from groundwire import __file__ as package
from groundwire.daemon.locks import FileLock

HOLD = (
    "import sys; from groundwire.daemon.locks import FileLock;"
    " lock = FileLock(sys.argv[1]); print(lock.take(), flush=True); sys.stdin.read()"
)


def test_one_at_a_time_holds_it(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    first, second = FileLock(path), FileLock(path)
    assert first.take()
    assert not second.take()
    first.release()
    assert second.take()
    second.release()
    second.release()
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600


def test_whoever_waits_too_long_is_told(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with FileLock(path, time.monotonic() + 5):
        late = FileLock(path, time.monotonic() + 0.03)
        with pytest.raises(TimeoutError, match="held by another"):
            late.__enter__()
    with FileLock(path):
        assert not FileLock(path).take()


def test_a_process_that_is_killed_lets_go_of_it(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    environment = {**os.environ, "PYTHONPATH": str(Path(package).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        assert not FileLock(path).take()
        holder.send_signal(signal.SIGKILL)
        holder.wait(10)
        after = FileLock(path)
        assert after.take()
        after.release()


def test_a_place_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        FileLock(str(tmp_path / "missing" / "lock")).take()

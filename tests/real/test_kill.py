"""Nothing survives us: not even when we are killed without a word."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.real.rows import ROWS

_LONGEST_S = 10.0


@pytest.mark.timeout(180)
def test_kill_9_of_groundwire_leaves_no_language_server_behind(server: str, tmp_path: Path) -> None:
    row = ROWS[server]
    for name, text in row.files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{root}", str(tmp_path)), encoding="utf-8")
    command = [sys.executable, "-m", "tests.real.holder", server, str(tmp_path), row.own_break.file]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        told = json.loads(holder.stdout.readline())
        assert told["status"] == "confirmed"
        assert any(psutil.pid_exists(pid) for pid in told["pids"])
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        holder.communicate()
    assert alive_after(told["pids"], _LONGEST_S) == []


def alive_after(pids: list[int], seconds: float) -> list[int]:
    """Those still running once they all ended or the time is over."""
    deadline = time.monotonic() + seconds
    while True:
        alive = [pid for pid in pids if _is_running(pid)]
        if not alive or time.monotonic() > deadline:
            return alive
        psutil.wait_procs([psutil.Process(pid) for pid in alive if psutil.pid_exists(pid)], timeout=0.2)


def _is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False

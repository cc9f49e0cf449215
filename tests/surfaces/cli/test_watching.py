"""``groundwire status --watch`` as a process: in a pipe and on a terminal, before, while and after a daemon runs."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress

import pytest

from tests.daemon.conftest import home
from tests.daemon.homes import Home

__all__ = ["home"]

_WAIT_S = 30.0
_COMMAND = [sys.executable, "-m", "groundwire", "status", "--watch"]


class Watched:
    """A process and all that it has written."""

    def __init__(self, process: "subprocess.Popen[bytes]", output: int) -> None:
        self.process = process
        self._output = output
        self.written = b""

    def until(self, words: bytes, since: int = 0) -> bytes:
        """All that was written, once the words were, behind ``since``."""
        until = time.monotonic() + _WAIT_S
        while self.written.find(words, since) < 0:
            assert time.monotonic() < until, self.written
            if select.select([self._output], [], [], 0.1)[0]:
                chunk = b""
                with suppress(OSError):  # how a terminal says that nobody is at the other end any more
                    chunk = os.read(self._output, 65536)
                assert chunk, self.written
                self.written += chunk
        return self.written


@contextmanager
def piped(home: Home, *words: str) -> Generator[Watched]:
    process = subprocess.Popen([*_COMMAND, *words], cwd=home.root, env=home.environment, stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process:
        try:
            yield Watched(process, process.stdout.fileno())
        finally:
            process.kill()


@contextmanager
def on_terminal(home: Home, columns: int, lines: int) -> Generator[tuple[Watched, int]]:
    mine, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    kept = {name: value for name, value in home.environment.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    environment = {**kept, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        _COMMAND, cwd=home.root, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    with process:
        try:
            yield Watched(process, mine), mine
        finally:
            process.kill()
            os.close(mine)


def test_in_a_pipe_each_change_is_written_once(home: Home) -> None:
    with piped(home) as watched:
        watched.until(b"no background process runs")
        home.start()
        watched.until(b"none was needed so far")
        home.run("check", "animals.toy")
        watched.until(b"well_read")
        home.stop()
        watched.until(b"no background process runs", len(watched.written))
        assert b"\x1b" not in watched.written
        watched.process.send_signal(signal.SIGINT)
        assert watched.process.wait(_WAIT_S) == 0


def test_as_json_each_line_is_what_the_daemon_tells(home: Home) -> None:
    home.start()
    with piped(home, "--json") as watched:
        watched.until(b"\n")
        home.run("check", "animals.toy")
        watched.until(b'"call"')
        watched.until(b"\n", watched.written.find(b'"call"'))
    kinds = [json.loads(line)["kind"] for line in watched.written.splitlines() if line.endswith(b"}")]
    assert kinds[0] == "snapshot"
    assert "call" in kinds


@pytest.mark.parametrize("columns", [100, 32])
def test_on_a_terminal_it_is_drawn_over_itself_until_q(home: Home, columns: int) -> None:
    home.start()
    with on_terminal(home, columns, 20) as (watched, keyboard):
        watched.until(b"Servers")
        home.run("check", "animals.toy")
        watched.until(b"well_read")
        os.write(keyboard, b"q")
        watched.until(b"\x1b[?1049l")
        assert watched.process.wait(_WAIT_S) == 0
    assert watched.written.startswith(b"\x1b[?1049h\x1b[?25l")
    assert b"\x1b[2J" not in watched.written
    assert watched.written.endswith(b"\x1b[?25h\x1b[?1049l")

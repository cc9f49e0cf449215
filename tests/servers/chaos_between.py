"""Sits between groundwire and a server and does harm when it is told to, through a pipe with a name.

Run as ``chaos_between.py PIPE COMMAND...``. Each line read from the pipe is an order: ``garbage`` writes what is no
message, ``slow SECONDS`` holds back what the server says, ``deaf`` closes the input, ``dumb`` the output.
"""

import os
import subprocess
import sys
import threading
import time
from typing import IO

_CHUNK = 65536
_GARBAGE = b"\x00\xff{]Content-Length: nonsense\r\n\r\nContent-Length: 7\r\n\r\nnot json\n"


class Between:
    """Three threads: one each way, and one for the orders."""

    def __init__(self, pipe: str, command: list[str]) -> None:
        self._pipe = pipe
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._writing = threading.Lock()

    def run(self) -> int:
        """Until the server ends."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        for target, arguments in ((self._copy_input, (self._child.stdin,)), (self._obey, ())):
            threading.Thread(target=target, args=arguments, daemon=True).start()
        self._copy_output(self._child.stdout)
        return self._child.wait()

    def _copy_input(self, target: IO[bytes]) -> None:
        try:
            while data := os.read(0, _CHUNK):
                target.write(data)
                target.flush()
        except OSError:  # told to be deaf, or the server is gone
            pass
        target.close()

    def _copy_output(self, source: IO[bytes]) -> None:
        while data := os.read(source.fileno(), _CHUNK):
            self._say(data)

    def _say(self, data: bytes) -> None:
        with self._writing:
            while data:
                try:
                    data = data[os.write(1, data) :]
                except OSError:  # told to be dumb
                    return

    def _obey(self) -> None:
        while True:
            with open(self._pipe, encoding="utf-8") as orders:  # noqa: PTH123 - waits for who writes
                for line in orders:
                    self._do(*line.split())

    def _do(self, order: str, argument: str = "") -> None:
        if order == "garbage":
            self._say(_GARBAGE)
        elif order == "slow":
            with self._writing:
                time.sleep(float(argument))
        elif order == "deaf":
            os.close(0)
        elif order == "dumb":
            os.close(1)


if __name__ == "__main__":
    sys.exit(Between(sys.argv[1], sys.argv[2:]).run())

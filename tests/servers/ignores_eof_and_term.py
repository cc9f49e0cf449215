"""Does not end: neither when its input closes, nor when it is told to by a signal."""

import signal
import time

from base import Json, ToyServer


class IgnoresEofAndTerm(ToyServer):
    def told(self, method: str, params: Json) -> None:
        if method != "exit":
            super().told(method, params)


signal.signal(signal.SIGTERM, signal.SIG_IGN)
IgnoresEofAndTerm().run()
while True:
    time.sleep(60)

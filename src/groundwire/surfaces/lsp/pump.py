"""``groundwire lsp``: copies messages between a language client and the daemon of its workspace, and outlives that
daemon: the next one is told of the documents that are open, and is asked what the last one left unanswered.

Nothing but the standard library: a client waits for this process to start. Above: ``__main__``, ``command``. Below:
``pump_memory``, ``daemon.meeting``.
"""

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NoReturn

from groundwire.daemon.greeting import Greeting, relevant
from groundwire.daemon.meeting import meet
from groundwire.errors import GroundwireError
from groundwire.places import workspace_round
from groundwire.surfaces.lsp.pump_memory import Memory

_START_S = 60.0
"""How long a daemon may take to start, on a machine that is busy."""
_LAST_WORDS_S = 5.0
"""How long answers are waited for once the client has said all."""
_SHORT_LIFE_S = 5.0
_MOST_SHORT_LIVES = 3
"""Daemons that end at once are not followed by others for ever."""
_CHUNK = 65536
_LONGEST_HEADER = 8192


def main(words: Sequence[str]) -> int | None:
    """The exit status; None for whatever is not just a way to talk to the daemon."""
    try:
        here = os.getcwd()
    except OSError:
        return None  # it is gone, which is told where there is time for it
    root = read_root(words, here)
    return None if root is None else serve(root, os.environ)


def serve(root: str, environment: Mapping[str, str]) -> NoReturn:
    """Until the client has said all; then the process ends, at once: nothing that it waits for may hold it up."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os._exit(Pump(root, environment).run())


def read_root(words: Sequence[str], here: str) -> str | None:
    """The workspace that is meant; None when the words say anything that is not understood here."""
    rest = [word for word in words if word != "--stdio"]
    if not rest:
        return workspace_round(here)
    name, equals, value = rest.pop(0).partition("=")
    if name != "--root" or len(rest) != (0 if equals else 1):
        return None
    directory = os.path.realpath(os.path.join(here, value if equals else rest[0]))
    return directory if os.path.isdir(directory) else None


class Pump:
    """Two threads: one reads the client, one the daemon. What both touch is behind a lock."""

    def __init__(self, root: str, environment: Mapping[str, str], source: int = 0, sink: int = 1) -> None:
        self._root = root
        self._environment = environment
        self._source = source
        self._sink = sink
        self._memory = Memory()
        self._lock = threading.Lock()
        self._daemon: socket.socket | None = None
        self._status = 0

    def run(self) -> int:
        """Copies until the client has said all, and gives the exit status."""
        talking = threading.Thread(target=self._talk, daemon=True)
        talking.start()
        for body in frames(lambda: _read(self._source)):
            self._from_client(body)
            if self._memory.is_over:
                break
        with self._lock:
            self._memory.is_over = True
            connected, is_waiting = self._daemon, self._memory.is_waiting
        if connected is not None:
            with contextlib.suppress(OSError):
                connected.shutdown(socket.SHUT_WR)
        talking.join(_LAST_WORDS_S if is_waiting else 0.0)
        return self._status

    def _from_client(self, body: bytes) -> None:
        with self._lock:
            self._memory.heard(body)
            if self._daemon is not None:
                # One that has ended is noticed by who reads it; the next one is told all that matters.
                with contextlib.suppress(OSError):
                    self._daemon.sendall(framed(body))

    def _talk(self) -> None:
        """One daemon after the other, until the client has said all."""
        short_lives = 0
        while not self._memory.is_over:
            began = time.monotonic()
            connected = self._connect()
            if connected is not None:
                self._hear_out(connected)
            short_lives = short_lives + 1 if time.monotonic() - began < _SHORT_LIFE_S else 0
            if self._memory.is_over:
                return
            if connected is None or short_lives >= _MOST_SHORT_LIVES or not self._memory.is_complete:
                self._give_up("the background process has ended")

    def _connect(self) -> socket.socket | None:
        greeting = Greeting("lsp", self._root, f"lsp {os.getpid()}", {}, relevant(self._environment))
        try:
            link = meet(greeting, self._environment, time.monotonic() + _START_S)
        except GroundwireError as error:
            self._give_up(f"{error.message}. {error.hint}".strip())
        assert link is not None  # noqa: S101  only who does not start one gets none
        with self._lock:
            with contextlib.suppress(OSError):
                link.socket.sendall(b"".join(map(framed, self._memory.to_be_told())))
            self._daemon = link.socket
        return link.socket

    def _hear_out(self, connected: socket.socket) -> None:
        for body in frames(lambda: _receive(connected)):
            with self._lock:
                is_for_client = self._memory.answered(body)
            if is_for_client:
                self._say(body)
        with self._lock:
            self._daemon = None
            failures = list(self._memory.given_up("the background process ended meanwhile", is_all=False))
        connected.close()
        for failure in failures:
            self._say(failure)

    def _give_up(self, reason: str) -> NoReturn:
        """Everything that waits is told why; a client that starts its servers anew will try again."""
        with self._lock:
            failures = list(self._memory.given_up(reason, is_all=True))
        for failure in failures:
            self._say(failure)
        sys.stderr.write(f"groundwire: {reason}\n")
        sys.stderr.flush()
        os._exit(1)  # the other thread is waiting for the client, who waits for us

    def _say(self, body: bytes) -> None:
        left = memoryview(framed(body))
        with contextlib.suppress(OSError):  # nobody reads: the input will end, too
            while left:
                left = left[os.write(self._sink, left) :]


def framed(body: bytes) -> bytes:
    """A message as it is sent."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def frames(read: Callable[[], bytes]) -> Iterator[bytes]:
    """The bodies of messages. What comes before a header that makes sense is skipped."""
    held = bytearray()
    while True:
        size, start = _header(held)
        if start and len(held) - start >= size:
            yield bytes(held[start : start + size])
            del held[: start + size]
            continue
        chunk = read()
        if not chunk:
            return
        held += chunk


def _header(held: bytearray) -> tuple[int, int]:
    """The size of the body and where it starts; 0 where there is no whole header yet."""
    while (end := held.find(b"\r\n\r\n")) >= 0:
        for line in bytes(held[:end]).split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                return int(value), end + 4
        del held[: end + 4]
    if len(held) > _LONGEST_HEADER:
        del held[:-_LONGEST_HEADER]
    return 0, 0


def _read(source: int) -> bytes:
    try:
        return os.read(source, _CHUNK)
    except OSError:
        return b""


def _receive(connected: socket.socket) -> bytes:
    try:
        return connected.recv(_CHUNK)
    except OSError:
        return b""

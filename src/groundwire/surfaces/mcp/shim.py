"""``groundwire mcp``: copies lines between an agent and the daemon of its workspace, and outlives that daemon.

Nothing but the standard library: an agent waits for this process to start. ``initialize`` is answered here and at once,
as the daemon would; when a daemon is replaced, the next one is told what the client had said to the first.
Above: ``__main__``. Below: ``shim_memory``, ``daemon.meeting``.
"""

import contextlib
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from groundwire.daemon.greeting import Greeting, relevant
from groundwire.daemon.meeting import meet
from groundwire.errors import GroundwireError
from groundwire.surfaces.mcp.shim_memory import Memory

_START_S = 60.0
"""How long a daemon may take to start, on a machine that is busy."""
_LAST_WORDS_S = 6.0
"""How long answers are waited for once the client has said all: a little longer than the daemon does."""
_CHUNK = 65536


class Wanted(NamedTuple):
    """What the command line says."""

    root: str
    profile: str = "core"
    output: str = "text"


class Shim:
    """Two threads: one reads the client, one the daemon. What both touch is behind a lock that nobody holds while it
    waits for the other side; a second one keeps what is written to the client apart, and is taken first; a third one
    keeps apart what is written to the daemon.
    """

    def __init__(self, wanted: Wanted, environment: Mapping[str, str], source: int = 0, sink: int = 1) -> None:
        self._wanted = wanted
        self._environment = environment
        self._source = source
        self._sink = sink
        self._memory = Memory(wanted.profile)
        self._changed = threading.Condition()
        self._output = threading.Lock()
        self._sending = threading.Lock()
        self._daemon: socket.socket | None = None
        self._is_over = False
        """Whether the client has said all."""

    def run(self) -> int:
        """Copies until the client's input ends, and gives the exit status."""
        talking = threading.Thread(target=self._talk_to_daemon, daemon=True)
        talking.start()
        for line in _lines(lambda: _read(self._source)):
            self._from_client(line)
        self._end(talking)
        return 0

    def _end(self, talking: threading.Thread) -> None:
        """Answers that are under way are waited for."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._daemon is not None or not self._memory.is_waiting, _START_S)
            connected, is_waiting = self._daemon, self._memory.is_waiting
        if is_waiting:
            if self._sending.acquire(timeout=_LAST_WORDS_S):  # what is being said is said to its end
                _end_of_speech(connected)
                self._sending.release()
            talking.join(_LAST_WORDS_S)
        # What is being written is written to its end, if anybody reads it.
        self._output.acquire(timeout=_LAST_WORDS_S)

    def _from_client(self, line: bytes) -> None:
        with self._changed:
            answer, connected = self._memory.heard(line), self._daemon
            self._changed.notify_all()
        if connected is not None:
            # A daemon that has ended is noticed by who reads it: what was sent in vain is sent again then.
            with self._sending, contextlib.suppress(OSError):
                connected.sendall(line + b"\n")
        if answer:
            with self._output:
                self._say(answer)

    def _talk_to_daemon(self) -> None:
        """One daemon after the other: the first at once, another only when there is something to be asked."""
        is_first = True
        while self._wait_for_need(is_first=is_first):
            is_first = False
            connected = self._connect()
            if connected is None:
                continue
            self._hear_out(connected)
            with self._changed:
                self._daemon = None
                self._memory.begin_again()  # from now on nobody listens
            _hang_up(connected)

    def _hear_out(self, connected: socket.socket) -> None:
        # Half a line is an answer that was cut off, and is not for the client: the request is put again.
        for line in _lines(lambda: _receive(connected), with_rest=False):
            self._from_daemon(line)

    def _wait_for_need(self, *, is_first: bool) -> bool:
        """Whether a daemon is needed; false when the client has said all and waits for nothing."""
        with self._changed:
            while not is_first and not self._memory.is_waiting and not self._is_over:
                self._changed.wait()
            return not self._is_over or self._memory.is_waiting

    def _connect(self) -> socket.socket | None:
        """A daemon that has been told what it must know. Without one, everything that waits is told why."""
        try:
            link = meet(self._greeting(), self._environment, time.monotonic() + _START_S)
        except GroundwireError as error:
            self._answer_for_it(self._memory.given_up, error)
            return None
        assert link is not None  # noqa: S101  only who does not start one gets none
        self._answer_for_it(self._memory.fatal)
        with self._changed:
            told = b"".join(line + b"\n" for line in self._memory.to_be_told())
            self._daemon = link.socket
            self._sending.acquire()
            self._changed.notify_all()
        # By another thread: a daemon that hears much says much, and may wait until that is read.
        threading.Thread(target=self._tell, args=(link.socket, told), daemon=True).start()
        return link.socket

    def _answer_for_it(self, answers: Callable[..., list[bytes]], *why: GroundwireError) -> None:
        with self._output:
            with self._changed:
                lines = answers(*why)
                self._changed.notify_all()
            for line in lines:
                self._say(line)

    def _tell(self, connected: socket.socket, told: bytes) -> None:
        """What a daemon must hear before everything else. Whoever starts this has taken the lock for it."""
        try:
            with contextlib.suppress(OSError):
                connected.sendall(told)
        finally:
            self._sending.release()
        with self._changed:
            if self._is_over:
                _end_of_speech(connected)

    def _greeting(self) -> Greeting:
        with self._changed:
            options = {
                "profile": self._wanted.profile,
                "output": self._wanted.output,
                "repeated": json.dumps(self._memory.begin_again()),
                "talk": self._memory.talk,
            }
        client = f"mcp {os.getpid()}"
        return Greeting("mcp", self._wanted.root, client, options, relevant(self._environment))

    def _from_daemon(self, line: bytes) -> None:
        with self._output:
            with self._changed:
                is_for_client = self._memory.answered(line)
            if is_for_client:
                self._say(line)

    def _say(self, line: bytes) -> None:
        left = memoryview(line + b"\n")
        with contextlib.suppress(OSError):  # nobody reads: the input will end, too
            while left:
                left = left[os.write(self._sink, left) :]


def _hang_up(connected: socket.socket) -> None:
    """Wakes whoever is still writing to it."""
    with contextlib.suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)
    connected.close()


def _end_of_speech(connected: socket.socket | None) -> None:
    if connected is not None:
        with contextlib.suppress(OSError):
            connected.shutdown(socket.SHUT_WR)


def _lines(read: Callable[[], bytes], *, with_rest: bool = True) -> Iterator[bytes]:
    held: list[bytes] = []
    while chunk := read():
        *complete, rest = chunk.split(b"\n")
        for piece in complete:
            line = b"".join((*held, piece)) if held else piece
            held.clear()
            if line.strip():
                yield line
        if rest:
            held.append(rest)
    if held and with_rest:
        yield b"".join(held)


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

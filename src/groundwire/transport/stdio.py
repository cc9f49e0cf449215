"""The stream to a language server that runs as our child: its standard input and output.

Above: ``client``. Below: ``process``, ``pipes``.
"""

import asyncio

from groundwire.transport.base import OnBytes, OnClosed
from groundwire.transport.pipes import OutputPipe
from groundwire.transport.process import ChildProcess, ProcessSpec, spawn

# One of three ends (output, input, process) was seen; how long the others may take before the stream counts as closed.
CLOSE_TOGETHER = 0.5
# Output and process ended; how long the last words on standard error may take.
LAST_WORDS = 0.05
LONGEST_LAST_WORDS = 300


async def open_stdio(spec: ProcessSpec) -> "StdioTransport":
    """Start a server and connect to it. Raises ``ServerUnavailable`` if it cannot be started."""
    return StdioTransport(await spawn(spec, stdout=OutputPipe()))


class StdioTransport:
    """A transport over a child's pipes; ``process`` is the child. Closing the stream stops the child."""

    def __init__(self, process: ChildProcess) -> None:
        self.process = process
        self.send = process.stdin.send
        """Straight to the pipe, for every message goes this way."""
        self._loop = asyncio.get_running_loop()
        self._on_closed: OnClosed | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._closing = False
        self._closed = False

    def start(self, on_bytes: OnBytes, on_closed: OnClosed) -> None:
        """Begin to deliver, with what came before first."""
        self._on_closed = on_closed
        process = self.process
        process.stdout.deliver_to(on_bytes)
        process.stdout.on_end = process.stderr.on_end = process.stdin.on_broken = self._look_at_the_ends
        process.on_exit(self._look_at_the_ends)
        if process.stdout.ended.is_set() or process.stdin.ended.is_set():
            self._loop.call_soon(self._look_at_the_ends)

    @property
    def unsent(self) -> int:
        """Bytes buffered here because the server does not read."""
        return self.process.stdin.unsent

    async def drained(self) -> None:
        """Wait until the server has read most of it, or is gone."""
        await self.process.stdin.drained()

    async def close(self) -> None:
        """Stop the server: end of file, SIGTERM, SIGKILL, bounded in time."""
        self._closing = True
        await self.process.stop()
        self._finish()

    def _look_at_the_ends(self) -> None:
        """Something ended. Close when all did, and soon if only some did: each tells a part of the reason."""
        process = self.process
        if self._closed:
            return
        if not process.stdout.ended.is_set() or process.returncode is None:
            self._finish_within(CLOSE_TOGETHER)
        elif process.stderr.ended.is_set():
            self._finish()
        else:
            self._finish_within(LAST_WORDS)

    def _finish_within(self, seconds: float) -> None:
        when = self._loop.time() + seconds
        if self._timer and self._timer.when() <= when:
            return
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_at(when, self._finish)

    def _finish(self) -> None:
        if self._closed or not self._on_closed:
            return
        self._closed = True
        if self._timer:
            self._timer.cancel()
        reason = self._reason()
        self.process.stdin.abort()
        self.process.stdout.abort()
        self._on_closed(reason)

    def _reason(self) -> str:
        process = self.process
        said = process.last_words()[:LONGEST_LAST_WORDS]
        words = f"; its last words: {said}" if said else ""
        if self._closing:
            return f"closed by us; the server {process.ending()}{words}"
        if process.returncode is not None:
            return f"the server {process.ending()}{words}"
        end = "output" if process.stdout.ended.is_set() else "input"
        return f"the server closed its {end} but {process.ending()}{words}"

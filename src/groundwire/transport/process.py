"""How a child process lives and dies: language servers and the sidecars that come with them.

A child leads its own session, so that nothing meant for our terminal reaches it and all it starts can be found again.
It dies with us on every path: ``stop`` when there is time, ``parent_death`` and ``guardian`` when there is none. Above:
``stdio``, ``pool``. Below: ``pipes``, ``family``, ``exit_watch``.
"""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from groundwire.transport import windows_job
from groundwire.transport.exit_watch import watch_exit
from groundwire.transport.family import Family
from groundwire.transport.guardian import guardian
from groundwire.transport.parent_death import born_to_die_with_parent
from groundwire.transport.pipes import InputPipe, OutputPipe
from groundwire.transport.start_failure import start_failure
from groundwire.transport.stderr_tail import StderrTail

STOP_GRACE = 2.0
TERM_GRACE = 1.0
KILL_WAIT = 2.0
LEFTOVER_GRACE = 0.1
LAST_BYTES_WAIT = 0.2
REAP_WAIT = 0.5

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ProcessSpec:
    """What to start: the command, the directory, and the whole environment (nothing of ours is added)."""

    command: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]


async def spawn(spec: ProcessSpec, *, stdout: OutputPipe | None = None) -> "ChildProcess":
    """Start a child. Without ``stdout``, what it prints is kept with its standard error.

    Raises:
        ServerUnavailable: the command or the directory is not usable; says which, and what to do.

    """
    guardian.prepare()
    try:
        popen = _start(spec)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise start_failure(spec.command, spec.cwd, spec.env, error) from error
    # Nothing may be awaited before this line: until then only the kernel's own net is under the child.
    guardian.add(popen.pid)
    child = ChildProcess(popen, spec, stdout)
    connecting = asyncio.ensure_future(child.connect())
    try:
        await asyncio.shield(connecting)
    except BaseException:
        child.kill()
        await asyncio.wait([connecting])
        await child.stop(grace=0)
        raise
    return child


class ChildProcess:
    """A running or ended child. ``stop`` is the one way to be done with it, at any time and as often as you like."""

    def __init__(self, popen: subprocess.Popen[bytes], spec: ProcessSpec, stdout: OutputPipe | None) -> None:
        self.spec = spec
        self.pid = popen.pid
        self.returncode: int | None = None
        self._popen = popen
        self._family = Family(popen.pid)
        self._tail = StderrTail()
        self.stdin = InputPipe()
        self.stdout = stdout or OutputPipe(self._tail.feed)
        self.stderr = OutputPipe(self._tail.feed)
        self._exited = asyncio.Event()
        self._exit_callbacks: list[Callable[[], None]] = []
        self._reaped = False
        self._ladder: asyncio.Task[None] | None = None
        watch_exit(popen, self._note_exit)

    async def connect(self) -> None:
        """Take over the pipes. Part of ``spawn``."""
        popen = self._popen
        if popen.stdin and popen.stdout and popen.stderr:
            await self.stdin.connect(popen.stdin)
            await self.stdout.connect(popen.stdout)
            await self.stderr.connect(popen.stderr)

    async def wait(self) -> int:
        """Wait for the child's end; its exit code, negative for a signal."""
        await self._exited.wait()
        return self.returncode or 0

    def on_exit(self, callback: Callable[[], None]) -> None:
        """Be told, from the event loop, when the child ends or that it has."""
        if self.returncode is None:
            self._exit_callbacks.append(callback)
        else:
            asyncio.get_running_loop().call_soon(callback)

    def stderr_tail(self, lines: int = 20) -> str:
        """The last lines it wrote to standard error."""
        return "\n".join(self._tail.lines(lines))

    def last_words(self) -> str:
        """The last line on standard error that says anything, or nothing."""
        return self._tail.last_line()

    def ending(self) -> str:
        """How it ended, in words."""
        if self.returncode is None:
            return "is still running"
        if self.returncode >= 0:
            return f"exited with code {self.returncode}"
        try:
            return f"was ended by {signal.Signals(-self.returncode).name}"
        except ValueError:
            return f"was ended by signal {-self.returncode}"

    def memory_bytes(self) -> int:
        """Resident memory of the child and all it started. Takes milliseconds: ask now and then, not always."""
        return self._family.memory_bytes()

    def cpu_seconds(self) -> float:
        """Processor time of the child and all it started that still run. Takes milliseconds."""
        return self._family.cpu_seconds()

    def remember_family(self) -> None:
        """Note whom the child has started, before it ends by itself: afterwards nothing leads from it to them."""
        self._family.remember()

    def kill(self) -> None:
        """End the child and all it started, now and without asking. ``stop`` is still to be called."""
        self._family.remember()
        self._family.kill()

    async def stop(self, *, grace: float = STOP_GRACE, term_grace: float = TERM_GRACE) -> None:
        """End the child and all it started, politely first, bounded in time.

        Its standard input closes; after ``grace`` seconds come SIGTERM, and ``term_grace`` seconds later SIGKILL. When
        this returns everything is reaped and closed. Concurrent calls share the first one's work; whoever stops waiting
        does not stop it.
        """
        if self._ladder is None:
            self._ladder = asyncio.create_task(self._end_all(grace, term_grace), name=f"stop process {self.pid}")
        await asyncio.shield(self._ladder)

    async def _end_all(self, grace: float, term_grace: float) -> None:
        try:
            self._family.remember()
            self.stdin.finish()
            await self._leader_gone_within(grace)
            await self._all_gone_within(LEFTOVER_GRACE if self._exited.is_set() else 0)
            if self._anyone_left():
                self._family.remember()
                self._family.terminate()
                await self._all_gone_within(term_grace)
            if self._anyone_left():
                self._family.kill()
                await self._all_gone_within(KILL_WAIT)
            await self._pipes_ended_within(LAST_BYTES_WAIT)
        finally:
            self._clean_up()
        await self._pipes_ended_within(LAST_BYTES_WAIT)

    def _anyone_left(self) -> bool:
        return not self._exited.is_set() or bool(self._family.others())

    async def _leader_gone_within(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._exited.wait(), seconds)
        except TimeoutError:
            logger.debug("%s (%d) has not ended after %.1f s", self.spec.command[0], self.pid, seconds)

    async def _all_gone_within(self, seconds: float) -> None:
        for pause in _pauses(seconds):
            if not self._anyone_left():
                return
            await asyncio.sleep(pause)

    async def _pipes_ended_within(self, seconds: float) -> None:
        ends = [asyncio.ensure_future(pipe.ended.wait()) for pipe in (self.stdin, self.stdout, self.stderr)]
        _, pending = await asyncio.wait(ends, timeout=seconds)
        for waiter in pending:
            waiter.cancel()

    def _clean_up(self) -> None:
        """The end of every ``stop``, also of one that was cancelled: nothing is left running, unreaped or open."""
        if self._anyone_left():
            self._family.kill()
        self._reap()
        self.stdin.abort()
        self.stdout.abort()
        self.stderr.abort()

    def _note_exit(self, code: int) -> None:
        self.returncode = code
        self._exited.set()
        logger.debug("%s (%d) %s", self.spec.command[0], self.pid, self.ending())
        # Reaping gives the id back to the system, so it waits until ``stop`` if some of the session live on.
        if not self._family.others():
            self._reap()
        for callback in self._exit_callbacks:
            callback()

    def _reap(self) -> None:
        if self._reaped:
            return
        try:
            self._popen.wait(REAP_WAIT)
        except subprocess.TimeoutExpired:
            logger.warning("process %d does not end, not even by SIGKILL", self.pid)
            return
        self._reaped = True
        # The guardian keeps what could not be ended.
        if not self._family.others():
            guardian.drop(self.pid)
        self._family.let_go()


def _pauses(seconds: float) -> Iterator[float]:
    """Pauses that begin short, grow, and add up to about ``seconds``."""
    pause = 0.002
    while seconds > 0:
        yield min(pause, seconds)
        seconds -= pause
        pause = min(pause * 1.5, 0.05)


def _start(spec: ProcessSpec) -> subprocess.Popen[bytes]:
    if not spec.command:
        raise ValueError("the command is empty")
    if sys.platform == "win32":
        return windows_job.start(spec.command, spec.cwd, spec.env)
    birth = born_to_die_with_parent(spec.command, spec.env)
    return subprocess.Popen(
        birth.command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=os.fspath(spec.cwd),
        env=spec.env,
        start_new_session=True,
        preexec_fn=birth.preparation,  # noqa: PLW1509 - it makes two system calls and takes no lock
    )

"""The companion of a server while that server runs: started before it, started again when it ends, ended with it.

What happens to it never hurts the server; it is told in the status instead. Above: ``instance``. Below: ``restarts``,
``transport.process``.
"""

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path

from groundwire.errors import ServerUnavailable
from groundwire.pool.restarts import Restarts
from groundwire.registry.sidecars import SidecarCommand
from groundwire.transport.process import ChildProcess, ProcessSpec, spawn

log = logging.getLogger(__name__)

_LOOK_AGAIN_S = 0.02
_MOST_LOOKS = 100
"""A server waits for its companion's first file two seconds at most: else it would read the one of last time."""


class Sidecar:
    """One companion at one root. ``start`` once, ``stop`` always; neither raises."""

    def __init__(
        self, command: SidecarCommand, root: Path, environment: Mapping[str, str], *, max_restarts: int
    ) -> None:
        self._spec = ProcessSpec(command.command, str(root), environment)
        self._restarts = Restarts(max_restarts)
        self._child: ChildProcess | None = None
        self._last_words = ""
        self._keeping: asyncio.Task[None] | None = None
        self._first_try = asyncio.Event()

    def __repr__(self) -> str:
        return f"<Sidecar {self.line}>"

    @property
    def pid(self) -> int | None:
        """The process, while there is one."""
        return self._child.pid if self._child is not None else None

    @property
    def name(self) -> str:
        """Of its program."""
        return Path(self._spec.command[0]).name

    @property
    def line(self) -> str:
        """Its state, for people."""
        name, restarts = self.name, self._restarts
        again = f", started again {restarts.count} x" if restarts.count else ""
        if self._child is not None:
            return f"{name} runs (process {self.pid}{again})"
        if restarts.is_broken:
            return f"{name} does not run: {restarts.reason}"
        return f"{name} is about to be started again: {restarts.reason}" if restarts.count else f"{name} starts"

    @property
    def trouble(self) -> str:
        """The same while it does not run although it should; empty when all is well."""
        return self.line if self._child is None and self._restarts.count else ""

    def stderr_tail(self, lines: int = 5) -> str:
        """The last lines it wrote, or the one before it."""
        return (self._child.stderr_tail(lines) if self._child is not None else "") or self._last_words

    async def start(self) -> None:
        """Run it from now on. Returns once it has written a file that its command names, or soon."""
        before = self._stamps()
        self._keeping = asyncio.ensure_future(self._keep())
        await self._first_try.wait()
        for _ in range(_MOST_LOOKS if before else 0):
            if self._child is None or self._stamps() != before:
                return
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def stop(self) -> None:
        """End it and all it started."""
        keeping, self._keeping = self._keeping, None
        if keeping is None:
            return
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        if self._child is not None:
            await self._child.stop(grace=0)
            self._child = None

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._restarts.is_broken:
            await asyncio.sleep(max(self._restarts.next_start - loop.time(), 0.0))
            began = loop.time()
            reason = await self._run_once()
            self._restarts.failed(loop.time(), reason, ran_s=loop.time() - began)
            log.warning("%s", self.line)

    async def _run_once(self) -> str:
        """Until it ends. Returns how that came about."""
        try:
            child = self._child = await spawn(self._spec)
        except ServerUnavailable as error:
            return error.message
        finally:
            self._first_try.set()
        await child.wait()
        await child.stop(grace=0)  # what it started itself goes with it
        self._child, self._last_words = None, child.stderr_tail(5)
        said = child.last_words()
        return f"it {child.ending()}; its last words: {said}" if said else f"it {child.ending()}"

    def _stamps(self) -> dict[str, int | None]:
        """When each file that its command may name was written."""
        words = (word.rpartition("=")[2] for word in self._spec.command[1:])
        return {word: _written_at(Path(self._spec.cwd, word)) for word in words if not word.startswith("-")}


def _written_at(file: Path) -> int | None:
    try:
        return file.stat().st_mtime_ns
    except (OSError, ValueError):  # not there, or no name of a file at all
        return None

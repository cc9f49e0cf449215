"""The daemon of one workspace, as a process of its own: ``python -P -m groundwire.background ROOT``.

Puts together what nobody below knows of each other: the pool, and what can be said about it on a socket.
Above: ``daemon.starting``, which runs it. Below: ``daemon`` and every surface that speaks through it.
"""

import asyncio
import contextlib
import gc
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from groundwire.daemon.calls import CallConversation
from groundwire.daemon.control import Control
from groundwire.daemon.greeting import Greeting
from groundwire.daemon.house import House, furnish, house_of
from groundwire.daemon.locks import FileLock
from groundwire.daemon.logs import begin_log
from groundwire.daemon.meeting import connect
from groundwire.daemon.server import Conversation, Daemon, refusal_of
from groundwire.daemon.starting import READY, TAKEN
from groundwire.daemon.watch import WatchConversation
from groundwire.errors import DaemonUnavailable, GroundwireError
from groundwire.pool.config_age import ConfigAge
from groundwire.pool.opening import open_pool
from groundwire.pool.pool import Pool
from groundwire.surfaces.hooks.conversation import HookConversation
from groundwire.surfaces.lsp.conversation import LspConversation

log = logging.getLogger(__name__)

_PREDECESSOR_S = 10.0
_EVERY_S = 0.02
_RUBBISH_AFTER = 10_000
"""Objects; Python itself would look after 700."""


def main() -> int:
    """Serves until nobody needs it, and gives the exit status."""
    house = house_of(sys.argv[1], os.environ)
    try:
        furnish(house)
        begin_log(house)
        lock = FileLock(house.life_lock)
        if not _come_to_life(lock, house):
            _say(TAKEN)
            return 0
        asyncio.run(_live(house, dict(os.environ)))
    except GroundwireError as error:
        return _refuse(error)
    except OSError as problem:  # a full disk, say: the log may not have room for the reason
        log.exception("cannot go on")
        return _refuse(DaemonUnavailable(f"the background process cannot go on: {problem}"))
    return 0


def _refuse(error: GroundwireError) -> int:
    _say(json.dumps(refusal_of(error)).encode() + b"\n")
    return 1


def _come_to_life(lock: FileLock, house: House) -> bool:
    """Whether this process is the daemon now. One that is leaving is waited for; one that listens is not."""
    until = time.monotonic() + _PREDECESSOR_S
    while not lock.take():
        if time.monotonic() > until or _is_listening(house):
            return False
        time.sleep(_EVERY_S)
    return True


def _is_listening(house: House) -> bool:
    reached = connect(house)
    if reached is not None:
        reached.close()
    return reached is not None


async def _live(house: House, environment: Mapping[str, str]) -> None:
    workspace = Path(house.root)
    age = ConfigAge(workspace, environment)
    async with open_pool(workspace, environment=environment) as pool:
        control = Control(lambda: [msgspec.to_builtins(each) for each in pool.status()])
        watch = WatchConversation(pool)
        mcp = _LateMcp(pool, Path(house.directory, "phases"))
        spoken = _conversations(pool, control, mcp, is_verbose=age.settings.verbose_status)
        daemon = control.daemon = Daemon(
            house,
            environment,
            conversations={**spoken, "watch": watch.converse},
            idle_exit_s=age.settings.daemon.idle_exit_secs,
            is_outdated=age.is_outdated,
        )
        watch.clients = daemon.clients
        _leave_on_signals(daemon)
        _look_for_rubbish_less_often()
        pool.prewarm()
        await daemon.serve(on_listening=lambda: _say(READY))


def _conversations(pool: Pool, control: Control, mcp: "_LateMcp", *, is_verbose: bool) -> dict[str, Conversation]:
    return {
        "control": control.converse,
        "mcp": mcp.converse,
        "call": CallConversation(pool).converse,
        "hook": HookConversation(pool, is_verbose=is_verbose).converse,
        "lsp": LspConversation(pool).converse,
    }


class _LateMcp:
    """MCP's library is half of all that would be loaded: who only serves hooks and commands starts twice as fast."""

    def __init__(self, pool: Pool, memory: Path) -> None:
        self._pool = pool
        self._memory = memory
        self._converse: Conversation | None = None

    async def converse(self, greeting: Greeting, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """As ``McpConversation`` does; while the first one waits, others are answered."""
        if self._converse is None:
            self._converse = await asyncio.to_thread(_load_mcp, self._pool, self._memory)
            _look_for_rubbish_less_often()
        await self._converse(greeting, reader, writer)


def _load_mcp(pool: Pool, memory: Path) -> Conversation:
    from groundwire.surfaces.mcp.conversation import McpConversation  # noqa: PLC0415  see _LateMcp

    return McpConversation(pool, memory).converse


def _look_for_rubbish_less_often() -> None:
    """All that was loaded stays as long as the process: to look through it again and again would hold up every answer,
    and what an answer leaves behind is hardly ever in circles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_RUBBISH_AFTER, 20, 20)


def _leave_on_signals(daemon: Daemon) -> None:
    loop = asyncio.get_running_loop()
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None:
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(number, daemon.leave, f"of {name}")


def _say(word: bytes) -> None:
    """To whoever started it, who hears no more than this."""
    with contextlib.suppress(OSError):
        os.write(1, word)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    os.close(nothing)


def _detach() -> None:
    """Leave this process to the system: who started it need not wait for it, ever."""
    if hasattr(os, "fork") and os.fork():
        os._exit(0)


if __name__ == "__main__":
    _detach()
    sys.exit(main())

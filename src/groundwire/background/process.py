"""The life of a daemon.

Puts together what nobody below knows of each other: the pool, and what can be said about it on a socket.
Above: ``__main__``. Below: ``daemon`` and every surface that speaks through it.
"""

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from groundwire.background.loading import Late, look_for_rubbish_less_often
from groundwire.daemon.control import Control
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

log = logging.getLogger(__name__)

_PREDECESSOR_S = 10.0
_EVERY_S = 0.02


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
        spoken = _conversations(pool, house, is_verbose=age.settings.verbose_status)
        daemon = control.daemon = Daemon(
            house,
            environment,
            conversations={**spoken, "control": control.converse, "watch": watch.converse},
            idle_exit_s=age.settings.daemon.idle_exit_secs,
            is_outdated=age.is_outdated,
        )
        watch.clients = daemon.clients
        _leave_on_signals(daemon)
        look_for_rubbish_less_often()
        pool.prewarm()
        await daemon.serve(on_listening=lambda: _say(READY))


def _conversations(pool: Pool, house: House, *, is_verbose: bool) -> dict[str, Conversation]:
    return {
        # Hooks hear of every edit from the first on, whoever makes it.
        "hook": HookConversation(pool, is_verbose=is_verbose).converse,
        "call": Late(lambda: _load_calls(pool)).converse,
        "lsp": Late(lambda: _load_lsp(pool)).converse,
        "mcp": Late(lambda: _load_mcp(pool, Path(house.directory, "phases"))).converse,
    }


def _load_calls(pool: Pool) -> Conversation:
    from groundwire.daemon.calls import CallConversation  # noqa: PLC0415  see Late

    return CallConversation(pool).converse


def _load_lsp(pool: Pool) -> Conversation:
    from groundwire.surfaces.lsp.conversation import LspConversation  # noqa: PLC0415  see Late

    return LspConversation(pool).converse


def _load_mcp(pool: Pool, memory: Path) -> Conversation:
    from groundwire.surfaces.mcp.conversation import McpConversation  # noqa: PLC0415  see Late

    return McpConversation(pool, memory).converse


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

"""How we learn that a child ended, without a thread where the system allows.

On Linux the ended child is left unreaped: as long as it is, its process id (and so its session and group) cannot be
given to anybody else, and signals sent to them reach only what the child left behind. Above: ``process``.
"""

import asyncio
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

OnExit = Callable[[int], None]

UNKNOWN_EXIT = 255

logger = logging.getLogger(__name__)


def watch_exit(popen: subprocess.Popen[bytes], on_exit: OnExit) -> None:
    """Call ``on_exit`` with the exit code, once, from the running event loop, when the process has ended."""
    loop = asyncio.get_running_loop()
    if sys.platform == "linux":
        try:
            _watch_descriptor(loop, os.pidfd_open(popen.pid), popen.pid, on_exit)
        except OSError:
            logger.debug("no process descriptors on this system; watching process %d from a thread", popen.pid)
        else:
            return
    name = f"exit of process {popen.pid}"
    threading.Thread(target=_watch_blocking, args=(loop, popen, on_exit), name=name, daemon=True).start()


def _watch_blocking(loop: asyncio.AbstractEventLoop, popen: subprocess.Popen[bytes], on_exit: OnExit) -> None:
    code = _exit_code(popen.pid) if sys.platform == "linux" else popen.wait()
    # The loop may have closed meanwhile: then nobody waits for this.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(on_exit, code)


if sys.platform == "linux":

    def _watch_descriptor(loop: asyncio.AbstractEventLoop, descriptor: int, pid: int, on_exit: OnExit) -> None:
        def ended() -> None:
            loop.remove_reader(descriptor)
            os.close(descriptor)
            on_exit(_exit_code(pid))

        loop.add_reader(descriptor, ended)

    def _exit_code(pid: int) -> int:
        """The exit code in Popen's terms, negative for a signal; waits for it."""
        try:
            status = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        except ChildProcessError:
            status = None
        if status is None:
            logger.warning("somebody else reaped process %d; its exit code is unknown", pid)
            return UNKNOWN_EXIT
        return status.si_status if status.si_code == os.CLD_EXITED else -status.si_status

"""On Linux the kernel kills a child whose parent dies: one of two nets under ``kill -9``; ``guardian`` is the other.

Above: ``process``. Below: one call into the C library.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1

if sys.platform == "linux":
    # Loaded now: after a fork, only what is already in place may be used. PyDLL keeps the interpreter lock during the
    # call, so that the new process, which has one thread only, never has to ask for it.
    _prctl = ctypes.PyDLL(None).prctl
    _prctl.argtypes = (ctypes.c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong)


def die_with_parent() -> Callable[[], None] | None:
    """What the new process does before it becomes the server; None where the system offers nothing.

    The kernel binds this to the thread that spawns, not to the process: spawn from a thread that lives as long as the
    server shall (the event loop's).
    """
    if sys.platform != "linux":
        return None
    parent, fatal = os.getpid(), int(signal.SIGKILL)

    def ask_for_the_signal() -> None:
        _prctl(PR_SET_PDEATHSIG, fatal, 0, 0, 0)
        # The parent may have died before the request was made.
        if os.getppid() != parent:
            os._exit(1)

    return ask_for_the_signal

"""The end of a process: at once, for to take apart all that was loaded takes as long as loading half of it.

Above: ``__main__``, ``background``.
"""

import atexit
import contextlib
import os
import sys
import threading
from typing import NoReturn


def leave(status: int) -> NoReturn:
    """Does what was to be done in the end, writes what is to be written, and is gone."""
    if _is_anybody_at_work():
        sys.exit(status)  # Python waits for them
    atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage]  there is no other way to have it done
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _is_anybody_at_work() -> bool:
    """Whether there are threads that were meant to come to their end."""
    return any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread())

"""The first steps of the process: it leaves whoever started it, and only then loads what it is for.

Above: ``daemon.starting``, which runs it. Below: ``process``.
"""

import gc
import os
from importlib import import_module

from groundwire.leaving import leave


def main() -> int:
    """The daemon's exit status."""
    _detach()  # before anything is loaded: two processes would share it, page by page, until one of them writes there
    gc.disable()  # while all is loaded that stays
    return import_module("groundwire.background.process").main()


def _detach() -> None:
    """Leave this process to the system: who started it need not wait for it, ever."""
    if hasattr(os, "fork") and os.fork():
        os._exit(0)


if __name__ == "__main__":
    leave(main())

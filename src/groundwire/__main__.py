"""``python -m groundwire`` and the ``groundwire`` command.

What agents start again and again goes a way of its own, on which almost nothing is loaded.
Above: the shell. Below: ``surfaces``.
"""

import gc
import sys
from importlib import import_module

_LIGHT = {
    "mcp": "groundwire.surfaces.mcp.shim_command",
    "hook": "groundwire.surfaces.hooks.client",
    "lsp": "groundwire.surfaces.lsp.pump",
}
"""By command, the module that holds ``main``, which gives the exit status, or None for what must be parsed in full."""

_RUBBISH_AFTER = 50_000
"""Objects. To look for rubbish after every 700, as Python does, is a tenth of the time that loading takes, and what is
loaded stays.
"""


def main() -> None:
    """Runs one command line, and ends with its exit status."""
    gc.set_threshold(_RUBBISH_AFTER, 10, 10)
    try:
        status = _run()
    except SystemExit as ending:  # of argparse: help was wanted, or is needed
        if not isinstance(ending.code, int):
            raise
        status = ending.code
    import_module("groundwire.leaving").leave(status)


def _run() -> int:
    words = sys.argv[1:]
    if words and words[0] in _LIGHT:
        status: int | None = import_module(_LIGHT[words[0]]).main(words[1:])
        if status is not None:
            return status
    return import_module("groundwire.surfaces.cli.main").main()


if __name__ == "__main__":
    main()

"""``groundwire mcp`` as agents start it: its few options read by hand, for that is all there is time for.

Above: ``__main__``. Below: ``shim``.
"""

import os
import signal
from collections.abc import Mapping, Sequence
from typing import NoReturn

from groundwire.places import workspace_round
from groundwire.surfaces.mcp.shim import Shim, Wanted

_PROFILES = ("core", "full", "navigation", "opta", "single")
_OUTPUTS = ("text", "json")


def main(words: Sequence[str]) -> int | None:
    """The exit status; None for whatever is not just a way to talk to the daemon."""
    try:
        here = os.getcwd()
    except OSError:
        return None  # it is gone, which is told where there is time for it
    wanted = read_options(words, os.environ.get("GROUNDWIRE_OUTPUT", "text"), here)
    if wanted is None:
        return None
    return serve(wanted, os.environ)


def serve(wanted: Wanted, environment: Mapping[str, str]) -> NoReturn:
    """Until the client's input ends; then the process does, at once: nothing that it waits for may hold it up."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os._exit(Shim(wanted, environment).run())


def read_options(words: Sequence[str], output: str, here: str) -> Wanted | None:
    """What they say; None when they say anything that is not understood here."""
    said = {"--root": "", "--profile": "core", "--output": output}
    rest = list(words)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name not in said or (not equals and not rest):
            return None
        said[name] = value if equals else rest.pop(0)
    root, profile, output = said.values()
    if profile not in _PROFILES or output not in _OUTPUTS:
        return None
    if not root:
        return Wanted(workspace_round(here), profile, output)
    directory = os.path.realpath(os.path.join(here, root))
    return Wanted(directory, profile, output) if os.path.isdir(directory) else None

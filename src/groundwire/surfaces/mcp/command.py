"""``groundwire mcp`` where the command line is parsed in full: with language servers of its own, or wrongly used.

Above: ``surfaces.cli.main``, which loads it by name. Below: ``stdio``, ``shim``.
"""

import os
from pathlib import Path
from typing import Protocol

from groundwire.operations.serving.workspace import find_workspace
from groundwire.surfaces.mcp import shim_command, stdio
from groundwire.surfaces.mcp.shim import Wanted


class Options(Protocol):
    """What it reads of the command line."""

    @property
    def root(self) -> Path | None: ...

    @property
    def no_daemon(self) -> bool: ...

    @property
    def profile(self) -> str: ...

    @property
    def output(self) -> str: ...


def run(arguments: Options) -> int:
    """Serves until the input ends, and gives the exit status."""
    here = Path.cwd()
    root = find_workspace(arguments.root, here / "any", here)
    if arguments.no_daemon:
        return stdio.run(root, arguments.profile, arguments.output)
    return shim_command.serve(Wanted(str(root.resolve()), arguments.profile, arguments.output), os.environ)

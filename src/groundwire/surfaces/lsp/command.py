"""``groundwire lsp`` where the command line is parsed in full: with language servers of its own, or wrongly used.

Above: ``surfaces.cli.main``, which loads it by name. Below: ``stdio``, ``pump``.
"""

import os
from pathlib import Path
from typing import Protocol

from groundwire.operations.serving.workspace import find_workspace
from groundwire.surfaces.lsp import pump, stdio


class Options(Protocol):
    """What it reads of the command line."""

    @property
    def root(self) -> Path | None: ...

    @property
    def no_daemon(self) -> bool: ...


def run(arguments: Options) -> int:
    """Serves until ``exit`` or the end of the input, and gives the exit status."""
    here = Path.cwd()
    root = find_workspace(arguments.root, here / "any", here)
    if arguments.no_daemon:
        return stdio.run(root)
    return pump.serve(str(root.resolve()), os.environ)

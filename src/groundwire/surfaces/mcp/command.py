"""``groundwire mcp``: what the command line runs.

Above: ``surfaces.cli.main``, which loads it by name. Below: ``stdio``.
"""

from pathlib import Path
from typing import Protocol

from groundwire.operations.workspace import find_workspace
from groundwire.surfaces.mcp import stdio


class Options(Protocol):
    """What it reads of the command line."""

    @property
    def root(self) -> Path | None: ...

    @property
    def profile(self) -> str: ...

    @property
    def output(self) -> str: ...


def run(arguments: Options) -> int:
    """Serves until the input ends, and gives the exit status."""
    here = Path.cwd()
    return stdio.run(find_workspace(arguments.root, here / "any", here), arguments.profile, arguments.output)

"""What routing decided about a file: the servers that take care of it, those that do not, and why.

Above: ``routing``, which decides, and everything that starts or explains servers. Below: ``registry``.
"""

from pathlib import Path
from typing import Literal

import msgspec

from groundwire.errors import GroundwireError
from groundwire.registry.project_values import Handed
from groundwire.registry.spec import ServerSpec


class Reasons(msgspec.Struct, frozen=True):
    """Why a server was chosen, one question at a time."""

    choice: str = ""
    program: str = ""
    root: str = ""
    root_tier: int = 0
    """Which tier of its markers decided the root, from 1; 0: none."""


class Chosen(msgspec.Struct, frozen=True):
    """A server that takes care of a file: what to start, where, and why this one.

    ``spec`` is made to measure for the project: its placeholders are filled, its environment is the project's.
    """

    spec: ServerSpec
    command: tuple[str, ...]
    root: Path
    why: str
    project_code: tuple[Path, ...] = ()
    """Files inside the workspace that starting it runs or loads as code: whether they may be is a matter of trust."""
    reasons: Reasons = Reasons()
    """What ``why`` sums up."""
    handed: tuple[Handed, ...] = ()
    """What it is given to run or to load: an interpreter, a TypeScript."""
    lacking: tuple[str, ...] = ()
    """Programs without which it reports nothing, and how to get them."""
    refused: tuple[str, ...] = ()
    """Programs of the project that would have gone before the one that is used, and why they are not trusted."""


class PassedOver(msgspec.Struct, frozen=True, kw_only=True):
    """A server that could take care of a file, and does not."""

    server: str
    role: Literal["primary", "linter"]
    kind: Literal["missing", "untrusted", "unfit", "later"]
    """Not to be had; not before the project is trusted; not for this project; not needed, for another goes before."""
    why: str
    hint: str = ""
    is_missed: bool = False
    """Whether the project is set up for it, or somebody asked for it."""


class Route(msgspec.Struct, frozen=True):
    """The servers of one file.

    ``missing`` tells of servers that the project is set up for, or that the caller asked for, and that cannot be had.
    """

    file: Path
    language: str
    primary: Chosen | None
    linters: tuple[Chosen, ...]
    missing: tuple[str, ...] = ()
    language_why: str = ""
    passed_over: tuple[PassedOver, ...] = ()
    """In the order in which they were looked at."""
    refusal: GroundwireError | None = None
    """Why the file is not taken care of; only ``weigh`` gives a route that has one."""

    @property
    def chosen(self) -> tuple[Chosen, ...]:
        """The primary, if there is one, and the linters."""
        return (*((self.primary,) if self.primary is not None else ()), *self.linters)

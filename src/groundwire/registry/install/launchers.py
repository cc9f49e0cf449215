"""The ``bin`` of an installation: just the commands of the server, wherever its installer has put them.

Others that came with them stay out of sight: the old compiler beside a server must not be taken for the new one.
Above: ``installing``. Below: ``binaries``, for what counts as a program.
"""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from groundwire.errors import ServerUnavailable
from groundwire.registry.binaries import executables_named
from groundwire.registry.install.plans import Plan
from groundwire.registry.managed import COMMANDS


def make_launchers(plan: Plan, commands: tuple[str, ...], installation: Path) -> None:
    """Puts each command into ``bin``.

    Raises:
        ServerUnavailable: the packages did not bring one of them.

    """
    place = installation / COMMANDS
    place.mkdir(exist_ok=True)
    for command in commands:
        made = next(executables_named(plan.commands_in, command), None)
        if made is None:
            raise ServerUnavailable(f"the packages hold no command {command!r}", hint="")
        if made.parent != place:
            _make_launcher(place, command, made, plan.launch_with)


def has_commands(installation: Path, commands: tuple[str, ...]) -> bool:
    """Whether all of them are there and can be started."""
    return all(next(executables_named(installation / COMMANDS, command), None) for command in commands)


def _make_launcher(place: Path, command: str, target: Path, variables: Mapping[str, str]) -> None:
    if os.name == "nt":
        lines = ["@echo off", *(f'set "{name}={value}"' for name, value in variables.items()), f'"{target}" %*']
        (place / f"{command}.cmd").write_text("\r\n".join(lines) + "\r\n", "utf-8")
    elif variables:
        settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
        launcher = place / command
        launcher.write_text(f'#!/bin/sh\n{settings} exec {shlex.quote(str(target))} "$@"\n', "utf-8")
        launcher.chmod(0o755)
    else:
        (place / command).symlink_to(os.path.relpath(target, place))

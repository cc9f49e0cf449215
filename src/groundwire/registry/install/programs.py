"""The installers on this machine, and what to say where one is missing or of no use.

Above: ``installing`` and ``choice``. Below: ``binaries`` and ``plans``.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from groundwire.errors import ServerUnavailable
from groundwire.registry.binaries import executables_named
from groundwire.registry.install.plans import INSTALLERS, Installer
from groundwire.registry.spec import ServerSpec


def find_installer(method: str, environment: Mapping[str, str]) -> str | None:
    """The program; packages of PyPI are installed by the Python that runs groundwire."""
    if method == "pypi":
        return sys.executable
    for entry in environment.get("PATH", "").split(os.pathsep):
        # A relative entry would mean whatever directory we happen to be in.
        if Path(entry).is_absolute():
            for executable in executables_named(Path(entry), INSTALLERS[method].program):
                return str(executable)
    return None


def no_installer(spec: ServerSpec, installer: Installer) -> ServerUnavailable:
    """The error for an installer that is not there."""
    message = f"{spec.id} is installed with {installer.program}, which is not on the path"
    remedy = f"Install {installer.comes_with}, which brings {installer.program}, and try again."
    return ServerUnavailable(message, hint=f"{remedy} {by_hand(spec)}")


def not_offered(spec: ServerSpec) -> ServerUnavailable:
    """The error for a server that only its user can install."""
    return ServerUnavailable(f"groundwire cannot install {spec.id} by itself", hint=by_hand(spec))


def by_hand(spec: ServerSpec) -> str:
    """The commands a person would run, each on its own."""
    commands = " or ".join(f"`{command}`" for command in spec.install.values())
    return f"By hand: {commands}." if commands else f"Install {spec.command[0]} by hand and put it on the path."

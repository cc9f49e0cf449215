"""The one command that makes a server usable.

Above: ``needs``, ``explain`` and ``doctor``. Below: ``registry.install``.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from groundwire.registry.binaries import executables_named
from groundwire.registry.install.programs import find_installer
from groundwire.registry.managed import managed_directory
from groundwire.registry.spec import ServerSpec

TRUST = "groundwire trust"
_PROJECT_PACKAGES = "npm install"


def how_to_get(spec: ServerSpec, environment: Mapping[str, str]) -> str:
    """The command that installs a server here, or the address to get it from; empty when nothing is known of it."""
    if spec.managed is not None and find_installer(spec.managed.method, environment) is not None:
        return f"groundwire install {spec.id}"
    ways = list(spec.install.values())
    usable = [way for way in ways if not _is_address(way) and _is_on_path(way.split()[0], environment)]
    addresses = [way for way in ways if _is_address(way)]
    return next(iter((*usable, *addresses, *ways)), "")


def how_to_mend(spec: ServerSpec, program: Path, workspace: Path, environment: Mapping[str, str]) -> str:
    """The command for a server that is there and does not work."""
    if not program.is_absolute():  # somebody else runs it
        return ""
    if program.is_relative_to(workspace):
        return _PROJECT_PACKAGES if "node_modules" in program.parts else ""
    again = how_to_get(spec, environment)
    is_ours = program.is_relative_to(managed_directory(environment))
    return f"groundwire install --remove {spec.id} && {again}" if is_ours else again


def is_project_package_missing(why: str) -> bool:
    """Whether what is missing is a package of the project itself, which only its own installation brings."""
    return why.endswith("is not in the project's node_modules")


def how_to_complete(spec: ServerSpec, why: str, environment: Mapping[str, str]) -> str:
    """The command for a server that was not found."""
    return _PROJECT_PACKAGES if is_project_package_missing(why) else how_to_get(spec, environment)


def _is_address(way: str) -> bool:
    return way.startswith("https://")


def _is_on_path(program: str, environment: Mapping[str, str]) -> bool:
    directories = (Path(entry) for entry in environment.get("PATH", "").split(os.pathsep))
    return any(
        next(executables_named(directory, program), None) for directory in directories if directory.is_absolute()
    )

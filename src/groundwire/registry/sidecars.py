"""The companion that runs beside a server, where the project asks for it.

Above: ``pool``, which starts, restarts and ends it. Below: ``placeholders``, ``project_values``, ``markers``.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from groundwire.registry.binaries import find_program
from groundwire.registry.environments import Gate, let_pass
from groundwire.registry.markers import first_marker, shown
from groundwire.registry.placeholders import fill_command
from groundwire.registry.project_values import ProjectValues, setting_of
from groundwire.registry.spec import ServerSpec, Sidecar


class SidecarCommand(msgspec.Struct, frozen=True):
    """What to run in the server's root, and why."""

    command: tuple[str, ...]
    why: str


def sidecar_of(
    spec: ServerSpec,
    root: Path,
    workspace: Path,
    environment: Mapping[str, str],
    gate: Gate = let_pass,
) -> SidecarCommand | str | None:
    """The companion to run; none where the project asks for none; or, as text, why it cannot be had.

    ``gate`` says why a program must not be run: it is asked for the companion's, and for every other it is handed.
    """
    sidecar = spec.sidecar
    if sidecar is None or not all(setting_of(spec, name) for name in sidecar.when_settings):
        return None
    marker = first_marker(root, sidecar.when)
    if sidecar.when and marker is None:
        return None
    name = sidecar.command[0]
    program = _program(name, root, workspace, environment)
    if program is None:
        return f"{name}, which {spec.id} needs beside it, is not installed"
    values = ProjectValues(spec, str(program), root=root, file=root, workspace=workspace, environment=environment)
    command = fill_command((str(program), *sidecar.command[1:]), values.lookup)
    for path in (program, *(handed.path for handed in values.handed)):
        forbidden = gate(path)
        if forbidden:
            return f"{path}, which {spec.id} needs beside it, {forbidden}"
    return SidecarCommand(command, _why(sidecar, marker))


def _program(name: str, root: Path, workspace: Path, environment: Mapping[str, str]) -> Path | None:
    """As for a server's command: a path is meant from the workspace, or from the home directory."""
    path = Path(name).expanduser() if name.startswith("~") else Path(name)
    located = str(workspace / path) if len(path.parts) > 1 else name
    return find_program(located, root, workspace, environment)


def _why(sidecar: Sidecar, marker: str | None) -> str:
    reasons = [f"{setting} is set" for setting in sidecar.when_settings]
    if marker is not None:
        reasons.append(f"the project has {shown(marker)}")
    return " and ".join(reasons) or "it is configured"

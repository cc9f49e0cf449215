"""A server's data made to measure for one project: placeholders filled, its environment activated.

Above: ``pool.routing``. Below: ``placeholders``, ``project_values``, ``environments``, ``binaries``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import msgspec

from groundwire.registry.binaries import find_program
from groundwire.registry.environments import Gate, activated, find_environment, let_pass
from groundwire.registry.placeholders import fill_command, fill_table
from groundwire.registry.project_values import Handed, ProjectValues
from groundwire.registry.spec import ServerSpec
from groundwire.workspace.rules import SettleRule

_SILENT = SettleRule(pull="never", push="never")


class Tailored(msgspec.Struct, frozen=True):
    """A server as it is to be started for one project."""

    spec: ServerSpec
    command: tuple[str, ...]
    project_code: tuple[Path, ...]
    """Files inside the workspace that are run or loaded as code."""
    missing: tuple[str, ...]
    """Programs without which it reports nothing, and how to get them."""
    handed: tuple[Handed, ...] = ()
    """What it is given to run or to load, from wherever."""


def tailor(
    spec: ServerSpec,
    command: tuple[str, ...],
    *,
    root: Path,
    file: Path,
    workspace: Path,
    environment: Mapping[str, str],
    gate: Gate = let_pass,
) -> Tailored:
    """The server for this project. ``command`` is what ``find_command`` found.

    An interpreter that ``gate`` forbids is not handed over; it is among ``project_code`` all the same, for several
    servers look for it by themselves.
    """
    values = ProjectValues(
        spec, command[0], root=root, file=file, workspace=workspace, environment=environment, gate=gate
    )
    variables = cast("Mapping[str, str]", fill_table(spec.environment, values.lookup))
    if spec.activates_venv:
        variables = {**activated(root, workspace, environment, gate), **variables}
        _note_interpreter(values, root, workspace, environment)
    missing = _missing_programs(spec, root, workspace, environment)
    made = msgspec.structs.replace(
        spec,
        initialization_options=fill_table(spec.initialization_options, values.lookup),
        settings=fill_table(spec.settings, values.lookup),
        environment=variables,
        settle=_SILENT if missing else spec.settle,
    )
    inside = (path for path in (Path(command[0]), *values.code) if path.is_relative_to(workspace))
    return Tailored(
        made, fill_command(command, values.lookup), tuple(dict.fromkeys(inside)), missing, tuple(values.handed)
    )


def _note_interpreter(values: ProjectValues, root: Path, workspace: Path, environment: Mapping[str, str]) -> None:
    python = find_environment(root, workspace, environment)
    if python is not None:
        values.hand_interpreter(python)


def _missing_programs(spec: ServerSpec, root: Path, workspace: Path, environment: Mapping[str, str]) -> tuple[str, ...]:
    """A server that has nothing to check with would call everything clean."""
    return tuple(
        f"{spec.id} finds nothing without {program}, which is not installed. Install it with `{install}`."
        for program, install in spec.findings_need.items()
        if find_program(program, root, workspace, environment) is None
    )

"""What is to be run to install packages into a directory, for each kind of installer. Decides; runs nothing.

The steps run in the new directory, so that no configuration of the project one happens to stand in takes part.
Above: ``installing``. Below: ``pins`` and ``spec``.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from groundwire.registry.environments import SCRIPTS
from groundwire.registry.install.pins import pin_of
from groundwire.registry.managed import COMMANDS
from groundwire.registry.spec import Managed

_MINUTE = 60.0
_PYTHON = "python.exe" if os.name == "nt" else "python"


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One program to run."""

    doing: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = {}
    """Beside the variables of the user."""
    without: tuple[str, ...] = ()
    """Variables of the user that would send the files elsewhere."""
    seconds: float
    instead: "Step | None" = None
    """What to run when this fails and says one of ``instead_when``."""
    instead_when: tuple[str, ...] = ()


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The steps, and where they leave the commands."""

    steps: tuple[Step, ...]
    commands_in: Path
    launch_with: Mapping[str, str] = {}
    """Variables the commands cannot do without."""


class Installer(msgspec.Struct, frozen=True):
    """A program that installs packages: its name, where it comes from, and how it is used."""

    program: str
    source: str
    comes_with: str
    plan: Callable[[str, Managed, Path], Plan]
    """From the path of the program, what is wanted, and the directory."""


def _pypi(python: str, managed: Managed, directory: Path) -> Plan:
    venv = directory / "venv"
    own_python = str(venv / SCRIPTS / _PYTHON)
    # -I: the user's PYTHONPATH would pass for what is installed. Configuration of pip itself stays in force.
    pip = (own_python, "-I", "-m", "pip", "install", "--no-cache-dir", "--disable-pip-version-check", "--no-input")
    elsewhere = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_PYTHON")
    from_source = Step(
        doing="building from source, since there is no wheel of every part",
        command=(*pip, "--prefer-binary", *managed.arguments, *managed.packages),
        without=elsewhere,
        seconds=15 * _MINUTE,
    )
    wheels = Step(
        doing="fetching wheels",
        command=(*pip, "--only-binary=:all:", *managed.arguments, *managed.packages),
        without=elsewhere,
        seconds=10 * _MINUTE,
        instead=from_source,
        instead_when=("No matching distribution found", "ResolutionImpossible"),
    )
    environment = Step(
        doing="making a Python environment",
        command=(python, "-I", "-m", "venv", str(venv)),
        without=elsewhere,
        seconds=3 * _MINUTE,
    )
    return Plan(steps=(environment, wheels), commands_in=venv / SCRIPTS)


def _npm(npm: str, managed: Managed, directory: Path) -> Plan:
    options = ("--location=project", "--no-audit", "--no-fund", "--ignore-scripts", "--no-update-notifier")
    step = Step(
        doing="fetching packages",
        command=(
            npm,
            "install",
            "--prefix",
            str(directory),
            *options,
            "--loglevel=error",
            *managed.arguments,
            *managed.packages,
        ),
        seconds=10 * _MINUTE,
    )
    return Plan(steps=(step,), commands_in=directory / "node_modules" / ".bin")


def _go(go: str, managed: Managed, directory: Path) -> Plan:
    commands = directory / COMMANDS
    # One at a time: together they would have to be of one module.
    steps = tuple(
        Step(
            doing=f"building {pin_of(package)[0]}",
            command=(go, "install", package),
            environment={"GOBIN": str(commands)},
            seconds=15 * _MINUTE,
        )
        for package in managed.packages
    )
    return Plan(steps=steps, commands_in=commands)


def _cargo(cargo: str, managed: Managed, directory: Path) -> Plan:
    step = Step(
        doing="building, which takes minutes",
        command=(cargo, "install", "--locked", "--root", str(directory), *managed.arguments, *managed.packages),
        seconds=45 * _MINUTE,
    )
    return Plan(steps=(step,), commands_in=directory / COMMANDS)


def _gem(gem: str, managed: Managed, directory: Path) -> Plan:
    gems, commands = directory / "gems", directory / "gem-bin"
    places = ("--install-dir", str(gems), "--bindir", str(commands), "--no-user-install")
    pins = tuple(":".join(pin_of(package)) for package in managed.packages)
    step = Step(
        doing="fetching gems",
        command=(gem, "install", *places, "--no-document", *pins),
        seconds=15 * _MINUTE,
    )
    # The commands look only where the variables say; without them they would run another version, or none.
    variables = {"GEM_HOME": str(gems), "GEM_PATH": str(gems)}
    return Plan(steps=(step,), commands_in=commands, launch_with=variables)


INSTALLERS: Mapping[str, Installer] = {
    "pypi": Installer("python", "PyPI", "Python", _pypi),
    "npm": Installer("npm", "npm", "Node.js", _npm),
    "go": Installer("go", "its Go module", "Go", _go),
    "cargo": Installer("cargo", "its Rust crate", "Rust", _cargo),
    "gem": Installer("gem", "its Ruby gem", "Ruby", _gem),
}

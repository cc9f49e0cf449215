"""Finding the program of a server: the project's own copy first, then the places of this user.

Above: ``pool.routing``. Below: ``environments``, ``markers``, ``versions`` and ``spec``.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from groundwire.registry.environments import NAMES, SCRIPTS
from groundwire.registry.markers import directories_up
from groundwire.registry.spec import ServerSpec
from groundwire.registry.versions import is_at_least, version_of

_IS_WINDOWS = os.name == "nt"
_WINDOWS_SUFFIXES = (".exe", ".cmd", ".bat")
_PROJECT_PLACES = (("node_modules", ".bin"), *((name, SCRIPTS) for name in NAMES))


class Found(msgspec.Struct, frozen=True):
    """The command to start, with the full path of its program, and where that came from."""

    command: tuple[str, ...]
    why: str


class Missing(msgspec.Struct, frozen=True):
    """Why there is none, and what would help."""

    why: str
    hint: str


class _Place(msgspec.Struct, frozen=True):
    directory: Path
    name: str
    is_project: bool = False


def _let_pass(_program: Path, /) -> str:
    return ""


def find_command(
    spec: ServerSpec,
    root: Path,
    workspace: Path,
    environment: Mapping[str, str],
    gate: Callable[[Path], str] = _let_pass,
) -> Found | Missing:
    """The first usable program.

    A project's own copy decides even when it is of no use: a project on version 5 is not checked with version 7.
    ``gate`` says why a program must not be run: it is not even asked for its version, and another is looked for.
    """
    refusals: list[str] = []
    for place, executable in _executables(spec, root, workspace, environment):
        forbidden = gate(executable)
        if forbidden:
            refusals.append(f"{executable} {forbidden}")
            continue
        refusal = _refusal(spec, executable, environment)
        if refusal is None:
            return Found((str(executable), *spec.command[1:]), place.name)
        refusals.append(f"{executable} {refusal}")
        if place.is_project:
            break
    return Missing(_why_missing(spec, refusals), install_hint(spec))


def install_hint(spec: ServerSpec) -> str:
    """The recommended way to install the server."""
    recommended = next(iter(spec.install.values()), "")
    return f"Install it with `{recommended}`." if recommended else f"Install {spec.command[0]} and put it on the path."


def executables_named(directory: Path, name: str, *, windows: bool = _IS_WINDOWS) -> Iterator[Path]:
    """The programs of that name in a directory.

    On Windows only what has a suffix can be started: the bare file beside it is a script for other systems.
    """
    names = (
        [name] if not windows or name.lower().endswith(_WINDOWS_SUFFIXES) else [name + end for end in _WINDOWS_SUFFIXES]
    )
    for candidate in (directory / each for each in names):
        if candidate.is_file() and os.access(candidate, os.X_OK):
            yield candidate


def _executables(
    spec: ServerSpec, root: Path, workspace: Path, environment: Mapping[str, str]
) -> Iterator[tuple[_Place, Path]]:
    configured = Path(spec.command[0])
    if configured.is_absolute():
        for executable in executables_named(configured.parent, configured.name):
            yield _Place(configured.parent, "named in full"), executable
        return
    for name in (spec.command[0], *spec.also_named):
        for place in _places(root, workspace, environment):
            for executable in executables_named(place.directory, name):
                yield place, executable


def _places(root: Path, workspace: Path, environment: Mapping[str, str]) -> Iterator[_Place]:
    for directory in directories_up(root, workspace):
        for parts in _PROJECT_PLACES:
            yield _Place(directory.joinpath(*parts), f"the project's {'/'.join(parts)}", is_project=True)
    active = environment.get("VIRTUAL_ENV", "")
    if active:
        yield _Place(Path(active, SCRIPTS), "the active virtual environment")
    # Not resolved: the interpreter of a virtual environment is a link that leads out of it.
    yield _Place(Path(sys.executable).parent, "beside groundwire")
    for entry in environment.get("PATH", "").split(os.pathsep):
        if Path(entry).is_absolute():  # a relative entry would mean whatever directory we happen to be in
            yield _Place(Path(entry), "on the path")


def _refusal(spec: ServerSpec, executable: Path, environment: Mapping[str, str]) -> str | None:
    if not (spec.must_run_version or spec.min_version):
        return None
    version = version_of(executable, spec.version_command, environment)
    if version is None:
        return "cannot tell its version, so it does not work"
    if spec.min_version and not is_at_least(version, spec.min_version):
        return f"is version {version}, and {spec.min_version} is the oldest that will do"
    return None


def _why_missing(spec: ServerSpec, refusals: list[str]) -> str:
    return f"{spec.id}: {'; '.join(refusals)}" if refusals else f"{spec.id} is not installed"

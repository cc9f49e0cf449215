"""Finding the program of a server: the project's own copy first, then the places of this user.

Above: ``pool.routing`` and ``placeholders``. Below: ``environments``, ``managed``, ``markers``, ``versions``, ``spec``.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from groundwire.errors import Untrusted
from groundwire.registry.environments import NAMES, SCRIPTS, Gate, PythonEnvironment, find_environment, let_pass
from groundwire.registry.managed import managed_bin_directories
from groundwire.registry.markers import directories_up
from groundwire.registry.spec import ServerSpec
from groundwire.registry.versions import is_at_least, version_of

_IS_WINDOWS = os.name == "nt"
_WINDOWS_SUFFIXES = (".exe", ".cmd", ".bat")


class Found(msgspec.Struct, frozen=True):
    """The command to start, with the full path of its program, and where that came from."""

    command: tuple[str, ...]
    why: str


class Missing(msgspec.Struct, frozen=True):
    """Why there is none, and what would help."""

    why: str
    hint: str
    is_untrusted: bool = False
    """It is there, and only trust is missing."""
    is_unfit: bool = False
    """It is there, and cannot take this one file."""


class _Place(msgspec.Struct, frozen=True):
    directory: Path
    name: str
    is_project: bool = False
    interpreter: Path | None = None
    """What runs the scripts that lie there, if it is there."""


def find_command(
    spec: ServerSpec,
    root: Path,
    workspace: Path,
    environment: Mapping[str, str],
    gate: Gate = let_pass,
) -> Found | Missing:
    """The first usable program.

    A project's own copy decides even when it is of no use: a project on version 5 is not checked with version 7.
    ``gate`` says why a program must not be run: it is not even asked for its version, and another is looked for.
    """
    refusals: list[str] = []
    untrusted: list[str] = []
    is_own_refused = False
    for line, place, executable in _executables(spec, root, workspace, environment):
        forbidden = _forbidden(executable, place, gate)
        if forbidden and forbidden not in untrusted:
            untrusted.append(forbidden)
        if forbidden or (is_own_refused and not place.is_project):
            continue
        refusal = _refusal(spec, executable, environment)
        if refusal is None:
            return Found((str(executable), *line[1:]), place.name)
        refusals.append(f"{executable} {refusal}")
        is_own_refused = is_own_refused or place.is_project
    if untrusted and not refusals:
        return Missing(_why_missing(spec, untrusted), Untrusted.default_hint, is_untrusted=True)
    return Missing(_why_missing(spec, [*untrusted, *refusals]), install_hint(spec))


def find_program(name: str, root: Path, workspace: Path, environment: Mapping[str, str]) -> Path | None:
    """Another program that a server makes use of, wherever one of ours would be found."""
    places = [
        *_own_places(root, workspace, environment),
        *(_Place(directory, "installed by groundwire") for directory in managed_bin_directories(environment)),
        *_users_places(environment),
    ]
    return next((executable for place in places for executable in executables_named(place.directory, name)), None)


def install_hint(spec: ServerSpec) -> str:
    """The recommended way to install the server: ours where there is one, for it is pinned and needs no rights."""
    recommended = f"groundwire install {spec.id}" if spec.managed else next(iter(spec.install.values()), "")
    if not recommended:
        return f"Install {spec.command[0]} and put it on the path."
    is_address = recommended.startswith("https://")
    return f"Download it from {recommended}." if is_address else f"Install it with `{recommended}`."


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


def _forbidden(executable: Path, place: _Place, gate: Gate) -> str:
    """Which program must not be run, and why: a script of a virtual environment is run by its interpreter."""
    interpreter = place.interpreter
    programs = (executable, interpreter) if interpreter is not None and interpreter.exists() else (executable,)
    refusals = (f"{program} {why}" for program in programs if (why := gate(program)))
    return next(refusals, "")


def _executables(
    spec: ServerSpec, root: Path, workspace: Path, environment: Mapping[str, str]
) -> Iterator[tuple[tuple[str, ...], _Place, Path]]:
    configured = Path(spec.command[0])
    if configured.is_absolute():
        for executable in executables_named(configured.parent, configured.name):
            yield spec.command, _Place(configured.parent, "named in full"), executable
        return
    named = ((name, *spec.command[1:]) for name in (spec.command[0], *spec.also_named))
    places = list(_places(spec, root, workspace, environment))
    for line in (*named, *spec.also_commands):
        for place in places:
            for executable in executables_named(place.directory, line[0]):
                yield line, place, executable


def _places(spec: ServerSpec, root: Path, workspace: Path, environment: Mapping[str, str]) -> Iterator[_Place]:
    yield from _own_places(root, workspace, environment)
    yield from (_Place(directory, "installed by groundwire") for directory in managed_bin_directories(environment))
    yield from _users_places(environment)
    home = environment.get("HOME", "")
    for directory in spec.also_in if home else ():
        yield _Place(Path(home, directory.removeprefix("~/")), f"in {directory}")


def _own_places(root: Path, workspace: Path, environment: Mapping[str, str]) -> Iterator[_Place]:
    for directory in directories_up(root, workspace):
        yield _Place(directory / "node_modules" / ".bin", "the project's node_modules/.bin", is_project=True)
        for name in NAMES:
            own = PythonEnvironment(directory / name, f"the project's {name}/{SCRIPTS}")
            yield _scripts_of(own, is_project=True)
    python = find_environment(root, workspace, environment)
    if python is not None:
        yield _scripts_of(python)
    active = environment.get("VIRTUAL_ENV", "")
    if active:
        yield _scripts_of(PythonEnvironment(Path(active), "the active virtual environment"))


def _scripts_of(python: PythonEnvironment, *, is_project: bool = False) -> _Place:
    return _Place(python.scripts, python.why, is_project=is_project, interpreter=python.python)


def _users_places(environment: Mapping[str, str]) -> Iterator[_Place]:
    # Not resolved: the interpreter of a virtual environment is a link that leads out of it.
    yield _Place(Path(sys.executable).parent, "beside groundwire")
    for entry in environment.get("PATH", "").split(os.pathsep):
        if Path(entry).is_absolute():  # a relative entry would mean whatever directory we happen to be in
            yield _Place(Path(entry), "on the path")


def _refusal(spec: ServerSpec, executable: Path, environment: Mapping[str, str]) -> str | None:
    if not (spec.must_run_version or spec.min_version or spec.below_version):
        return None
    version = version_of(executable, spec.version_command, environment)
    if version is None:
        return "cannot tell its version, so it does not work"
    if spec.min_version and not is_at_least(version, spec.min_version):
        return f"is version {version}, and {spec.min_version} is the oldest that will do"
    if spec.below_version and is_at_least(version, spec.below_version):
        return f"is version {version}, and will do only below {spec.below_version}"
    return None


def _why_missing(spec: ServerSpec, refusals: list[str]) -> str:
    return f"{spec.id}: {'; '.join(refusals)}" if refusals else f"{spec.id} is not installed"

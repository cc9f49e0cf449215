"""What answers depend on beside the files that are watched: installed packages, products of builds, the toolchain,
variables, the user's own settings of servers, projects further up.

``identity`` is made of contents, names and versions, never of places or times, so that it is the same on another
machine that is set up alike. Looking at all of it takes long; ``stamps`` tell in a millisecond or two whether it has to
be done again. Where something cannot be known, ``unknown`` says so, and nothing is kept or served.
Above: ``operations.reference_cache``. Below: ``packages``, ``content``.
"""

import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.cache.content import IsWanted, short_hash
from groundwire.cache.packages import installed_by_node, installed_in_python
from groundwire.cache.seen import MOST_STAMPS, Seen, stamp_of
from groundwire.pool.tree import UNSETTLED
from groundwire.registry.outside_sources import DECIDING, crates_beside, include_directories, replaced_modules
from groundwire.registry.package_places import python_prefixes

_OF_NO_CONCERN = frozenset({
    ".git", ".hg", ".svn", ".jj", ".idea", ".vscode", ".cache", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".tox",
    ".nox", ".hypothesis", ".import_linter_cache", ".eggs", ".gradle", ".terraform", ".direnv", ".claude", ".github",
    "__pycache__",
})  # fmt: skip
"""Directories whose content no language server takes for code."""

_PACKAGES = frozenset({"node_modules", "bower_components", "vendor"})
_TOOLCHAIN = (
    "python3", "python", "node", "go", "cargo", "rustc", "cc", "c++", "gcc", "clang", "java", "dotnet", "ruby", "php",
)  # fmt: skip
_VARIABLES = (
    "PYTHON", "VIRTUAL_ENV", "CONDA", "GO", "CGO_", "CARGO", "RUST", "NODE_", "CC", "CXX", "CFLAGS", "CPPFLAGS",
    "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "JAVA_HOME", "JDK_", "DOTNET", "MSBuild", "BUNDLE_", "GEM_",
    "RUBY", "LUA_", "TS_", "ZIG_", "SDKROOT", "PYENV_", "ASDF_", "RBENV_", "NVM_", "VOLTA_",
)  # fmt: skip
"""Beginnings of the names of variables by which toolchains and servers are told what to do."""
_USERS_SETTINGS = (
    ".config/ty/ty.toml", ".config/clangd/config.yaml", ".config/rust-analyzer/rust-analyzer.toml", ".config/go/env",
    ".rustup/settings.toml", ".cargo/config.toml", ".cargo/config", ".pyenv/version", ".tool-versions",
)  # fmt: skip
_ELSEWHERE = {
    ".config": "XDG_CONFIG_HOME", ".rustup": "RUSTUP_HOME", ".cargo": "CARGO_HOME", ".pyenv": "PYENV_ROOT",
}  # fmt: skip
"""Variables that say where these are, if not in the home directory."""
_FURTHER_UP = (
    "pyproject.toml", "ty.toml", "pyrightconfig.json", "tsconfig.json", "jsconfig.json", "package.json", ".clangd",
    "compile_commands.json", "compile_flags.txt", "rust-toolchain.toml", "rust-toolchain", ".cargo/config.toml",
)  # fmt: skip
_PROJECT_FURTHER_UP = ("go.work", "Cargo.toml")
_PROBE = 64 * 1024
_MOST_ENTRIES = 20_000


class Surroundings(NamedTuple):
    """As they were when they were looked at."""

    identity: bytes
    stamps: Mapping[str, int]
    unknown: str = ""

    def are_unchanged(self) -> bool:
        """Whether all that was looked at has the stamp it had."""
        now = time.time_ns()
        return all(stamp != UNSETTLED and stamp_of(path, now) == stamp for path, stamp in self.stamps.items())


def look_around(
    workspace: Path,
    environment: Mapping[str, str],
    tool_directories: Iterable[str],
    interpreters: Iterable[Path],
    is_code: IsWanted,
) -> Surroundings:
    """Everything, anew. ``interpreters`` are those that servers were given."""
    seen = Seen(workspace, Path(environment.get("HOME", "/")))
    _see_variables(seen, environment)
    pythons = [*interpreters, *_see_toolchain(seen, environment)]
    for name in _USERS_SETTINGS:
        seen.file(_users_file(seen.home, environment, name))
    _see_further_up(seen)
    _see_beside(seen)
    for directory in sorted(tool_directories):
        _see_tools(seen, workspace / directory, is_code)
    own = environment.get("VIRTUAL_ENV") or environment.get("CONDA_PREFIX")
    prefixes = {prefix for python in pythons for prefix in python_prefixes(python)} | {seen.home / ".local"}
    if own:
        prefixes.add(Path(own))
    for prefix in sorted(prefixes):
        installed_in_python(seen, prefix)
    if len(seen.stamps) > MOST_STAMPS:
        seen.unknown = seen.unknown or "there is too much around the workspace to look at"
    identity = short_hash("\0".join(seen.facts).encode("utf-8", "surrogateescape"))
    return Surroundings(identity, seen.stamps, seen.unknown)


def _users_file(home: Path, environment: Mapping[str, str], name: str) -> Path:
    directory, _, within = name.partition("/")
    elsewhere = environment.get(_ELSEWHERE.get(directory, ""), "")
    return Path(elsewhere, within) if elsewhere else home / name


def _see_variables(seen: Seen, environment: Mapping[str, str]) -> None:
    for name, value in sorted(environment.items()):
        if name.startswith(_VARIABLES):
            seen.fact(f"{name}={value}")


def _see_toolchain(seen: Seen, environment: Mapping[str, str]) -> Iterator[Path]:
    """By the beginning and the end of each program, which hold its build. Gives the Pythons."""
    path = environment.get("PATH", "")
    for directory in path.split(os.pathsep):
        if directory:
            seen.stamp(directory)  # a program that comes to lie further in front
    for name in _TOOLCHAIN:
        found = shutil.which(name, path=path)
        if found is None:
            continue
        real = os.path.realpath(found)
        seen.stamp(real)
        seen.fact(f"{name} {_build_of(real)}")
        if name.startswith("python"):
            yield Path(found)


def _build_of(program: str) -> str:
    try:
        with Path(program).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            start = file.read(_PROBE)
            file.seek(max(size - _PROBE, 0))
            return f"{size} {short_hash(start + file.read(_PROBE)).hex()}"
    except OSError as error:
        return f"unreadable {error.errno}"


def _see_further_up(seen: Seen) -> None:
    for directory in seen.workspace.parents:
        for name in _FURTHER_UP:
            seen.file(directory / name)
        for name in _PROJECT_FURTHER_UP:
            seen.stamp(str(directory / name))
            if (directory / name).exists():
                seen.unknown = f"the workspace is part of the project of {directory / name}"
        if (directory / "node_modules").is_dir():
            installed_by_node(seen, directory / "node_modules")
        else:
            seen.stamp(str(directory / "node_modules"))


def _see_beside(seen: Seen) -> None:
    """Sources that the project takes from out of the workspace may be edited any time."""
    for name in DECIDING:
        seen.stamp(str(seen.workspace / name))
    for find in (replaced_modules, crates_beside, include_directories):
        for place in find(seen.workspace):
            seen.unknown = f"{place}, which is out of the workspace, holds sources of it"


def _see_tools(seen: Seen, directory: Path, is_code: IsWanted) -> None:
    if directory.name in _OF_NO_CONCERN:
        return
    seen.stamp(str(directory))
    if directory.name in _PACKAGES:
        installed_by_node(seen, directory)
    elif (directory / "pyvenv.cfg").is_file():
        installed_in_python(seen, directory)
    elif directory.name == "target" and (directory / "CACHEDIR.TAG").is_file():
        for out in sorted([*directory.glob("*/build/*/out"), *directory.glob("*/*/build/*/out")]):
            _see_code(seen, out, is_code)
    else:
        _see_code(seen, directory, is_code)


def _see_code(seen: Seen, top: Path, is_code: IsWanted) -> None:
    """What builds have made, and servers may read."""
    left = _MOST_ENTRIES
    for above, directories, files in os.walk(top):
        left -= len(directories) + len(files)
        if left < 0:
            seen.unknown = f"there is too much in {top} to look at"
            return
        directories[:] = sorted(name for name in directories if name not in _OF_NO_CONCERN | _PACKAGES)
        seen.stamp(above)
        _see_each(seen, above, [name for name in sorted(files) if is_code(name)])


def _see_each(seen: Seen, above: str, names: Sequence[str]) -> None:
    for name in names:
        seen.file(Path(above, name))

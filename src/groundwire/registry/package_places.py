"""Where the packages lie that a server reads beside the project, and what tells that others are installed there now.

A package is not edited, it is installed, replaced or removed: the entries of these directories and the records of the
installers tell of that. Above: ``pool.installed``, ``cache.packages``. Below: ``environments``, ``markers``,
``outside_sources``.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from groundwire.registry.environments import PythonEnvironment, environments_to_consider
from groundwire.registry.markers import directories_up
from groundwire.registry.outside_sources import text_of

PackageKind = Literal["python", "node", "go", "c"]

NODE_PACKAGES = "node_modules"
RECORDS = (".package-lock.json", ".modules.yaml", ".yarn-integrity", ".yarn-state.yml", "modules.txt")
"""What installers write down in the directory of the packages, whatever they have replaced below it."""
_SITES = (
    "lib/python3*/site-packages", "lib/python3*/dist-packages", "lib/python3/dist-packages", "Lib/site-packages",
    "local/lib/python3*/dist-packages",
)  # fmt: skip
_PYTHONS = ("python3", "python")


def package_places(
    kinds: Iterable[PackageKind],
    root: Path,
    workspace: Path,
    environment: Mapping[str, str],
    nested: Iterable[str] = (),
) -> list[str]:
    """Directories and files, there or not, of which one changes when a package is installed, replaced or removed.

    ``nested`` are directories below the root that are packages of their own.
    """
    found: dict[str, None] = {}
    for kind in kinds:
        if kind == "python":
            found.update(dict.fromkeys(_of_python(root, workspace, environment)))
        elif kind == "node":
            found.update(dict.fromkeys(_of_node(root, workspace, nested)))
    return list(found)


def python_sites(prefix: Path) -> list[Path]:
    """Where an environment, or an installation of Python, keeps its packages."""
    return [site for pattern in _SITES for site in sorted(prefix.glob(pattern))]


def python_prefixes(python: Path) -> list[Path]:
    """The installations that a command may run: a stand-in runs any of those that its manager has installed."""
    above = python.parent.parent
    if python.parent.name != "shims":
        return [above]
    return [*above.glob("versions/*"), *above.glob("installs/python/*")]


def version_files(root: Path, python: Path) -> list[Path]:
    """Where a stand-in of pyenv looks for the version that it is to run, in its order; none where it is no stand-in."""
    if python.parent.name != "shims":
        return []
    return [*(directory / ".python-version" for directory in (root, *root.parents)), python.parent.parent / "version"]


def _of_python(root: Path, workspace: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """The environment that is used, and those that would be used in its place if they were there."""
    for candidate in environments_to_consider(root, workspace, environment):
        yield str(candidate.python)
        if candidate.python.exists():
            yield from _of_environment(candidate)
            return
    home = environment.get("HOME", "")
    if home:
        yield f"{home}/.local/lib"
        yield from map(str, python_sites(Path(home, ".local")))
    for name in _PYTHONS:
        found = shutil.which(name, path=environment.get("PATH", ""))
        if found is None:
            continue
        yield from map(str, version_files(root, Path(found)))
        for prefix in python_prefixes(Path(found)):
            yield from map(str, python_sites(prefix))


def _of_environment(found: PythonEnvironment) -> Iterator[str]:
    settings = found.directory / "pyvenv.cfg"
    yield str(settings)
    yield from map(str, python_sites(found.directory))
    if "include-system-site-packages = true" in text_of(settings).lower():
        base = Path(os.path.realpath(found.python)).parent.parent
        yield from map(str, python_sites(base))


def _of_node(root: Path, workspace: Path, nested: Iterable[str]) -> Iterator[str]:
    """Those of the root and of all above it, where modules are looked for, and those of the packages below it."""
    within = list(directories_up(root, workspace)) or [root]
    above = [directory for directory in within[-1].parents if (directory / NODE_PACKAGES).is_dir()]
    for directory in (*within, *above):
        packages = directory / NODE_PACKAGES
        yield str(packages)
        yield from (str(packages / name) for name in RECORDS if (packages / name).is_file())
    yield from (f"{directory}/{NODE_PACKAGES}" for directory in nested)

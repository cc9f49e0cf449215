"""Which packages are installed, and in which versions; not what is in them: what is installed is replaced, not edited.

A package that is a link to somebody's sources out of the workspace makes everything unknown, for they may be edited any
time. Above: ``surroundings``. Below: ``seen``, ``registry.package_places``, ``registry.outside_sources``.
"""

from pathlib import Path

from groundwire.cache.seen import Seen
from groundwire.registry.outside_sources import directories_named_in, leads_elsewhere
from groundwire.registry.package_places import RECORDS, python_sites

_LISTED = (".dist-info", ".egg-info")
_COMPOSER = "composer/installed.json"


def installed_in_python(seen: Seen, prefix: Path) -> None:
    """The packages of an environment, or of an installation."""
    seen.stamp(str(prefix / "pyvenv.cfg"))
    for site in python_sites(prefix):
        _see_site(seen, site)


def _see_site(seen: Seen, site: Path) -> None:
    seen.stamp(str(site))
    for name in sorted(_names(site)):
        if name.endswith(_LISTED):
            seen.fact(f"python package {name}")
        elif leads_elsewhere(name):
            seen.file(site / name)
            _follow_paths(seen, site / name)


def _follow_paths(seen: Seen, file: Path) -> None:
    for directory in directories_named_in(file):
        if not seen.is_inside(directory):
            seen.unknown = f"{file} leads to sources out of the workspace"


def installed_by_node(seen: Seen, directory: Path) -> None:
    """The packages in a ``node_modules``, or in another directory of that kind."""
    seen.stamp(str(directory))
    for name in (*RECORDS, _COMPOSER):
        seen.file(directory / name)
    for name in sorted(_names(directory)):
        package = directory / name
        if name.startswith("@") or directory.name == "vendor":
            seen.stamp(str(package))
            for inner in sorted(_names(package)):
                _see_package(seen, package / inner, directory)
        elif not name.startswith("."):
            _see_package(seen, package, directory)


def _see_package(seen: Seen, package: Path, above: Path) -> None:
    seen.stamp(str(package))
    if package.is_symlink() and not seen.is_inside(package):
        seen.unknown = f"{package} leads to sources out of the workspace"
        return
    manifest = package / "package.json"
    try:
        version = manifest.read_bytes()[:4096]
    except OSError:
        version = b""
    seen.fact(f"package {package.relative_to(above).as_posix()} {version.hex()}")


def _names(directory: Path) -> list[str]:
    try:
        return [entry.name for entry in directory.iterdir()]
    except OSError:
        return []

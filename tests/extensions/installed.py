"""The example, and packages that are broken in one way each, as they are once they are installed: a directory on the
path with the code, its metadata and its programs. What a wheel unpacks to, without a network to build it with.
"""

import os
import shutil
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import groundwire

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/extension"
_SOURCES = Path(groundwire.__file__).parents[1]


def install(project: Path, site: Path) -> None:
    """A project with a ``pyproject.toml`` and its package in ``src``."""
    shutil.copytree(project / "src", site, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    # Any TOML; a wrong shape fails the test.
    about = cast("dict[str, Any]", tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"])
    describe(site, about["name"], about["version"], about["entry-points"]["groundwire.extensions"])
    for name, target in cast("dict[str, str]", about.get("scripts", {})).items():
        _script(site / "bin" / name, *target.split(":"))


def describe(site: Path, distribution: str, version: str, points: Mapping[str, str]) -> None:
    """The metadata of a package, with its extensions."""
    directory = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
    directory.mkdir(parents=True)
    head = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
    (directory / "METADATA").write_text(head, "utf-8")
    lines = [f"{name} = {target}" for name, target in points.items()]
    (directory / "entry_points.txt").write_text("\n".join(["[groundwire.extensions]", *lines, ""]), "utf-8")


def install_module(site: Path, name: str, code: str, version: str = "0.1") -> None:
    """A package of one module; its extension has its name, and is what ``extension`` in it is."""
    site.mkdir(parents=True, exist_ok=True)
    (site / f"{name}.py").write_text(code, "utf-8")
    describe(site, name, version, {name: f"{name}:extension"})


def _script(file: Path, module: str, function: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    # Its own directory comes first on the path of a script; the packages are above it.
    path = f"import sys\nsys.path.insert(0, {str(file.parents[1])!r})\n"
    code = f"{path}from {module} import {function}\nsys.exit({function}())\n"
    file.write_text(f"#!{sys.executable}\n{code}", "utf-8")
    file.chmod(0o755)


def environment_of(site: Path, home: Path, **more: str) -> dict[str, str]:
    """Of a user who has it installed, and nothing else."""
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in ("TMPDIR", "LANG", "SYSTEMROOT") if name in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "PATH": os.pathsep.join([str(site / "bin"), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join([str(site), str(_SOURCES)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "GROUNDWIRE_NO_DAEMON": "1",
        **more,
    }

"""Directories out of a project whose sources it uses where they are written, as far as its files say so.

Above: ``pool.starting``, ``pool.installed``, ``package_places``, ``cache.packages``. Below: nothing.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path

_PATHS = (".pth", ".egg-link")
_EDITABLE = "__editable__"
_ABSOLUTE = re.compile(r"(?:^|['\"\s=])(/[^'\"\n:;,)]+)", re.MULTILINE)
_REPLACED = re.compile(r"=>[ \t]*(\S+)[ \t]*(?://.*)?$", re.MULTILINE)
_USED = re.compile(r"^use[ \t]*(?:\(([^)]*)\)|(\S+))", re.MULTILINE)
_INCLUDED = re.compile(r"(?:-I|-iquote|-isystem)[ \t\n]*([^\s\"']+)")
_CRATE_PATH = re.compile(r"\bpath[ \t]*=[ \t]*\"([^\"]+)\"")
_FLAGS = ("compile_flags.txt", "compile_commands.json", "build/compile_commands.json")
_LARGEST_FLAGS = 16 * 1024 * 1024
DECIDING = ("go.mod", "go.work", "Cargo.toml", *_FLAGS)
"""The files of a project that name such directories."""


def leads_elsewhere(name: str) -> bool:
    """Whether a file among the packages of Python names directories where more of them lie."""
    return name.endswith(_PATHS) or name.startswith(_EDITABLE)


def directories_named_in(file: Path) -> list[Path]:
    """The directories that such a file names, as far as they are there."""
    text = text_of(file)
    if file.name.endswith(_PATHS):  # a line of code in it is run by Python, and read by nobody else
        text = "\n".join(line for line in text.splitlines() if not line.startswith(("import ", "import\t", "#")))
    named = (Path(found.strip()) for found in _ABSOLUTE.findall(text))
    return [directory for directory in named if directory.is_dir()]


def replaced_modules(root: Path) -> list[str]:
    """The directories of modules of Go that the project takes from beside itself."""
    named = [*_REPLACED.findall(text_of(root / "go.mod")), *_REPLACED.findall(text_of(root / "go.work"))]
    used = _USED.findall(text_of(root / "go.work"))
    named += (name for several, single in used for name in (*several.split(), single))
    return _outside(root, (name.strip('"') for name in named if name.startswith(("/", "./", "../", '"'))))


def include_directories(root: Path) -> list[str]:
    """Where headers lie that the project takes from beside itself, as far as its flags say so."""
    named: dict[str, None] = {}
    for file in (root / name for name in _FLAGS):
        if file.is_file() and file.stat().st_size <= _LARGEST_FLAGS:
            named.update(dict.fromkeys(_INCLUDED.findall(text_of(file))))
    return _outside(root, named)


def crates_beside(root: Path) -> list[str]:
    """The directories of crates that the project takes from beside itself."""
    return _outside(root, _CRATE_PATH.findall(text_of(root / "Cargo.toml")))


def _outside(root: Path, named: Iterable[str]) -> list[str]:
    paths = dict.fromkeys(os.path.normpath(root / name) for name in named)
    return [path for path in paths if not Path(path).is_relative_to(root) and Path(path).is_dir()]


def text_of(file: Path) -> str:
    """What it holds; nothing where it cannot be read."""
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""

"""Packages of Go that import each other through an edit, or did until then: one of them is told to be wrong, whichever
the server likes.

By the text of the packages that a new import leads to. Above: ``dependents``. Below: ``client.disk``.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from groundwire.client.disk import read_source
from groundwire.errors import GroundwireError

_IMPORTS = re.compile(r"^import\s*(?:\(([^)]*)\)|([^\n(]*))", re.MULTILINE)
_PATH = re.compile(r"[\"`]([^\"`\n]+)[\"`]")
_MODULE = re.compile(r"^module\s+[\"`]?([^\s\"`]+)", re.MULTILINE)
_MODULE_FILE = "go.mod"
GO = ".go"
_OF_TESTS = "_test.go"
_LARGEST = 1024 * 1024
_MOST_PACKAGES = 500


class Cycle(NamedTuple):
    """Other files of packages that lead back to themselves, and why there may be more."""

    files: tuple[Path, ...] = ()
    doubt: str = ""


def find_cycle(file: Path, before: str, after: str) -> Cycle:
    """Of the packages through which what the file imports only now, or did, leads back to it."""
    new = _imports(after) ^ _imports(before) if file.suffix == GO else frozenset[str]()
    root = next((each for each in file.parents if (each / _MODULE_FILE).is_file()), None) if new else None
    if root is None:
        return Cycle()
    module = _MODULE.search(_text(root / _MODULE_FILE))
    if module is None:
        return Cycle()
    reached = _reached(root, module[1], new)
    leading = _leading_to(file.parent, reached)
    doubt = f"only {_MOST_PACKAGES} packages were looked at for a cycle of imports" if _is_cut(reached) else ""
    return Cycle(tuple(each for package in sorted(leading) for each in _files(package) if each != file), doubt)


def _imports(text: str) -> frozenset[str]:
    blocks = (found[1] or found[2] for found in _IMPORTS.finditer(text))
    return frozenset(path for block in blocks for path in _PATH.findall(block))


def _reached(root: Path, module: str, imports: frozenset[str]) -> Mapping[Path, frozenset[Path]]:
    """The packages of this module that these lead to, each with those that it imports itself."""
    reached: dict[Path, frozenset[Path]] = {}
    waiting = [*_packages(root, module, imports)]
    while waiting and len(reached) < _MOST_PACKAGES:
        package = waiting.pop()
        if package not in reached:
            texts = (_text(each) for each in _files(package) if not each.name.endswith(_OF_TESTS))
            named = frozenset[str]().union(*map(_imports, texts))
            reached[package] = frozenset(_packages(root, module, named))
            waiting += reached[package]
    return reached


def _is_cut(reached: Mapping[Path, frozenset[Path]]) -> bool:
    return len(reached) >= _MOST_PACKAGES and any(not imported <= reached.keys() for imported in reached.values())


def _packages(root: Path, module: str, imports: frozenset[str]) -> Iterator[Path]:
    """The directories of those that are of this module."""
    for path in imports:
        if path == module or path.startswith(f"{module}/"):
            yield root.joinpath(*path[len(module) :].split("/"))


def _leading_to(package: Path, reached: Mapping[Path, frozenset[Path]]) -> set[Path]:
    """Of those that were reached, whatever imports the package in the end; itself among them."""
    leading = {package} & reached.keys()
    while new := {
        each for each, imported in reached.items() if each not in leading and imported & (leading | {package})
    }:
        leading |= new
    return leading


def _files(package: Path) -> list[Path]:
    return sorted(package.glob(f"*{GO}")) if package.is_dir() else []


def _text(file: Path) -> str:
    try:
        return read_source(file, _LARGEST)
    except GroundwireError:  # gone, unreadable or far too large
        return ""

"""Asking a program for its version, once.

Above: ``binaries``, ``fitness``, ``poetry`` and ``operations``. Below: nothing.
"""

import json
import re
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import cast

_VERSION = re.compile(r"\d+(?:\.\d+)+|\d+")
_FULL_VERSION = re.compile(r"\d+(?:\.\d+)+[\w.+-]*")
_LONGEST = 20
_SECONDS = 10.0


def version_of(executable: Path, arguments: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    """What the program says its version is, or nothing when it fails or does not say in time.

    Remembered for as long as the file stays as it is.
    """
    stamp = executable.stat().st_mtime_ns
    return _ask(executable, arguments, tuple(sorted(environment.items())), stamp)


def is_at_least(version: str, wanted: str) -> bool:
    """Whether a version reaches another; ``7`` is reached by ``7.0.2`` and by ``10``."""
    return numbers(version) >= numbers(wanted)


def numbers(version: str) -> tuple[int, ...]:
    """The version as four numbers that can be compared; what follows them (``-dev.1``, ``rc2``) does not count."""
    found = _VERSION.match(version)
    parts = [int(part) for part in found.group().split(".")] if found else []
    return (*parts, 0, 0, 0, 0)[:4]


def short_version(told: str) -> str:
    """The version in what a server tells of itself, which may be a sentence, or JSON with all that it is made of."""
    try:
        parsed: object = json.loads(told)
    except (ValueError, RecursionError):
        parsed = None
    named = cast("dict[str, object]", parsed).get("Version") if isinstance(parsed, dict) else None
    text = named if isinstance(named, str) else told
    found = _FULL_VERSION.search(text)
    return found.group() if found else text[:_LONGEST].strip()


def told_version(program: Path, *names: str) -> str:
    """The version that the package a program belongs to is marked with; empty when it is not marked. Runs nothing.

    ``names`` are those that the package may have beside that of the program.
    """
    in_node = (_package_version(directory) for directory in program.resolve().parents if _is_package(directory))
    in_python = (
        found.name.removesuffix(".dist-info").rpartition("-")[2]
        for library in (program.parent.parent / "lib").glob("python*/site-packages")
        for name in (program.name, *names)
        for found in library.glob(f"{name.replace('-', '_')}-*.dist-info")
    )
    return next(filter(None, (*in_node, *in_python)), "")


def _is_package(directory: Path) -> bool:
    return "node_modules" in (directory.parent.name, directory.parent.parent.name)


def _package_version(directory: Path) -> str:
    try:
        content: object = json.loads((directory / "package.json").read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return ""
    version = cast("dict[str, object]", content).get("version") if isinstance(content, dict) else None
    return version if isinstance(version, str) else ""


@lru_cache(maxsize=256)
def _ask(
    executable: Path, arguments: tuple[str, ...], environment: tuple[tuple[str, str], ...], stamp: int
) -> str | None:
    del stamp  # only part of the key
    try:
        # The standard input of groundwire may be the pipe of its own client: nobody else may read from it.
        done = subprocess.run(
            [str(executable), *arguments],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(done.stdout.decode("utf-8", "replace"))
    return found.group() if done.returncode == 0 and found else None

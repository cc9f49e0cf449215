"""Asking a program for its version, once.

Above: ``binaries``, ``fitness`` and ``poetry``. Below: nothing.
"""

import re
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_VERSION = re.compile(r"\d+(?:\.\d+)+|\d+")
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

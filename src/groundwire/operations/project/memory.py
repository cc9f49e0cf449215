"""What was computed of a project, kept beside its other caches under a digest of what it was computed from.

It is never out of date: when anything of that has changed, it is not found. Nothing is written into the project.
Above: ``project_overview``. Below: the file system.
"""

import logging
import os
from pathlib import Path

import msgspec

from groundwire.operations.results.project import ProjectFacts
from groundwire.version import VERSION

log = logging.getLogger(__name__)

_FILE = "project.json"
_LARGEST = 4 * 1024 * 1024


class _Kept(msgspec.Struct, frozen=True):
    """The version is that of groundwire: another one may read manifests otherwise."""

    version: str
    digest: str
    facts: ProjectFacts


class ProjectMemory:
    """In a directory of groundwire's; without one nothing is kept."""

    def __init__(self, directory: Path | None) -> None:
        self._file = directory / _FILE if directory is not None else None

    def recall(self, digest: str) -> ProjectFacts | None:
        """What is known for that digest."""
        if self._file is None:
            return None
        try:
            with self._file.open("rb") as source:
                kept = msgspec.json.decode(source.read(_LARGEST), type=_Kept)
        except (OSError, msgspec.DecodeError):  # not there yet, or of another version
            return None
        return kept.facts if (kept.version, kept.digest) == (VERSION, digest) else None

    def keep(self, digest: str, facts: ProjectFacts) -> None:
        """In place of what was there. That it cannot be written only costs time."""
        if self._file is None:
            return
        data = msgspec.json.encode(_Kept(VERSION, digest, facts))
        beside = self._file.with_name(f"{_FILE}.{os.getpid()}")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            beside.write_bytes(data)
            beside.replace(self._file)
        except OSError as problem:
            log.info("what is known of the project is not kept: %s", problem)

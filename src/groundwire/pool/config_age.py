"""Whether the configuration of a workspace, or the trust in it, is still what it was.

A change that means nothing (a comment, another program's part of a file) is none. Above: ``background``. Below:
``config``, ``trust_store``.
"""

from collections.abc import Mapping
from pathlib import Path

from groundwire.config.load import LoadedConfig, load_config
from groundwire.config.models import Settings
from groundwire.pool.trust_store import TrustRecord, user_trust_store


class ConfigAge:
    """Compares with the moment it was made. While nothing changes, looking costs a few questions to the file system."""

    def __init__(self, workspace: Path, environment: Mapping[str, str]) -> None:
        self._workspace = workspace
        self._environment = environment
        self._store = user_trust_store(environment)
        loaded = self._load()
        self.settings = loaded.settings
        """What is set, without what the project may not decide."""
        self._files = (*loaded.files, self._store.file)
        self._meant = self._meaning(loaded)
        self._seen = self._look()
        self._is_outdated = False

    def is_outdated(self) -> bool:
        """Whether a new start would come to something else."""
        if self._look() != self._seen:
            loaded = self._load()
            self._files = (*loaded.files, self._store.file)  # one that has gone may have hidden others
            self._seen = self._look()
            self._is_outdated = self._meaning(loaded) != self._meant
        return self._is_outdated

    def _load(self) -> LoadedConfig:
        return load_config(self._workspace, environment=self._environment)

    def _meaning(self, loaded: LoadedConfig) -> tuple[Settings, Settings, TrustRecord, int]:
        trusted = self._store.record(self._workspace)
        return loaded.settings, loaded.settings_when_trusted, trusted, len(loaded.problems)

    def _look(self) -> list[tuple[int, int] | None]:
        return [_stamp(file) for file in self._files]


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size

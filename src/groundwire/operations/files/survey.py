"""Which languages a workspace holds, and a file of each to ask about: a look at names, bounded.

Above: ``needs``. Below: ``workspace_files``, ``registry.detect``.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.protocol.names import is_text
from groundwire.registry.catalog import Catalog
from groundwire.registry.detect import detect_language

_MOST_SCRIPTS = 200
"""A file without an ending is looked into for its interpreter; no more of them than this."""


class LanguageFound(msgspec.Struct, frozen=True):
    """A language that there are files of."""

    language: str
    files: int
    samples: tuple[Path, ...]
    """One file of each directory that holds any, the uppermost first: servers are rooted by directory."""


class Survey(msgspec.Struct, frozen=True):
    """What was seen."""

    workspace: Path
    languages: tuple[LanguageFound, ...]
    """Those with most files first."""
    note: str = ""
    """Why there may be more than this; empty when everything was looked at."""

    @property
    def files(self) -> int:
        """All files whose language is known."""
        return sum(found.files for found in self.languages)


def survey(workspace: Path, catalog: Catalog, *, most_entries: int = 50_000, most_samples: int = 64) -> Survey:
    """Walks the workspace, directory by directory from the top, until everything or ``most_entries`` was seen."""
    walk = WorkspaceFiles(workspace, most_entries=most_entries)
    tally = _Tally(catalog, most_samples)
    for file in walk:
        tally.add(file)
    languages = sorted(tally.languages(), key=lambda found: (-found.files, found.language))
    notes = [note for note in (walk.note, tally.note) if note]
    return Survey(workspace, tuple(languages), "; ".join(notes))


class _Tally:
    """Files by language."""

    def __init__(self, catalog: Catalog, most_samples: int) -> None:
        self._catalog = catalog
        self._most = most_samples
        self._scripts_left = _MOST_SCRIPTS
        self._counts: dict[str, int] = {}
        self._samples: dict[str, dict[Path, Path]] = {}
        self._crowded: set[str] = set()

    def add(self, file: Path) -> None:
        language = self._language(file)
        if language is None:
            return
        self._counts[language] = self._counts.get(language, 0) + 1
        samples = self._samples.setdefault(language, {})
        known = samples.get(file.parent)
        if known is None and len(samples) == self._most:
            self._crowded.add(language)
        elif known is None or _worth(file) > _worth(known):
            samples[file.parent] = file

    def languages(self) -> Iterator[LanguageFound]:
        for language, count in self._counts.items():
            yield LanguageFound(language, count, tuple(self._samples[language].values()))

    @property
    def note(self) -> str:
        if not self._crowded:
            return ""
        return f"of {' and '.join(sorted(self._crowded))} only the files of {self._most} directories were looked at"

    def _language(self, file: Path) -> str | None:
        known = self._catalog.language_of(file)
        if known is not None or file.suffix or not self._scripts_left:
            return known
        self._scripts_left -= 1
        return detect_language(self._catalog, file)[0]


def _worth(file: Path) -> tuple[bool, bool]:
    """What a server can be shown goes before what it may not take, and a text before an empty file."""
    try:
        return is_text(str(file)), file.stat().st_size > 0
    except OSError:
        return False, False

"""Where words stand in the code of files, comments and strings apart: found by reading, so it proves no meaning. But a
word that stands nowhere is used nowhere.

Blocks while files are read. Above: ``detect_changes``, ``cross_repo``. Below: ``workspace_files``, ``masked_text``.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from groundwire.client.disk import read_source
from groundwire.errors import GroundwireError
from groundwire.operations.answer import Place
from groundwire.operations.files.paths import shown_path
from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.operations.text.masked_text import Masked
from groundwire.operations.text.syntaxes import syntax_of

_MOST_FILES = 10_000
_MOST_HITS = 2_000
_LARGEST = 1024 * 1024


class TextHit(msgspec.Struct, frozen=True):
    """A word in the code of a file; 1-based."""

    file: Path
    line: int
    column: int
    word: str
    text: str

    def place(self, workspace: Path) -> Place:
        """In people's terms."""
        return Place(
            file=shown_path(self.file, workspace),
            line=self.line,
            column=self.column,
            end_line=self.line,
            end_column=self.column + len(self.word),
            text=self.text,
        )


class TextHits(msgspec.Struct, frozen=True):
    """``doubt``: why there may be more."""

    hits: tuple[TextHit, ...]
    doubt: str = ""


def find_words(folders: Iterable[Path], words: Sequence[str], languages: Mapping[str, str]) -> TextHits:
    """All places of the words. ``languages``: ending → language, of the files that are read."""
    pattern = re.compile(rf"(?<![\w$])(?:{'|'.join(map(re.escape, words))})(?![\w$])")
    walks = [WorkspaceFiles(folder) for folder in folders]
    hits: list[TextHit] = []
    doubts: list[str] = []
    files = (file for file in chain.from_iterable(walks) if file.suffix in languages)
    for number, file in enumerate(files):
        if number == _MOST_FILES or len(hits) > _MOST_HITS:
            doubts.append(f"only {number:,} files were searched for the name")
            break
        try:
            text = read_source(file, _LARGEST)
        except GroundwireError as error:  # no server would be asked about one that is no text or far too large
            doubts += [error.message] if file.exists() else []
            continue
        if pattern.search(text):
            hits += _hits_in(file, text, languages[file.suffix], pattern)
    return TextHits(tuple(hits), "; ".join([*doubts[:1], *(walk.note for walk in walks if walk.note)]))


def _hits_in(file: Path, text: str, language: str, pattern: re.Pattern[str]) -> Iterable[TextHit]:
    for found in pattern.finditer(Masked(text, syntax_of(language)).code):
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.start())
        line = text[start : end if end >= 0 else len(text)].strip()
        yield TextHit(file, text.count("\n", 0, start) + 1, found.start() - start + 1, found[0], line)

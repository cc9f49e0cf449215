"""Text edits, planned: found through links, checked against what they were computed for, written as the file is.

Above: ``plan``, ``file_operations``. Below: ``draft``, ``boundary``, ``content``, ``protocol.edits``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from groundwire.edits.boundary import Boundary
from groundwire.edits.content import FileContent, decode
from groundwire.edits.draft import Draft, Entry
from groundwire.edits.steps import Write, below
from groundwire.edits.uri_paths import path_of
from groundwire.errors import EditConflict, NotAFile
from groundwire.protocol.edits import apply_text_edits
from groundwire.protocol.hashing import content_hash
from groundwire.protocol.lsp_edits import TextDocumentEdit, TextEdit
from groundwire.protocol.positions import PositionEncoding
from groundwire.protocol.snippets import plain_text


@dataclass(frozen=True, slots=True)
class Basis:
    """The content an edit was computed for: the hash of its text, and the version the server was told."""

    hash: str
    version: int | None = None


@dataclass(frozen=True, slots=True)
class NewText:
    """The whole text of a file, which need not be there yet."""

    path: Path
    text: str


@dataclass(slots=True)
class _Text:
    """A text on its way: what it was when the edit began, the edits since, and what it is now."""

    content: FileContent
    edits: list[TextEdit] = field(default_factory=list[TextEdit])
    now: str = ""

    def __post_init__(self) -> None:
        self.now = self.content.text


class TextChanges:
    """The texts that are being changed, by path."""

    def __init__(
        self, boundary: Boundary, draft: Draft, encoding: PositionEncoding, computed_for: Mapping[Path, Basis]
    ) -> None:
        self._boundary = boundary
        self._draft = draft
        self._encoding: PositionEncoding = encoding
        self._computed_for = computed_for
        self._texts: dict[Path, _Text] = {}
        self.unchecked: list[Path] = []

    def change(self, change: TextDocumentEdit) -> None:
        """Edits of one document, their positions taken in the text as planned up to here."""
        path, entry = self.find(path_of(change.text_document.uri))
        if entry is None:
            raise EditConflict(f"{path} is to be edited, but there is no such file at that point")
        self._check_version(path, entry, change.text_document.version)
        text = self._open(path, entry)
        edits = [_plain(edit, text.content) for edit in change.edits]
        new_text = apply_text_edits(text.now, edits, self._encoding)
        if text.edits and apply_text_edits(text.content.text, [*text.edits, *edits], self._encoding) != new_text:
            # Servers differ in whether later edits of one file count from the text before or after the earlier ones.
            raise EditConflict(f"{path} is edited twice, and the edits can be read two ways")
        text.edits += edits
        self._put(path, entry, text, new_text)

    def replace(self, path: Path, entry: Entry, new_text: str) -> None:
        """Another text for a file that is there."""
        text = self._open(path, entry)
        self._put(path, entry, text, text.content.with_our_endings(new_text))

    def find(self, named: Path) -> tuple[Path, Entry | None]:
        """The file that is meant, through links, and what is planned to be there."""
        path = self._boundary.entry(named)
        entry = self.look(path)
        if entry is None or entry.kind != "link":
            return path, entry
        if entry.origin != path:
            raise EditConflict(f"{named} is a link which the same edit made or moved; edit what it leads to")
        path = self._boundary.target(named)
        return path, self.look(path)

    def look(self, path: Path) -> Entry | None:
        """What is planned to be there. What was moved there must have been in the workspace too."""
        entry = self._draft.look(path)
        if (
            entry is not None
            and entry.origin not in (None, path)
            and self._boundary.entry(entry.origin) != entry.origin
        ):
            raise EditConflict(f"{path} would be reached through a link which the same edit moves")
        return entry

    def check_basis(self, path: Path, entry: Entry) -> None:
        """Raise EditConflict when the file holds something else than what the edit was computed for."""
        basis = self._computed_for.get(entry.origin) if entry.origin else None
        if basis is None or entry.data is not None:
            return
        if content_hash(decode(self._draft.data(entry), path).text) != basis.hash:
            raise EditConflict(f"{path} was changed since the edit was computed; nothing was changed")

    def forget(self, path: Path) -> None:
        """The text begins anew, or is gone."""
        self._texts = {each: text for each, text in self._texts.items() if not each.is_relative_to(path)}

    def moved(self, old: Path, new: Path) -> None:
        """Texts keep what is known of them under their new names."""
        self.forget(new)
        self._texts = {
            each if (rest := below(each, old)) is None else new / rest: text for each, text in self._texts.items()
        }

    def _check_version(self, path: Path, entry: Entry, version: int | None) -> None:
        basis = self._computed_for.get(entry.origin) if entry.origin else None
        known = basis.version if basis else None
        if None not in (version, known) and version != known:
            raise EditConflict(f"the edit is for version {version} of {path}, which is at {known}")

    def _open(self, path: Path, entry: Entry) -> _Text:
        if entry.kind != "file":
            raise NotAFile(f"{path} is not a file")
        if path not in self._texts:
            if entry.origin is not None and entry.data is None:
                self.check_basis(path, entry)
                if entry.origin not in self._computed_for:
                    self.unchecked.append(entry.origin)
            self._texts[path] = _Text(decode(self._draft.data(entry), path))
        return self._texts[path]

    def _put(self, path: Path, entry: Entry, text: _Text, new_text: str) -> None:
        text.now = new_text
        self._draft.add(Write(path, self._draft.data(entry), text.content.encode(new_text, path)))


def _plain(edit: TextEdit, content: FileContent) -> TextEdit:
    new_text = (edit.new_text or "") if edit.snippet is None else plain_text(edit.snippet.value)
    return TextEdit(edit.range, content.with_our_endings(new_text))

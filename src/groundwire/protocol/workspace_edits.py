"""Workspace edits planned as steps over known texts, without touching a file. What does not fit is refused.

Above: ``client``, ``operations``. Below: ``edits``, ``uris``, ``hashing``, ``lsp_edits``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from groundwire import errors
from groundwire.protocol import lsp_edits as lsp
from groundwire.protocol.edits import apply_text_edits
from groundwire.protocol.hashing import content_hash
from groundwire.protocol.positions import PositionEncoding
from groundwire.protocol.uris import uri_key


@dataclass(frozen=True, slots=True)
class KnownText:
    """A document as it is now. ``version`` is the one told to the server, or ``None`` if it is not open there."""

    text: str
    version: int | None = None


@dataclass(frozen=True, slots=True)
class ChangeText:
    """Replace the whole text, provided that it still is the one with ``before_hash``."""

    uri: str
    before_hash: str
    new_text: str


@dataclass(frozen=True, slots=True)
class CreateFile:
    """Create an empty file. ``overwrite`` wins over ``ignore_if_exists``."""

    uri: str
    overwrite: bool = False
    ignore_if_exists: bool = False


@dataclass(frozen=True, slots=True)
class RenameFile:
    """Rename a file or a directory. ``overwrite`` wins over ``ignore_if_exists``."""

    old_uri: str
    new_uri: str
    overwrite: bool = False
    ignore_if_exists: bool = False


@dataclass(frozen=True, slots=True)
class DeleteFile:
    """Delete a file, or a directory if ``recursive``."""

    uri: str
    recursive: bool = False
    ignore_if_not_exists: bool = False


Step = ChangeText | CreateFile | RenameFile | DeleteFile


def documents_needed(edit: lsp.WorkspaceEdit) -> set[str]:
    """The URIs whose texts, as far as the files exist, ``plan_workspace_edit`` must be given.

    Besides the files to be edited these are the targets of creations and renames: that they exist decides the outcome.
    """
    needed: set[str] = set()
    renames: list[lsp.RenameFile] = []
    for change in edit.ordered_changes():
        match change:
            case lsp.TextDocumentEdit():
                needed.add(_name_before(change.text_document.uri, renames))
            case lsp.CreateFile():
                needed.add(_name_before(change.uri, renames))
            case lsp.RenameFile():
                needed.add(_name_before(change.new_uri, renames))
                renames.append(change)
            case lsp.DeleteFile():
                pass
    return needed


def plan_workspace_edit(
    edit: lsp.WorkspaceEdit, documents: Mapping[str, KnownText], encoding: PositionEncoding
) -> list[Step]:
    """The steps in order, or ``EditConflict``. Each edit is resolved against the content planned up to there."""
    plan = _Plan(documents, encoding)
    for change in edit.ordered_changes():
        match change:
            case lsp.TextDocumentEdit():
                plan.change_text(change)
            case lsp.CreateFile():
                plan.create(change)
            case lsp.RenameFile():
                plan.rename(change)
            case lsp.DeleteFile():
                plan.delete(change)
    return plan.steps


@dataclass(slots=True)
class _Planned:
    """A text on its way: what it was when the list began to edit it, the edits since, and what it is now."""

    base: str
    version: int | None
    edits: list[lsp.TextEdit] = field(default_factory=list[lsp.TextEdit])
    text: str = ""

    def __post_init__(self) -> None:
        self.text = self.base


class _Plan:
    """The steps so far and the content of every known file after them, by canonical URI."""

    def __init__(self, documents: Mapping[str, KnownText], encoding: PositionEncoding) -> None:
        self.steps: list[Step] = []
        self._encoding: PositionEncoding = encoding
        self._planned = {uri_key(uri): _Planned(known.text, known.version) for uri, known in documents.items()}

    def change_text(self, change: lsp.TextDocumentEdit) -> None:
        uri, version = change.text_document.uri, change.text_document.version
        planned = self._planned.get(uri_key(uri))
        if planned is None:
            raise errors.EditConflict(f"{uri} is to be edited, but there is no such text at that point")
        if None not in (version, planned.version) and version != planned.version:
            raise errors.EditConflict(f"the edit is for version {version} of {uri}, which is at {planned.version}")
        new_text = self._edited(planned, change)
        if new_text != planned.text:
            self.steps.append(ChangeText(uri, content_hash(planned.text), new_text))
        planned.edits += change.edits
        planned.text = new_text

    def create(self, change: lsp.CreateFile) -> None:
        options = change.options or lsp.CreateFileOptions()
        step = CreateFile(change.uri, bool(options.overwrite), bool(options.ignore_if_exists))
        self.steps.append(step)
        if self._becomes_free(change.uri, step):
            self._planned[uri_key(change.uri)] = _Planned("", None)

    def rename(self, change: lsp.RenameFile) -> None:
        options = change.options or lsp.RenameFileOptions()
        step = RenameFile(change.old_uri, change.new_uri, bool(options.overwrite), bool(options.ignore_if_exists))
        self.steps.append(step)
        if not self._becomes_free(change.new_uri, step):
            return
        new = uri_key(change.new_uri)
        moved = self._take(change.old_uri)
        self._planned.pop(new, None)
        self._planned.update({new + below: planned for below, planned in moved.items()})

    def delete(self, change: lsp.DeleteFile) -> None:
        options = change.options or lsp.DeleteFileOptions()
        self.steps.append(DeleteFile(change.uri, bool(options.recursive), bool(options.ignore_if_not_exists)))
        self._take(change.uri)

    def _edited(self, planned: _Planned, change: lsp.TextDocumentEdit) -> str:
        new_text = apply_text_edits(planned.text, change.edits, self._encoding)
        if planned.edits:
            # Servers differ in whether later edits of one file count from the text before or after the earlier ones.
            together = apply_text_edits(planned.base, [*planned.edits, *change.edits], self._encoding)
            if together != new_text:
                raise errors.EditConflict(
                    f"{change.text_document.uri} is edited twice, and the edits can be read two ways"
                )
        return new_text

    def _becomes_free(self, uri: str, step: CreateFile | RenameFile) -> bool:
        """Whether the step will put a file there: nothing known is in the way, or it may be overwritten."""
        if uri_key(uri) not in self._planned or step.overwrite:
            return True
        if not step.ignore_if_exists:
            raise errors.EditConflict(f"{uri} is to be created, but it exists")
        return False

    def _take(self, uri: str) -> dict[str, _Planned]:
        """Remove a file, or all in a directory; what was known of them by the rest of their names."""
        base = uri_key(uri)
        below = {key: rest for key in self._planned if (rest := _below(key, base)) is not None}
        return {rest: self._planned.pop(key) for key, rest in below.items()}


def _name_before(uri: str, renames: Sequence[lsp.RenameFile]) -> str:
    """What a file is called before the renames are carried out."""
    for rename in reversed(renames):
        below = _below(uri_key(uri), uri_key(rename.new_uri))
        if below is not None:
            uri = rename.old_uri.rstrip("/") + below
    return uri


def _below(key: str, base: str) -> str | None:
    """What follows ``base`` in ``key`` if it is that file or in that directory."""
    rest = key[len(base) :]
    return rest if key.startswith(base) and (not rest or rest.startswith("/")) else None

"""An edit as steps over files, every one of them checked before anything is written: plan, then ``write.apply``.

What the edit was computed for must still be there; what it names must be in the workspace. Above: ``operations``.
Below: ``text_changes``, ``file_operations``, ``draft``, ``boundary``, ``report``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from groundwire.edits.boundary import Boundary
from groundwire.edits.draft import Draft
from groundwire.edits.file_operations import FileOperations
from groundwire.edits.files import Disk, Files
from groundwire.edits.report import ChangedFile, changed_files
from groundwire.edits.steps import Step, Write
from groundwire.edits.text_changes import Basis, NewText, TextChanges
from groundwire.edits.uri_paths import path_of
from groundwire.protocol import lsp_edits as lsp
from groundwire.protocol.positions import PositionEncoding

MAX_BYTES = 64 * 1024 * 1024
Change = lsp.DocumentChange | NewText


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Changes that their author wants a person to agree to."""

    label: str
    description: str
    paths: tuple[Path, ...]


@dataclass(frozen=True)
class Plan:
    """What will be done, in order."""

    steps: tuple[Step, ...]
    confirmations: tuple[Confirmation, ...] = ()
    unchecked: tuple[Path, ...] = ()
    """Files that are changed though nobody said which content the edit was computed for."""

    @cached_property
    def changes(self) -> list[ChangedFile]:
        """By file: what it was and what it will be."""
        return changed_files(self.steps)


def plan_edit(
    edit: lsp.WorkspaceEdit | Sequence[Change],
    *,
    roots: Sequence[Path],
    encoding: PositionEncoding,
    computed_for: Mapping[Path, Basis] | None = None,
    files: Files | None = None,
    max_bytes: int = MAX_BYTES,
) -> Plan:
    """The steps, or the reason why not: EditConflict, OutsideWorkspace, NotAFile, PermissionDenied, FileTooLarge."""
    files = files or Disk()
    boundary, draft = Boundary(roots, files), Draft(files, max_bytes)
    texts = TextChanges(
        boundary, draft, encoding, {boundary.real(path): basis for path, basis in (computed_for or {}).items()}
    )
    operations = FileOperations(boundary, draft, texts, files)
    changes = edit.ordered_changes() if isinstance(edit, lsp.WorkspaceEdit) else edit
    for change in changes:
        _plan_change(change, texts, operations)
    steps = tuple(step for step in draft.steps if not (isinstance(step, Write) and step.before == step.after))
    annotations = edit.change_annotations if isinstance(edit, lsp.WorkspaceEdit) else None
    return Plan(steps, _confirmations(changes, annotations or {}), tuple(texts.unchecked))


def _plan_change(change: Change, texts: TextChanges, operations: FileOperations) -> None:
    match change:
        case lsp.TextDocumentEdit():
            texts.change(change)
        case NewText():
            operations.put_text(change)
        case lsp.CreateFile():
            operations.create(change)
        case lsp.RenameFile():
            operations.rename(change)
        case lsp.DeleteFile():
            operations.delete(change)


def _confirmations(
    changes: Sequence[Change], annotations: Mapping[str, lsp.ChangeAnnotation]
) -> tuple[Confirmation, ...]:
    concerned: dict[str, dict[Path, None]] = {}
    for change in changes:
        for annotation in _annotations_of(change):
            concerned.setdefault(annotation, {})[_path_of(change)] = None
    return tuple(
        Confirmation(wanted.label, wanted.description or "", tuple(paths))
        for name, paths in concerned.items()
        if (wanted := annotations.get(name)) is not None and wanted.needs_confirmation
    )


def _annotations_of(change: Change) -> list[str]:
    match change:
        case NewText():
            return []
        case lsp.TextDocumentEdit(edits=edits):
            return [edit.annotation_id for edit in edits if edit.annotation_id]
        case _:
            return [change.annotation_id] if change.annotation_id else []


def _path_of(change: Change) -> Path:
    match change:
        case NewText(path):
            return path
        case lsp.TextDocumentEdit(text_document=document):
            return path_of(document.uri)
        case lsp.RenameFile(old_uri=uri):
            return path_of(uri)
        case _:
            return path_of(change.uri)

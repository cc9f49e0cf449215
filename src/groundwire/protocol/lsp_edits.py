"""The edit shapes: text edits, file operations and the workspace edit that holds both.

Above: ``edits``, ``client``. Below: ``lsp``.
"""

from msgspec import Raw

from groundwire.protocol.lsp import Range, Shape, decode


class StringValue(Shape, frozen=True):
    """A snippet: ``kind`` is "snippet"; ``value`` has tab stops and placeholders."""

    kind: str
    value: str


class TextEdit(Shape, frozen=True):
    """All three kinds in one: plain and annotated edits have ``new_text``, a snippet edit has ``snippet`` instead."""

    range: Range
    new_text: str | None = None
    annotation_id: str | None = None
    snippet: StringValue | None = None

    def __post_init__(self) -> None:
        # A missing text must never pass for a deletion.
        if self.new_text is None and self.snippet is None:
            raise ValueError("a text edit without newText")


class OptionalVersionedTextDocumentIdentifier(Shape, frozen=True):
    uri: str
    version: int | None = None


class TextDocumentEdit(Shape, frozen=True):
    text_document: OptionalVersionedTextDocumentIdentifier
    edits: list[TextEdit]


class CreateFileOptions(Shape, frozen=True):
    overwrite: bool | None = None
    ignore_if_exists: bool | None = None


class RenameFileOptions(Shape, frozen=True):
    overwrite: bool | None = None
    ignore_if_exists: bool | None = None


class DeleteFileOptions(Shape, frozen=True):
    recursive: bool | None = None
    ignore_if_not_exists: bool | None = None


class CreateFile(Shape, frozen=True, tag_field="kind", tag="create"):
    uri: str
    options: CreateFileOptions | None = None
    annotation_id: str | None = None


class RenameFile(Shape, frozen=True, tag_field="kind", tag="rename"):
    old_uri: str
    new_uri: str
    options: RenameFileOptions | None = None
    annotation_id: str | None = None


class DeleteFile(Shape, frozen=True, tag_field="kind", tag="delete"):
    uri: str
    options: DeleteFileOptions | None = None
    annotation_id: str | None = None


DocumentChange = TextDocumentEdit | CreateFile | RenameFile | DeleteFile


class ChangeAnnotation(Shape, frozen=True):
    label: str
    needs_confirmation: bool | None = None
    description: str | None = None


class WorkspaceEdit(Shape, frozen=True):
    """``document_changes`` is kept raw, as only some of its members say their kind; read ``ordered_changes()``."""

    changes: dict[str, list[TextEdit]] | None = None
    document_changes: list[Raw] | None = None
    change_annotations: dict[str, ChangeAnnotation] | None = None

    def ordered_changes(self) -> list[DocumentChange]:
        """Every change in order. ``documentChanges`` wins over ``changes``, which is what the specification asks."""
        if self.document_changes is not None:
            return [_document_change(raw) for raw in self.document_changes]
        return [
            TextDocumentEdit(OptionalVersionedTextDocumentIdentifier(uri), edits)
            for uri, edits in (self.changes or {}).items()
        ]


class ApplyWorkspaceEditParams(Shape, frozen=True):
    edit: WorkspaceEdit
    label: str | None = None


class _Kind(Shape, frozen=True):
    kind: str | None = None


_FILE_OPERATIONS: dict[str, type[CreateFile] | type[RenameFile] | type[DeleteFile]] = {
    "create": CreateFile,
    "rename": RenameFile,
    "delete": DeleteFile,
}


def _document_change(raw: Raw) -> DocumentChange:
    kind = decode(raw, _Kind, "documentChanges").kind
    # A kind nobody knows has no textDocument either, so it is refused rather than skipped.
    shape = TextDocumentEdit if kind is None else _FILE_OPERATIONS.get(kind, TextDocumentEdit)
    return decode(raw, shape, "documentChanges")

"""Files created, renamed and deleted, with the options LSP gives them, planned as steps that can be taken back.

Above: ``plan``. Below: ``text_changes``, ``draft``, ``boundary``, ``steps``.
"""

from pathlib import Path

from groundwire.edits.boundary import Boundary
from groundwire.edits.checks import is_one_name
from groundwire.edits.content import FileContent
from groundwire.edits.draft import Draft, Entry
from groundwire.edits.files import Files
from groundwire.edits.steps import MakeDirectory, MakeFile, Move, RemoveDirectory, RemoveFile, RemoveLink, Write
from groundwire.edits.text_changes import NewText, TextChanges
from groundwire.edits.uri_paths import path_of
from groundwire.errors import EditConflict, NotAFile, PermissionDenied
from groundwire.protocol import lsp_edits as lsp
from groundwire.protocol.hashing import content_hash


class FileOperations:
    """Each method plans one operation, after those before it."""

    def __init__(self, boundary: Boundary, draft: Draft, texts: TextChanges, files: Files) -> None:
        self._boundary = boundary
        self._draft = draft
        self._texts = texts
        self._files = files

    def put_text(self, new: NewText) -> None:
        """A file with this text, whether it is there or not."""
        path, entry = self._texts.find(new.path)
        if entry is not None:
            self._texts.replace(path, entry, new.text)
            return
        self._make_parents(path)
        self._draft.add(MakeFile(path, FileContent("").encode(new.text, path)))

    def create(self, change: lsp.CreateFile) -> None:
        """An empty file. Overwriting wins over ignoring."""
        options = change.options or lsp.CreateFileOptions()
        path, entry = self._texts.find(path_of(change.uri))
        if entry is None:
            self._make_parents(path)
            self._draft.add(MakeFile(path, b""))
        elif options.overwrite:
            if entry.kind != "file":
                raise EditConflict(f"{path} is to be overwritten, but it is not a file")
            self._texts.check_basis(path, entry)
            self._texts.forget(path)
            self._draft.add(Write(path, self._draft.data(entry), b""))
        elif not options.ignore_if_exists:
            raise EditConflict(f"{path} is to be created, but it exists")

    def rename(self, change: lsp.RenameFile) -> None:
        """Another name for a file, a link or a directory. Overwriting wins over ignoring."""
        options = change.options or lsp.RenameFileOptions()
        old, new = self._boundary.entry(path_of(change.old_uri)), self._boundary.entry(path_of(change.new_uri))
        entry = self._texts.look(old)
        if entry is None:
            raise EditConflict(f"{old} is to be renamed, but it does not exist")
        if old == new:
            return
        if new.is_relative_to(old) or old.is_relative_to(new):
            raise EditConflict(f"{old} cannot be renamed to {new}: one is inside the other")
        step = Move(old, new, self._digest(entry))
        there = self._texts.look(new)
        if there is not None and not (there.origin == new and is_one_name(step, self._files)):
            if not options.overwrite:
                if options.ignore_if_exists:
                    return
                raise EditConflict(f"{old} is to be renamed to {new}, but that exists")
            self._clear(new, there)
        self._make_parents(new)
        self._draft.add(step)
        self._texts.moved(old, new)

    def delete(self, change: lsp.DeleteFile) -> None:
        """A file or a link; a directory with everything in it only if the operation says so."""
        options = change.options or lsp.DeleteFileOptions()
        path = self._boundary.entry(path_of(change.uri))
        entry = self._texts.look(path)
        if entry is None:
            if not options.ignore_if_not_exists:
                raise EditConflict(f"{path} is to be deleted, but it does not exist")
            return
        if entry.kind == "directory" and not options.recursive and self._draft.names(path):
            raise EditConflict(f"{path} is to be deleted, but it is not empty")
        self._remove(path, entry)
        self._texts.forget(path)

    def _clear(self, path: Path, entry: Entry) -> None:
        """Make room for what is renamed to here."""
        if entry.kind == "directory":
            raise EditConflict(f"{path} is a directory; it is not overwritten")
        self._remove(path, entry)

    def _remove(self, path: Path, entry: Entry) -> None:
        match entry.kind:
            case "file":
                self._remove_file(path, entry)
            case "link":
                self._draft.add(RemoveLink(path, entry.target))
            case "directory":
                for name in self._draft.names(path):
                    child = self._boundary.entry(path / name)
                    inside = self._texts.look(child)
                    if inside is not None:
                        self._remove(child, inside)
                self._draft.add(RemoveDirectory(path, entry.status))
            case "other":
                raise NotAFile(f"{path} is neither file, link nor directory")

    def _remove_file(self, path: Path, entry: Entry) -> None:
        if entry.status is not None and entry.status.is_read_only:
            raise PermissionDenied(
                f"{path} is read-only; nothing was changed", hint="Make it writable first if it is meant to go."
            )
        self._texts.check_basis(path, entry)
        self._draft.add(RemoveFile(path, self._draft.data(entry), entry.status))

    def _make_parents(self, path: Path) -> None:
        missing: list[Path] = []
        for parent in path.parents:
            entry = self._texts.look(parent)
            if entry is not None:
                if entry.kind != "directory":
                    raise EditConflict(f"{path} cannot be made: {parent} is not a directory")
                break
            missing.append(parent)
        for parent in reversed(missing):
            self._draft.add(MakeDirectory(parent))

    def _digest(self, entry: Entry) -> str:
        return content_hash(self._draft.data(entry)) if entry.kind == "file" else ""

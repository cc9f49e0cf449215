"""Edits as a server sends them, a directory they are made in, and what that directory holds."""

import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from groundwire.edits.files import Files
from groundwire.edits.plan import Plan, plan_edit
from groundwire.edits.report import Applied
from groundwire.edits.staging import TEMPORARY_PREFIX
from groundwire.edits.text_changes import Basis
from groundwire.edits.write import apply
from groundwire.protocol.lsp import decode
from groundwire.protocol.lsp_edits import WorkspaceEdit
from groundwire.protocol.positions import PositionEncoding
from groundwire.protocol.uris import path_to_uri

Shape = dict[str, object]


def text_edit(line: int, start: int, end: int, new_text: str, annotation: str = "") -> Shape:
    span = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    return {"range": span, "newText": new_text, **({"annotationId": annotation} if annotation else {})}


def workspace_edit(*changes: Shape, annotations: Mapping[str, Shape] | None = None) -> WorkspaceEdit:
    sent: Shape = {"documentChanges": changes}
    if annotations:
        sent["changeAnnotations"] = annotations
    return decode(msgspec.json.encode(sent), WorkspaceEdit)


@dataclass(frozen=True)
class Project:
    """A directory with files."""

    root: Path

    def __truediv__(self, name: str) -> Path:
        return self.root / name

    def put(self, name: str, content: str | bytes = "", mode: int = 0o644) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        path.chmod(mode)
        return path

    def uri(self, name: str) -> str:
        return path_to_uri(str(self.root / name))

    def change(self, name: str, *edits: Shape, version: int | None = None) -> Shape:
        return {"textDocument": {"uri": self.uri(name), "version": version}, "edits": list(edits)}

    def create(self, name: str, **options: bool) -> Shape:
        return {"kind": "create", "uri": self.uri(name), "options": options}

    def rename(self, old: str, new: str, **options: bool) -> Shape:
        return {"kind": "rename", "oldUri": self.uri(old), "newUri": self.uri(new), "options": options}

    def delete(self, name: str, **options: bool) -> Shape:
        return {"kind": "delete", "uri": self.uri(name), "options": options}

    def plan(
        self,
        *changes: Shape,
        encoding: PositionEncoding = "utf-16",
        computed_for: Mapping[Path, Basis] | None = None,
    ) -> Plan:
        return plan_edit(workspace_edit(*changes), roots=[self.root], encoding=encoding, computed_for=computed_for)

    def apply(self, *changes: Shape, files: Files | None = None) -> Applied:
        return apply(self.plan(*changes), files)

    def contents(self) -> dict[str, bytes | str | None]:
        """By relative name: bytes of files, where links lead, ``None`` for directories."""
        return {str(path.relative_to(self.root)): _content(path) for path in sorted(self.root.rglob("*"))}

    def state(self) -> dict[str, tuple[object, ...]]:
        """All that must be as before when an edit fails: kind, permissions, owner, inode, links, time and content."""
        return {str(path.relative_to(self.root)): _state(path) for path in sorted(self.root.rglob("*"))}

    def has_leftovers(self) -> bool:
        return any(TEMPORARY_PREFIX in path.name for path in self.root.rglob("*"))


def _content(path: Path) -> bytes | str | None:
    if path.is_symlink():
        return str(path.readlink())
    return path.read_bytes() if path.is_file() else None


def _state(path: Path) -> tuple[object, ...]:
    found = path.lstat()
    same = (found.st_mode, found.st_uid, found.st_gid, found.st_ino)
    if stat.S_ISDIR(found.st_mode):
        return same
    return (*same, found.st_nlink, found.st_mtime_ns, _content(path))

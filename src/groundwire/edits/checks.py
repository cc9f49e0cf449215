"""Whether a file is still what a step expects, asked right before the step is taken.

Above: ``transaction``, ``undo``. Below: ``files``, ``steps``.
"""

from pathlib import Path

from groundwire.edits.files import Files, Kind, Status
from groundwire.edits.steps import Move, Removal, RemoveDirectory, RemoveFile, RemoveLink
from groundwire.errors import EditConflict
from groundwire.protocol.hashing import content_hash


class Checks:
    """Each raises EditConflict."""

    def __init__(self, files: Files) -> None:
        self._files = files

    def require_content(self, path: Path, data: bytes) -> Status:
        """A regular file with this content."""
        status = self._require(path, "file")
        if self._files.read(path) != data:
            raise EditConflict(f"{path} was changed by somebody else meanwhile; nothing was changed")
        return status

    def require_nothing(self, path: Path) -> None:
        """No file, link or directory, in a directory that is what it was."""
        self._require_same_directory(path)
        if self._files.look(path) is not None:
            raise EditConflict(f"{path} was made by somebody else meanwhile; nothing was changed")

    def require_movable(self, step: Move) -> None:
        """What is to be moved, and room for it."""
        self._require_same_directory(step.path)
        status = self._files.look(step.path)
        if status is None:
            raise EditConflict(f"{step.path} vanished meanwhile; nothing was changed")
        if step.digest and (status.kind != "file" or content_hash(self._files.read(step.path)) != step.digest):
            raise EditConflict(f"{step.path} was changed by somebody else meanwhile; nothing was changed")
        if not is_one_name(step, self._files):
            self.require_nothing(step.new)

    def require_removable(self, step: Removal) -> None:
        """Exactly what is to be removed."""
        match step:
            case RemoveFile(path, data):
                self.require_content(path, data)
            case RemoveLink(path, target):
                self._require(path, "link")
                if self._files.read_link(path) != target:
                    raise EditConflict(f"{path} leads elsewhere by now; nothing was changed")
            case RemoveDirectory(path):
                self._require(path, "directory")
                if names := self._files.names(path):
                    raise EditConflict(f"{path} is not empty: {names[0]} is in it; nothing was changed")

    def _require(self, path: Path, kind: Kind) -> Status:
        self._require_same_directory(path)
        status = self._files.look(path)
        if status is None:
            raise EditConflict(f"{path} vanished meanwhile; nothing was changed")
        if status.kind != kind:
            raise EditConflict(f"{path} is no {kind} any more; nothing was changed")
        return status

    def _require_same_directory(self, path: Path) -> None:
        """A link put in place of a directory above would lead out of the workspace."""
        if self._files.real(path.parent) != path.parent:
            raise EditConflict(f"a directory above {path} was replaced by a link meanwhile; nothing was changed")


def is_one_name(step: Move, files: Files) -> bool:
    """Whether both names are one to a file system that does not tell upper from lower case."""
    old, new = files.look(step.path), files.look(step.new)
    if not step.is_respelled or old is None or new is None or old.identity != new.identity:
        return False
    return step.new.name not in files.names(step.new.parent)

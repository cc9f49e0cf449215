"""The steps an edit is carried out in. Each says what it expects to find, so it can be checked, and taken back.

Above: ``draft``, ``plan``, ``transaction``, ``report``, ``undo``. Below: ``files``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.edits.files import Status


@dataclass(frozen=True, slots=True)
class Write:
    """New content for a file that is there. Its name, permissions, owner and links stay."""

    path: Path
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class MakeFile:
    """A file where nothing is; ``status`` is that of the file it once was."""

    path: Path
    data: bytes
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class RemoveFile:
    """A file with this content, gone."""

    path: Path
    data: bytes
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class MakeLink:
    """A symbolic link where nothing is."""

    path: Path
    target: str


@dataclass(frozen=True, slots=True)
class RemoveLink:
    """A symbolic link that leads there, gone. What it leads to stays."""

    path: Path
    target: str


@dataclass(frozen=True, slots=True)
class MakeDirectory:
    """A directory where nothing is."""

    path: Path
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class RemoveDirectory:
    """An empty directory, gone."""

    path: Path
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A file, link or directory under another name, where nothing is (or the same name in other letters' case).

    ``digest`` is the hash of a file's bytes, empty for anything else.
    """

    path: Path
    new: Path
    digest: str = ""

    @property
    def is_respelled(self) -> bool:
        """Whether a file system that does not tell upper from lower case has one name here, not two."""
        return self.path.parent == self.new.parent and self.path.name.casefold() == self.new.name.casefold()


Step = Write | MakeFile | RemoveFile | MakeLink | RemoveLink | MakeDirectory | RemoveDirectory | Move
Removal = RemoveFile | RemoveLink | RemoveDirectory
Making = MakeFile | MakeLink | MakeDirectory


def inverted(steps: Sequence[Step]) -> list[Step]:
    """The steps that lead back."""
    return [_inverse(step) for step in reversed(steps)]


def _inverse(step: Step) -> Step:
    match step:
        case Write(path, before, after):
            return Write(path, after, before)
        case MakeFile(path, data, status):
            return RemoveFile(path, data, status)
        case RemoveFile(path, data, status):
            return MakeFile(path, data, status)
        case MakeLink(path, target):
            return RemoveLink(path, target)
        case RemoveLink(path, target):
            return MakeLink(path, target)
        case MakeDirectory(path, status):
            return RemoveDirectory(path, status)
        case RemoveDirectory(path, status):
            return MakeDirectory(path, status)
        case Move(path, new, digest):
            return Move(new, path, digest)


def below(path: Path, base: Path) -> Path | None:
    """The rest of the path if it is ``base`` or in it."""
    return path.relative_to(base) if path.is_relative_to(base) else None


def origin(path: Path, steps: Sequence[Step]) -> Path | MakeFile | None:
    """Where the file that is at ``path`` after the steps was before them, or the step that makes it.

    ``None`` if it was moved or cleared away.
    """
    for step in reversed(steps):
        if isinstance(step, Move):
            rest = below(path, step.new)
            if rest is not None:
                path = step.path / rest
            elif path.is_relative_to(step.path):
                return None
        elif isinstance(step, Removal) and path.is_relative_to(step.path):
            return None
        elif isinstance(step, MakeFile) and path == step.path:
            return step
    return path


def size_of(step: Step) -> int:
    """How many bytes of content are kept in it."""
    match step:
        case Write(_, before, after):
            return len(before) + len(after)
        case MakeFile(_, data) | RemoveFile(_, data):
            return len(data)
        case _:
            return 0

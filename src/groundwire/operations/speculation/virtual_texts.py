"""The texts of edits that nobody has made yet, beside what the disk held when each was first looked at.

Nothing here is ever written or told to a server. Above: ``given_edits``, ``sessions``, ``evaluation``. Below: ``edits``
(how a file is read).
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from groundwire.edits.boundary import Boundary
from groundwire.edits.content import FileContent, decode
from groundwire.edits.files import Disk
from groundwire.errors import FileTooLarge, InvalidArgument
from groundwire.operations.files.paths import located, shown_path

MOST_FILES = 50
LARGEST = 10 * 1024 * 1024


class VirtualFile(msgspec.Struct, frozen=True):
    """One file. ``before`` and ``after`` are None where there is no file."""

    file: Path
    before: str | None
    after: str | None

    @property
    def is_changed(self) -> bool:
        """Whether it is not what it was."""
        return self.before != self.after

    @property
    def is_on_disk(self) -> bool:
        """Whether it is there already."""
        return self.before is not None


class VirtualTexts:
    """Some files of a workspace, as they would be. Raises OutsideWorkspace for others."""

    def __init__(self, roots: tuple[Path, ...], workspace: Path) -> None:
        self._roots = roots
        self._workspace = workspace
        self._files: dict[Path, VirtualFile] = {}

    def __iter__(self) -> Iterator[VirtualFile]:
        return iter(self._files.values())

    @property
    def changed(self) -> list[VirtualFile]:
        """Those that are not what they were."""
        return [each for each in self if each.is_changed]

    def copy(self) -> "VirtualTexts":
        """Another one of the same, which goes its own way."""
        other = self.emptied()
        other._files = dict(self._files)
        return other

    def emptied(self) -> "VirtualTexts":
        """Another one of the same workspace, without any."""
        return VirtualTexts(self._roots, self._workspace)

    def find(self, path: Path | str) -> VirtualFile:
        """The file as it is here, else as it is on disk."""
        named = self._workspace / path
        # Before it is read: what is wrong with an edit is told in lines of the file.
        Boundary(self._roots, Disk()).target(named)
        file = located(named, self._workspace)
        if file not in self._files:
            content = content_on_disk(file)
            text = content.text if content is not None else None
            return VirtualFile(file, text, text)
        return self._files[file]

    def put(self, known: VirtualFile, after: str | None) -> None:
        """Another text for a file; None: it is to be gone. Raises InvalidArgument or FileTooLarge beyond the limits."""
        others = [each for each in self if each.file != known.file]
        if len(others) >= MOST_FILES:
            raise InvalidArgument(
                f"more than {MOST_FILES} files are edited at once", hint="Evaluate them in several parts."
            )
        if sum(len(each.after or "") for each in others) + len(after or "") > LARGEST:
            raise FileTooLarge(
                f"the edited texts have more than {LARGEST // 2**20} MB together",
                hint="Evaluate them in several parts.",
            )
        self._files[known.file] = msgspec.structs.replace(known, after=after)

    def outdated(self) -> list[str]:
        """Files that the disk holds otherwise than when they were first looked at, as they are shown."""
        return [shown_path(each.file, self._workspace) for each in self if text_on_disk(each.file) != each.before]


def content_on_disk(file: Path) -> FileContent | None:
    """What is there now; None for nothing. Raises NotAFile for what is no text."""
    return decode(Disk().read(file), file) if file.is_file() else None


def text_on_disk(file: Path) -> str | None:
    """As ``content_on_disk``, only the text."""
    content = content_on_disk(file)
    return content.text if content is not None else None

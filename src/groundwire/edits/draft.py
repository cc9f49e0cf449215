"""The files as they will be after the steps planned so far. Nothing is written; what is read is read once.

Above: ``plan``. Below: ``files``, ``steps``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from groundwire.edits.failures import read_failure
from groundwire.edits.files import Files, Kind, Status
from groundwire.edits.steps import MakeDirectory, MakeFile, MakeLink, Making, Move, Removal, Step, Write, below
from groundwire.errors import FileTooLarge


@dataclass(frozen=True, slots=True)
class Entry:
    """What a name will stand for. ``origin`` is where it is on the disk now, if it is there."""

    kind: Kind
    origin: Path | None = None
    status: Status | None = None
    data: bytes | None = None
    target: str = ""


class Draft:
    """The disk and, over it, the steps so far."""

    def __init__(self, files: Files, max_bytes: int) -> None:
        self.steps: list[Step] = []
        # Since the last step that moved or removed something (before ``_settled``), which step is about which path.
        self._recent: dict[Path, int] = {}
        self._settled = 0
        self._files = files
        self._max_bytes = max_bytes
        self._read: dict[Path, bytes] = {}
        self._kept = 0

    def add(self, step: Step) -> None:
        """Plan one more step. A second change of one file is made part of the first."""
        earlier = self._recent.get(step.path)
        first = None if earlier is None else self.steps[earlier]
        if earlier is not None and isinstance(step, Write) and isinstance(first, Write | MakeFile):
            self.steps[earlier] = _merged(first, step)
            return
        self._recent[step.path] = len(self.steps)
        self.steps.append(step)
        if isinstance(step, Move | Removal):
            self._recent.clear()
            self._settled = len(self.steps)

    def look(self, path: Path) -> Entry | None:
        """What will be there; ``None`` for nothing."""
        data: bytes | None = None
        for step in self._back(path):
            if isinstance(step, Move):
                rest = below(path, step.new)
                if rest is not None:
                    path = step.path / rest
                elif path.is_relative_to(step.path):
                    return None
            elif isinstance(step, Removal):
                if path.is_relative_to(step.path):
                    return None
            elif step.path == path:
                if not isinstance(step, Write):
                    return _made(step, data)
                data = step.after if data is None else data
        entry = self._on_disk(path)
        return entry if entry is None or data is None else replace(entry, data=data)

    def _back(self, path: Path) -> Iterator[Step]:
        """The steps that may concern a path, last first."""
        recent = self._recent.get(path)
        if recent is not None:
            yield self.steps[recent]
        yield from reversed(self.steps[: self._settled])

    def _on_disk(self, path: Path) -> Entry | None:
        try:
            status = self._files.look(path)
            if status is None:
                return None
            target = self._files.read_link(path) if status.kind == "link" else ""
        except OSError as problem:
            raise read_failure(problem, path) from problem
        return Entry(status.kind, path, status, target=target)

    def data(self, entry: Entry) -> bytes:
        """The bytes of a file. Raises FileTooLarge when all that is read gets too much to be kept."""
        if entry.data is not None or entry.origin is None or entry.status is None:
            return entry.data or b""
        if entry.origin not in self._read:
            self._kept += entry.status.size
            if self._kept > self._max_bytes:
                raise FileTooLarge(
                    f"with {entry.origin} the edit is about more than {self._max_bytes:,} bytes",
                    hint="So much cannot be put back when something fails; make the change in smaller parts.",
                )
            self._read[entry.origin] = self._bytes(entry.origin)
        return self._read[entry.origin]

    def _bytes(self, path: Path) -> bytes:
        try:
            return self._files.read(path)
        except OSError as problem:
            raise read_failure(problem, path) from problem

    def names(self, path: Path) -> list[str]:
        """What a directory will hold."""
        place, names = path, set[str]()
        for step in reversed(self.steps):
            arrived = step.new if isinstance(step, Move) else step.path
            if arrived.parent == place:
                names.add(arrived.name)
            if isinstance(step, Move):
                place = step.path / rest if (rest := below(place, step.new)) is not None else place
        entry = self._on_disk(place)
        if entry is not None and entry.kind == "directory":
            names.update(self._listed(place))
        return sorted(name for name in names if self.look(path / name) is not None)

    def _listed(self, path: Path) -> list[str]:
        try:
            return self._files.names(path)
        except OSError as problem:
            raise read_failure(problem, path) from problem


def _merged(first: Write | MakeFile, then: Write) -> Write | MakeFile:
    if isinstance(first, Write):
        return Write(then.path, first.before, then.after)
    return MakeFile(then.path, then.after, first.status)


def _made(step: Making, data: bytes | None) -> Entry:
    match step:
        case MakeFile():
            return Entry("file", status=step.status, data=step.data if data is None else data)
        case MakeLink(_, target):
            return Entry("link", target=target)
        case MakeDirectory():
            return Entry("directory")

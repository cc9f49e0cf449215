"""What steps do to each file, in one place: for previews, for telling servers, for the reader, for ``undo``.

Above: ``plan``, ``write``, ``undo``, ``operations``. Below: ``steps``, ``content``, ``diff``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from groundwire.edits.content import decode
from groundwire.edits.diff import blocks, lines_of, unified_diff
from groundwire.edits.steps import (
    MakeDirectory,
    MakeFile,
    MakeLink,
    Move,
    RemoveDirectory,
    RemoveFile,
    RemoveLink,
    Step,
    Write,
    below,
    size_of,
)
from groundwire.errors import NotAFile

ChangeKind = Literal["created", "changed", "renamed", "deleted"]


@dataclass(frozen=True)
class ChangedFile:
    """One file before and after. ``before`` or ``after`` is ``None`` where there is no file, or its content stayed."""

    path: Path
    kind: ChangeKind
    before: bytes | None = None
    after: bytes | None = None
    old_path: Path | None = None
    digest: str = ""
    """The hash of the bytes of a file that was renamed as it is."""

    @property
    def before_text(self) -> str | None:
        """``None`` where there is no text."""
        return _text(self.before, self.path)

    @property
    def after_text(self) -> str | None:
        """``None`` where there is no text."""
        return _text(self.after, self.path)

    @cached_property
    def lines(self) -> tuple[int, int]:
        """How many lines were added and removed."""
        old, new = lines_of(self.before_text or ""), lines_of(self.after_text or "")
        found = blocks(old, new)
        return sum(block[3] - block[2] for block in found), sum(block[1] - block[0] for block in found)

    def diff(self, root: Path, max_lines: int = 400) -> str:
        """As unified diff, names relative to ``root``; empty where no text changed."""
        old = "/dev/null" if self.kind == "created" else f"a/{_shown(self.old_path or self.path, root)}"
        new = "/dev/null" if self.kind == "deleted" else f"b/{_shown(self.path, root)}"
        return unified_diff(
            self.before_text or "", self.after_text or "", old_name=old, new_name=new, max_lines=max_lines
        )


@dataclass(frozen=True)
class Applied:
    """What was done. ``leftovers`` are temporary files that could not be removed; normally there are none."""

    id: str
    steps: tuple[Step, ...]
    leftovers: tuple[Path, ...] = ()

    @cached_property
    def changes(self) -> list[ChangedFile]:
        """By file, in the order in which they were first touched."""
        return changed_files(self.steps)

    @property
    def size(self) -> int:
        """How many bytes of content are kept in it."""
        return sum(map(size_of, self.steps))


@dataclass(slots=True)
class _Story:
    """One file through all steps. ``first`` is where it was at the start, ``now`` where it is; ``None``: nowhere."""

    first: Path | None
    now: Path | None
    before: bytes | None = None
    after: bytes | None = None
    digest: str = ""

    def told(self) -> ChangedFile | None:
        if self.now is None:
            return None if self.first is None else ChangedFile(self.first, "deleted", self.before)
        if self.first is None:
            return ChangedFile(self.now, "created", None, self.after)
        if self.first == self.now:
            return ChangedFile(self.now, "changed", self.before, self.after)
        return ChangedFile(self.now, "renamed", self.before, self.after, self.first, self.digest)


def changed_files(steps: Sequence[Step]) -> list[ChangedFile]:
    """Every file, link and renamed directory that is not what it was; in the order in which they were first touched."""
    stories = _Stories()
    for step in steps:
        stories.tell(step)
    found = (story.told() for story in stories.all)
    return [changed for changed in found if changed is not None]


class _Stories:
    """The stories so far, those of files that are there by where they are, the others by where they were."""

    def __init__(self) -> None:
        self.all: list[_Story] = []
        self._there: dict[Path, _Story] = {}
        self._gone: dict[Path, _Story] = {}

    def tell(self, step: Step) -> None:
        match step:
            case Write(path, before, after):
                story = self._known(path, before)
                story.after, story.digest = after, ""
            case MakeFile(path, data):
                self._arrive(path, data)
            case MakeLink(path):
                self._arrive(path, None)
            case RemoveFile(path, data):
                self._leave(path, data)
            case RemoveLink(path):
                self._leave(path, None)
            case Move():
                self._move(step)
            case MakeDirectory(path):
                self._there[path] = _Story(None, path)  # never told of, wherever it goes
            case RemoveDirectory(path):
                if path in self._there:
                    self._leave(path, None)

    def _known(self, path: Path, before: bytes | None) -> _Story:
        story = self._there.get(path)
        if story is None:
            story = self._there[path] = _Story(path, path, before)
            self.all.append(story)
        elif story.before is None and story.first is not None:  # so far it was only renamed
            story.before = before
        return story

    def _arrive(self, path: Path, data: bytes | None) -> None:
        story = self._gone.pop(path, None)
        if story is None:
            story = _Story(None, path)
            self.all.append(story)
        story.now, story.after = path, data
        self._there[path] = story

    def _leave(self, path: Path, data: bytes | None) -> None:
        story = self._known(path, data)
        story.now, story.after = None, None
        del self._there[path]
        if story.first is not None:
            self._gone[story.first] = story

    def _move(self, step: Move) -> None:
        story = self._known(step.path, None)
        if story.after is None:
            story.digest = step.digest
        moved: dict[Path, _Story] = {}
        for path, each in self._there.items():
            rest = below(path, step.path)
            each.now = path if rest is None else step.new / rest
            moved[each.now] = each
        self._there = moved


def _text(data: bytes | None, path: Path) -> str | None:
    try:
        return None if data is None else decode(data, path).text
    except NotAFile:
        return None


def _shown(path: Path, root: Path) -> str:
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()

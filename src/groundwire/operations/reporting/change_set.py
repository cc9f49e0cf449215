"""What a change set did to which files, text by text: against the last commit, between it and what is staged, or since
the work left another branch. Read off git's records and the disk; nothing that the repository configures is run.

Above: ``check_changes``. Below: ``changed_files``, ``git_records``, ``git_text``.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from groundwire.client.disk import read_source
from groundwire.errors import GroundwireError
from groundwire.operations.files.changed_files import Comparison
from groundwire.operations.files.git_records import GitRecords, open_records
from groundwire.operations.files.git_text import CheckedOut
from groundwire.operations.reporting.dependents import Edited

INSTEAD = "Name the files to check."
_LONGEST_S = 20.0
_SHORT_NAME = 9


class Wanted(msgspec.Struct, frozen=True):
    """Which change set. ``base``: since the work left the history of ``revision``."""

    kind: Literal["changed", "staged", "base"]
    revision: str = ""


class ChangeSet(msgspec.Struct, frozen=True, kw_only=True):
    """``edits``: a file that was new has an empty past; None is a past or a present that is not known or not there."""

    edits: tuple[Edited, ...]
    against: str
    """The state before it, in words."""
    hidden: tuple[Edited, ...] = ()
    """Files whose content on disk (``before``, None: gone) is not the one that is meant (``after``)."""
    untracked: tuple[Path, ...] = ()
    """Those of them that are not meant to be there at all: they can only be shown as empty."""
    unread: tuple[Path, ...] = ()
    """Files that changed and are there, but are no text, or too large."""
    doubts: tuple[str, ...] = ()
    note: str = ""


def read_change_set(
    workspace: Path, environment: Mapping[str, str], wanted: Wanted, *, wait_s: float, largest: int
) -> ChangeSet:
    """Blocks while git answers and files are read. Raises InvalidArgument when git does not know."""
    records = open_records(workspace, environment, min(wait_s, _LONGEST_S), instead=INSTEAD)
    commit = records.fork_point(wanted.revision) if wanted.kind == "base" else records.last_commit()
    reading = _Reading(records, Comparison(records, commit), largest)
    against = f"{wanted.revision} at {commit.name[:_SHORT_NAME]}" if wanted.kind == "base" else "the last commit"
    if wanted.kind == "staged":
        return reading.of_staged(against)
    return reading.of_disk(against)


class _Reading:
    def __init__(self, records: GitRecords, comparison: Comparison, largest: int) -> None:
        self._records = records
        self._comparison = comparison
        self._commit = comparison.commit
        self._largest = largest
        self._unread: list[Path] = []
        self._doubts: list[str] = []

    def of_disk(self, against: str) -> ChangeSet:
        names = self._comparison.names_that_differ()
        gone = self._comparison.names_that_are_gone()
        past = self._recorded({name: self._commit.contents.get(name) for name in [*names, *gone]})
        edits = self._readable({name: (past[name], self._on_disk(name)) for name in names})
        edits += [Edited(self._path(name), past[name], None) for name in gone]
        return self._change_set(edits, against)

    def of_staged(self, against: str) -> ChangeSet:
        staged = {name: each.content for name, each in self._comparison.staged.items() if each.is_file}
        committed = self._commit.contents
        names = sorted(name for name in {*staged, *committed} if staged.get(name) != committed.get(name))
        past = self._recorded({name: committed.get(name) for name in names})
        after = self._recorded({name: staged[name] for name in names if staged.get(name)})
        self._doubts += [f"{os.fsdecode(name)} is in conflict" for name in names if staged.get(name) == b""]
        edits = self._readable({name: (past[name], text) for name, text in after.items()})
        edits += [Edited(self._path(name), past[name], None) for name in names if name not in staged]
        hidden = self._hidden()
        untracked = tuple(map(self._path, sorted(self._comparison.untracked)))
        return msgspec.structs.replace(self._change_set(edits, against), hidden=tuple(hidden), untracked=untracked)

    def _readable(self, texts: Mapping[bytes, tuple[str | None, str | None]]) -> list[Edited]:
        """Those that are text now; the others are only kept in mind."""
        self._unread += [self._path(name) for name, (_, after) in texts.items() if after is None]
        return [Edited(self._path(name), before, after) for name, (before, after) in texts.items() if after is not None]

    def _hidden(self) -> list[Edited]:
        """What the disk has otherwise than the index."""
        names = self._comparison.names_not_as_staged()
        staged = self._recorded({name: self._comparison.staged[name].content for name in names})
        found = [Edited(self._path(name), self._on_disk(name), staged[name]) for name in names]
        found += [Edited(self._path(name), self._on_disk(name), "") for name in sorted(self._comparison.untracked)]
        return [each for each in found if each.before != each.after]

    def _change_set(self, edits: Iterable[Edited], against: str) -> ChangeSet:
        return ChangeSet(
            # A file that only git's conversion makes different has not changed.
            edits=tuple(edit for edit in edits if edit.before is None or edit.before != edit.after),
            against=against if self._commit.name else "nothing, for there is no commit yet",
            unread=tuple(self._unread),
            doubts=tuple(self._doubts),
            note="submodules were not looked into" if self._commit.has_submodules else "",
        )

    def _recorded(self, contents: Mapping[bytes, bytes | None]) -> dict[bytes, str | None]:
        """The texts as they would be on disk; empty for a file that is not recorded."""
        names = {content for content in contents.values() if content}
        found = self._records.contents(names, self._largest) if names else {}
        checked_out = CheckedOut(self._records, contents) if names else None
        texts: dict[bytes, str | None] = {}
        for path, content in contents.items():
            data = found.get(content) if content else None
            texts[path] = "" if content is None else None
            if data is not None and checked_out is not None:
                texts[path] = checked_out.text(path, data)
        return texts

    def _on_disk(self, name: bytes) -> str | None:
        self._records.require_time()
        try:
            return read_source(self._path(name), self._largest)
        except GroundwireError:  # gone meanwhile, no text, or too large: no server is asked about it either
            return None

    def _path(self, name: bytes) -> Path:
        return self._comparison.path(name)

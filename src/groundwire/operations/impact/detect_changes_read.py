"""Which texts a change set is made of: not staged yet, staged, committed, or between two commits.

Blocks while git answers. Above: ``detect_changes``. Below: ``change_set``, ``git_records``, ``git_text``.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from groundwire.client.disk import read_source
from groundwire.errors import GroundwireError, InvalidArgument
from groundwire.operations.files.git_records import Commit, GitRecords, open_records
from groundwire.operations.files.git_text import CheckedOut
from groundwire.operations.reporting.change_set import ChangeSet, Wanted, read_change_set
from groundwire.operations.reporting.dependents import Edited
from groundwire.pool.git_questions import find_repository

Scope = Literal["unstaged", "staged", "committed"]
_INSTEAD = "Name files in changed_files and ask for their blast_radius."
_LONGEST_S = 20.0
_SHORT_NAME = 9


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be read, and how long that may take."""

    workspace: Path
    environment: Mapping[str, str]
    wait_s: float
    largest: int


def read_changes(question: Question, scope: Scope, between: str) -> ChangeSet:
    """Every text before and after; after is the present one but for what is staged. Raises InvalidArgument."""
    if between or scope == "committed":
        return _Commits(question).changes(between or "HEAD")
    staged = read_change_set(
        question.workspace,
        question.environment,
        Wanted("staged"),
        wait_s=question.wait_s,
        largest=question.largest,
    )
    return _not_staged(staged) if scope == "unstaged" else _staged(staged)


def _staged(staged: ChangeSet) -> ChangeSet:
    edited = {edit.file for edit in staged.edits}
    others = [each.file.name for each in staged.hidden if each.file in edited]
    note = f"{others[0]} is staged otherwise than the disk has it: its symbols are those of the disk" if others else ""
    return msgspec.structs.replace(staged, hidden=(), untracked=(), note="; ".join(filter(None, [staged.note, note])))


def _not_staged(staged: ChangeSet) -> ChangeSet:
    """What the disk has otherwise than the index."""
    edits = [Edited(each.file, each.after, each.before) for each in staged.hidden]
    unread = tuple(edit.file for edit in edits if edit.after is None and edit.file.exists())
    return ChangeSet(
        edits=tuple(edit for edit in edits if edit.file not in unread),
        against="what is staged",
        unread=unread,
        note=staged.note,
    )


class _Commits:
    """Two commits, and the disk."""

    def __init__(self, question: Question) -> None:
        self._question = question
        wait_s = min(question.wait_s, _LONGEST_S)
        self._records: GitRecords = open_records(question.workspace, question.environment, wait_s, instead=_INSTEAD)
        self._wait_s = wait_s

    def changes(self, between: str) -> ChangeSet:
        """``a..b``, ``a...b`` (since b left a), or one commit."""
        old, new = self._ends(between)
        names = sorted(
            name for name in {*old.contents, *new.contents} if old.contents.get(name) != new.contents.get(name)
        )
        before, after = self._texts(old, names), self._texts(new, names)
        edits: list[Edited] = []
        others: list[Path] = []
        for name in names:
            file = self._question.workspace / os.fsdecode(name)
            present = self._on_disk(file)
            if name in new.contents and present != after[name]:
                others.append(file)
            edits.append(Edited(file, before[name], present))
        note = f"{others[0].name} has changed since: its symbols are those of the disk" if others else ""
        return ChangeSet(
            edits=tuple(edit for edit in edits if edit.before != edit.after),
            against=f"commit {old.name[:_SHORT_NAME]}" if old.name else "nothing, for it is the first commit",
            note=note,
        )

    def _ends(self, between: str) -> tuple[Commit, Commit]:
        first, dots, last = between.partition("...") if "..." in between else between.partition("..")
        if not dots:
            parent = self._name(f"{first}^", may_be_missing=bool(self._name(first)))
            return self._commit(parent), self._commit(self._name(first))
        new = self._name(last or "HEAD")
        old = self._name(first or "HEAD")
        if dots == "...":
            old = self._ask("merge-base", old, new)
            if not old:
                hint = "In a shallow clone, fetch more of the history."
                raise InvalidArgument(f"{first} and {last or 'HEAD'} have no history in common", hint=hint)
        return self._commit(old), self._commit(new)

    def _commit(self, name: str) -> Commit:
        return self._records.commit(name) if name else Commit({}, has_submodules=False)

    def _name(self, revision: str, *, may_be_missing: bool = False) -> str:
        found = ""
        if not revision.startswith("-"):  # that would be an option
            found = self._ask("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        if not found and not may_be_missing:
            raise InvalidArgument(f"git knows no commit {revision!r}", hint="Name commits, branches or tags: a..b.")
        return found

    def _ask(self, *question: str) -> str:
        repository = find_repository(self._question.workspace, self._question.environment)
        done = repository.ask(self._question.workspace, *question, wait_s=self._wait_s) if repository else None
        return done.stdout.decode("utf-8", "replace").strip() if done is not None and not done.returncode else ""

    def _texts(self, commit: Commit, names: list[bytes]) -> dict[bytes, str | None]:
        """As they would be on disk; empty for a file that the commit does not have, None for what is no text."""
        contents = {name: commit.contents[name] for name in names if name in commit.contents}
        found = self._records.contents(set(contents.values()), self._question.largest) if contents else {}
        checked_out = CheckedOut(self._records, contents) if contents else None
        texts: dict[bytes, str | None] = dict.fromkeys(names, "")
        for name, content in contents.items():
            data = found.get(content)
            texts[name] = checked_out.text(name, data) if data is not None and checked_out is not None else None
        return texts

    def _on_disk(self, file: Path) -> str | None:
        try:
            return read_source(file, self._question.largest)
        except GroundwireError:  # gone, no text, or too large: no server is asked about it either
            return None

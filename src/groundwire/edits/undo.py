"""The last changes, kept so that they can be taken back as long as the files are as they were left.

Above: ``operations``. Below: ``write``, ``report``, ``steps``.
"""

from pathlib import Path

from groundwire.edits.files import Disk, Files
from groundwire.edits.plan import Plan
from groundwire.edits.report import Applied, ChangedFile
from groundwire.edits.steps import RemoveFile, inverted
from groundwire.edits.write import apply
from groundwire.errors import EditConflict, InvalidArgument
from groundwire.protocol.hashing import content_hash

_MOST_NAMED = 5


class UndoStack:
    """At most ``limit`` changes and ``max_bytes`` of content; the oldest are forgotten first."""

    def __init__(self, limit: int = 20, max_bytes: int = 64 * 1024 * 1024, files: Files | None = None) -> None:
        self._limit = limit
        self._max_bytes = max_bytes
        self._files = files or Disk()
        self._kept: list[Applied] = []

    @property
    def ids(self) -> list[str]:
        """What can be undone, the last one first."""
        return [applied.id for applied in reversed(self._kept)]

    def push(self, applied: Applied) -> bool:
        """Keep a change; whether it could be kept."""
        self._kept.append(applied)
        while self._kept and (len(self._kept) > self._limit or sum(each.size for each in self._kept) > self._max_bytes):
            self._kept.pop(0)
        return applied in self._kept

    def undo(self, id: str = "") -> Applied:  # noqa: A002 (the word that callers know)
        """Take back the change of that id, or the last one. Raises EditConflict naming the files that changed since."""
        applied = self._find(id)
        changed = self._changed_since(applied)
        if changed:
            raise EditConflict(
                f"cannot be undone, for these changed since: {_named(changed)}",
                hint="Take the change back by hand, keeping what was done since.",
            )
        _require_single_names(applied)
        undone = apply(Plan(tuple(inverted(applied.steps))), self._files)
        self._kept.remove(applied)
        return undone

    def _find(self, id: str) -> Applied:  # noqa: A002
        if not self._kept:
            raise InvalidArgument("there is nothing to undo", hint="Only the last changes made here can be undone.")
        if not id:
            return self._kept[-1]
        found = next((applied for applied in self._kept if applied.id == id), None)
        if found is None:
            raise InvalidArgument(f"no change {id!r} is kept", hint=f"These can be undone: {', '.join(self.ids)}.")
        return found

    def _changed_since(self, applied: Applied) -> list[Path]:
        there = {change.path for change in applied.changes if change.kind != "deleted"}
        # What was deleted and has another file in its place now, or a directory with one, is told of twice; the latter
        # counts.
        taken = there.union(*(path.parents for path in there))
        last = [change for change in applied.changes if change.kind != "deleted" or change.path not in taken]
        return [change.path for change in last if not self._is_as_left(change)]

    def _is_as_left(self, change: ChangedFile) -> bool:
        try:
            status = self._files.look(change.path)
            if change.kind == "deleted":
                return status is None
            if change.after is None and not change.digest:
                return status is not None
            if status is None or status.kind != "file":
                return False
            data = self._files.read(change.path)
        except OSError:  # what cannot be looked at is not known to be the same
            return False
        return content_hash(data) == change.digest if change.after is None else data == change.after


def _require_single_names(applied: Applied) -> None:
    """A removed name of a file with several names would come back as a file of its own."""
    removed = (step for step in applied.steps if isinstance(step, RemoveFile) and step.status is not None)
    shared = [step.path for step in removed if step.status is not None and step.status.links > 1]
    if shared:
        raise EditConflict(
            f"cannot be undone, for these were one of several names (hard links) of a file: {_named(shared)}",
            hint="Make the links again by hand.",
        )


def _named(paths: list[Path]) -> str:
    more = f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
    return ", ".join(map(str, paths[:_MOST_NAMED])) + more

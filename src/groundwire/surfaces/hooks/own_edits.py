"""Edits that groundwire's own tools made and did not report, because their client wanted silence, or a report later.

Above: ``handler``. Below: ``operations.journal``, which hears of every edit.
"""

from collections.abc import Iterator
from pathlib import Path

from groundwire.operations.journal import CallRecord, Event
from groundwire.surfaces.hooks.fields import Fields, fields_of, first_text, items_of


def silent_edits(event: Event, workspace: Path) -> Iterator[tuple[Path, str]]:
    """The files of such an edit, each with the hash of its content, which is empty for one that is gone."""
    if isinstance(event, CallRecord) or event.get("diagnostics_status") != "not reported":
        return
    for each in items_of(event.get("files")):
        told = fields_of(each)
        content = _content(told)
        if content is not None:
            yield workspace / first_text(told, ("file",)), content
        if old := first_text(told, ("old_file",)):
            yield workspace / old, ""


def _content(told: Fields) -> str | None:
    """None for a file that was only moved, and of which nothing is told."""
    if told.get("kind") == "deleted":
        return ""
    return first_text(fields_of(told.get("after")), ("hash",)) or None

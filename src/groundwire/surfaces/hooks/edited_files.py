"""The files that a hook says were edited, as they are on disk, with what they were before as far as that is certain.

Reads the disk, so it is run in a thread. Above: ``handler``. Below: ``event``, ``client.disk``.
"""

from collections.abc import Sequence
from pathlib import Path

from groundwire.client.disk import read_source
from groundwire.errors import FileNotFound, GroundwireError
from groundwire.operations.files.inside import path_inside
from groundwire.operations.reporting.dependents import Edited
from groundwire.surfaces.hooks.event import HookEvent, Replaced

MOST_FILES = 100
"""That one event may name."""


def read_edits(event: HookEvent, workspace: Path, max_size: int) -> list[Edited]:
    """One for each file that is text, lies in the workspace and is not too large; one that is gone is among them."""
    if event.is_pending:
        return []
    found: dict[Path, Edited] = {}
    for named in event.files[:MOST_FILES]:
        edit = _read(event, named, workspace, max_size)
        if edit is not None:
            found.setdefault(edit.file, edit)
    return list(found.values())


def edit_on_disk(file: Path, max_size: int) -> Edited | None:
    """A file as it is, nothing being known of its past; None for what is no text."""
    try:
        return Edited(file, None, read_source(file, max_size))
    except FileNotFound:
        return Edited(file, None, None)
    except GroundwireError:  # a directory, no text, too large or not ours to read: there is nothing to be said of it
        return None


def text_before(after: str, replaced: Sequence[Replaced]) -> str | None:
    """The text in which these replacements were made, the last one undone first; None where that is not certain."""
    text = after
    for each in reversed(replaced):
        if each.is_everywhere or not each.new or text.count(each.new) != 1:
            return None
        text = text.replace(each.new, each.old)
    return text


def _read(event: HookEvent, named: str, workspace: Path, max_size: int) -> Edited | None:
    try:
        file = path_inside(str(Path(event.cwd or workspace, named)), workspace)
    except GroundwireError:  # it lies elsewhere, or is no name of a file
        return None
    edit = edit_on_disk(file, max_size)
    if edit is None:
        return None
    before = event.before.get(named)
    if before is None and edit.after is not None:
        own = [each for each in event.replaced if each.file == named]
        before = text_before(edit.after, own) if own else None
    return Edited(file, before, edit.after)

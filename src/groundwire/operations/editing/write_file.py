"""A file with a new text, whether it was there before or not.

Above: ``table``. Below: ``edits``, ``carry_out``.
"""

from pathlib import Path
from typing import Annotated

from msgspec import Meta

from groundwire.edits.boundary import Boundary
from groundwire.edits.content import FileContent, decode
from groundwire.edits.files import Disk
from groundwire.edits.plan import plan_edit
from groundwire.edits.text_changes import NewText
from groundwire.operations.answer import Answer
from groundwire.operations.arguments import FileArguments
from groundwire.operations.editing.carry_out import carry_out
from groundwire.operations.operation import Call, operation
from groundwire.operations.results.edits import EditOutcome

_MARK = "\ufeff"


class WriteFile(FileArguments, frozen=True):
    """The file and its text."""

    text: Annotated[str, Meta(description="All of its new text.")]


@operation(
    "Write a whole file, new or not; directories are made. Tells the errors that brings, in other files too.",
    effect="writes",
    command="write",
)
async def write_file(call: Call, arguments: WriteFile) -> Answer[EditOutcome]:
    """What the file has of encoding, line endings and byte order mark is kept."""
    roots = tuple(call.pool.folders)
    named = call.pool.workspace / arguments.file_path
    before = _content_of(Boundary(roots, Disk()).target(named))
    text = arguments.text
    if before is not None and before.mark:
        text = text.removeprefix(_MARK)  # it is written with every text of this file
    plan = plan_edit([NewText(named, text)], roots=roots, encoding="utf-32")
    return await carry_out(call, plan, notes=_notes(before, text), kind="write")


def _content_of(file: Path) -> FileContent | None:
    """What is there; None for nothing. What is no file is refused by the plan."""
    return decode(Disk().read(file), file) if file.is_file() else None


def _notes(before: FileContent | None, text: str) -> list[str]:
    if before is None or "\r\n" not in text or len(before.endings) != 1 or "\r\n" in before.endings:
        return []
    return ["the file keeps its own line endings: those of the text were made the same"]

"""The files that edits would reach if they were made: found out before, with the files as they are.

Who uses a symbol whose lines are to change is asked of the server; who names what will be gone, or what is only now
there to be named, is looked for as text. Where that may lack some, and the workspace has few files, it is all of them.
Above: ``evaluation``. Below: ``dependents``, ``everything``.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from groundwire.client.disk import read_source
from groundwire.errors import GroundwireError
from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Dependents, Edited, find_dependents
from groundwire.operations.reporting.everything import MOST_DEPENDENTS, all_that_may_use, endings_of
from groundwire.operations.speculation.virtual_texts import VirtualFile

_LARGEST_SEARCHED = 1024 * 1024


async def find_reached(call: Call, changed: Sequence[VirtualFile], until: float) -> Dependents:
    """At most so many as are worth checking; why there may be more is said."""
    edited = {each.file for each in changed}
    try:
        async with asyncio.timeout_at(until):
            found = await asyncio.gather(
                find_dependents(call, [*_undone(changed)]),
                find_dependents(call, [*_done(changed)]),
            )
    except TimeoutError:
        return Dependents((), "there was no time left to find out who uses what is edited")
    files = dict.fromkeys(file for each in found for file in each.files if file not in edited)
    doubts = [each.doubt for each in found if each.doubt]
    if doubts and (everything := await all_that_may_use(call, edited, files)) is not None:
        return Dependents(everything)
    if len(files) > MOST_DEPENDENTS:
        doubts.append(f"only {MOST_DEPENDENTS} of {len(files)} files that use what is edited were checked")
    return Dependents(tuple(files)[:MOST_DEPENDENTS], "; ".join(dict.fromkeys(doubts)))


async def named_elsewhere(call: Call, changed: Sequence[VirtualFile]) -> Path | None:
    """One of the edited files that another file names as what it includes or imports."""
    endings = endings_of(call, (each.file for each in changed))
    return await asyncio.to_thread(_named_in, tuple(call.pool.folders), endings, changed)


def _named_in(folders: Sequence[Path], endings: set[str], changed: Sequence[VirtualFile]) -> Path | None:
    patterns = [(each.file, _named(each.file)) for each in changed]
    for file in chain.from_iterable(WorkspaceFiles(folder, is_thorough=True) for folder in folders):
        if not file.name.endswith(tuple(endings)):
            continue
        try:
            text = read_source(file, _LARGEST_SEARCHED)
        except GroundwireError:  # gone, unreadable or far too large
            continue
        for edited, pattern in patterns:
            if edited != file and pattern.search(text):
                return edited
    return None


def _named(file: Path) -> re.Pattern[str]:
    """By its name, or without its ending; not a file of the same name and another ending."""
    return re.compile(rf"\b{re.escape(file.stem)}(?:{re.escape(file.suffix)}\b|(?![\w.]|\.\w))")


def _undone(changed: Sequence[VirtualFile]) -> Iterator[Edited]:
    """As if each edit had been made and were taken back: then the old text is the one whose symbols can be asked for,
    and the words that would be gone are those that the edit brings."""
    for each in changed:
        if each.before is None:
            yield Edited(each.file, "", None)
        else:
            yield Edited(each.file, each.after or "", each.before)


def _done(changed: Sequence[VirtualFile]) -> Iterator[Edited]:
    """As the edit is meant: the words that it takes away."""
    for each in changed:
        if each.before is not None:
            yield Edited(each.file, each.before, each.after)

"""The files that edits would reach if they were made: found out before, with the files as they are.

Who uses a symbol whose lines are to change is asked of the server; who names what will be gone, or what is only now
there to be named, is looked for as text. Where that may lack some, and the workspace has few files, it is all of them.
Above: ``evaluation``. Below: ``dependents``.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from groundwire.client.disk import read_source
from groundwire.errors import GroundwireError
from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.operations.navigation.navigate import REFERENCES
from groundwire.operations.operation import Call
from groundwire.operations.reporting.dependents import Dependents, Edited, find_dependents
from groundwire.operations.speculation.virtual_texts import VirtualFile

MOST_DEPENDENTS = 100

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
    if doubts and (everything := await _everything(call, changed, files)) is not None:
        return Dependents(everything)
    if len(files) > MOST_DEPENDENTS:
        doubts.append(f"only {MOST_DEPENDENTS} of {len(files)} files that use what is edited were checked")
    return Dependents(tuple(files)[:MOST_DEPENDENTS], "; ".join(dict.fromkeys(doubts)))


async def _everything(call: Call, changed: Sequence[VirtualFile], first: Iterable[Path]) -> tuple[Path, ...] | None:
    """All files that may use what is edited, those already found first; None where they are too many, or not known."""
    if not all(_knows_uses(call, each.file) for each in changed):
        return None
    edited, most = {each.file for each in changed}, MOST_DEPENDENTS + len(changed)
    walked = await asyncio.to_thread(_files_ending, tuple(call.pool.folders), endings_of(call, changed), most)
    if walked is None:
        return None
    files = tuple(file for file in dict.fromkeys((*first, *walked)) if file not in edited)
    return files if len(files) <= MOST_DEPENDENTS else None


def _knows_uses(call: Call, file: Path) -> bool:
    """Whether what uses a file is among the files of its server. Of a configuration, which a server of its own may take
    care of, it is not."""
    try:
        route = call.pool.route(file)
        servers = [call.pool.instance(chosen) for chosen in route.chosen]
    except GroundwireError:
        return False
    sessions = [each.session for each in servers if each.has_started]
    return any(
        each.state.capabilities.supports(REFERENCES, path=str(file), language=route.language) for each in sessions
    )


def _files_ending(folders: Sequence[Path], endings: set[str], most: int) -> list[Path] | None:
    """None: there are more than that, or may be."""
    walks = list(map(WorkspaceFiles, folders))
    files = (file for file in chain.from_iterable(walks) if file.suffix in endings)
    found = list(islice(files, most + 1))
    return found if len(found) <= most and not any(walk.note for walk in walks) else None


def endings_of(call: Call, changed: Sequence[VirtualFile]) -> set[str]:
    """Of the files that the servers of the edited ones take care of: a header is used in files of other kinds."""
    endings: set[str] = set()
    for each in changed:
        try:
            servers = [call.pool.instance(chosen) for chosen in call.pool.route(each.file).chosen]
        except GroundwireError:  # nobody takes care of it
            continue
        endings.update(ending for server in servers for ending in server.session.options.languages)
    return {ending for ending in endings if ending.startswith(".")}


async def named_elsewhere(call: Call, changed: Sequence[VirtualFile]) -> Path | None:
    """One of the edited files that another file names as what it includes or imports."""
    return await asyncio.to_thread(_named_in, tuple(call.pool.folders), endings_of(call, changed), changed)


def _named_in(folders: Sequence[Path], endings: set[str], changed: Sequence[VirtualFile]) -> Path | None:
    patterns = [(each.file, _named(each.file)) for each in changed]
    for file in chain.from_iterable(map(WorkspaceFiles, folders)):
        if file.suffix not in endings:
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

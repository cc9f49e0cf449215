"""Where it is in doubt who uses what was edited, and the workspace has few files: all of them are looked at instead.

Above: ``edit_report``, ``dependents``, ``speculation.reached``. Below: ``pool``, ``workspace_files``.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, islice
from pathlib import Path

from groundwire.errors import GroundwireError
from groundwire.operations.files.workspace_files import WorkspaceFiles
from groundwire.operations.navigation.navigate import REFERENCES
from groundwire.operations.operation import Call

MOST_DEPENDENTS = 100
"""Files that are checked because of an edit of others."""


async def all_that_may_use(call: Call, edited: Collection[Path], first: Iterable[Path] = ()) -> tuple[Path, ...] | None:
    """All other files that may use something in these, those already found first; None where they are too many, or not
    known.
    """
    if not all(_knows_uses(call, file) for file in edited):
        return None
    endings, most = tuple(endings_of(call, edited)), MOST_DEPENDENTS + len(edited)
    walked = await asyncio.to_thread(_files_ending, tuple(call.pool.folders), endings, most) if endings else None
    if walked is None:
        return None
    files = tuple(file for file in dict.fromkeys((*first, *walked)) if file not in edited)
    return files if len(files) <= MOST_DEPENDENTS else None


def endings_of(call: Call, files: Iterable[Path]) -> set[str]:
    """Of the names of files that the servers of these take care of, or such names: a header is used in files of other
    kinds."""
    endings: set[str] = set()
    for file in files:
        try:
            servers = [call.pool.instance(chosen) for chosen in call.pool.route(file).chosen]
        except GroundwireError:  # nobody takes care of it
            continue
        endings.update(ending for server in servers for ending in server.session.options.languages)
    return endings


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


def _files_ending(folders: Sequence[Path], endings: tuple[str, ...], most: int) -> list[Path] | None:
    """None: there are more than that, or may be."""
    walks = [WorkspaceFiles(folder, is_thorough=True) for folder in folders]
    files = (file for file in chain.from_iterable(walks) if file.name.endswith(endings))
    found = list(islice(files, most + 1))
    return found if len(found) <= most and not any(walk.note for walk in walks) else None

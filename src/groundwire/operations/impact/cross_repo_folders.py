"""Folders that are part of the workspace only for the time of a question.

Above: ``cross_repo``. Below: ``pool``, ``survey``.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from groundwire.errors import InvalidArgument
from groundwire.operations.files.survey import survey
from groundwire.pool.pool import Pool


class Borrowed:
    """How many questions need a folder that was not there before."""

    def __init__(self) -> None:
        self._counts: dict[Path, int] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    def take(self, pool: Pool, folder: Path) -> None:
        """Add it, unless it is there. Raises what is wrong with its configuration."""
        if folder in self._counts:
            self._counts[folder] += 1
        elif folder not in pool.folders and pool.folders.holder(folder) is None:
            pool.add_folder(folder)
            self._counts[folder] = 1

    def give_back(self, pool: Pool, folder: Path) -> asyncio.Task[None] | None:
        """Remove it with its servers, when nobody needs it any more."""
        if folder not in self._counts:
            return None
        self._counts[folder] -= 1
        if self._counts[folder]:
            return None
        del self._counts[folder]
        if folder not in pool.folders:  # somebody has removed it meanwhile
            return None
        leaving = asyncio.ensure_future(pool.remove_folder(folder))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)
        return leaving


@asynccontextmanager
async def borrowed_folders(pool: Pool, roots: Sequence[str]) -> AsyncGenerator[tuple[Path, ...]]:
    """The folders, each once. However this is left, those that were not there before are gone afterwards."""
    borrowed = pool.kept.get(Borrowed)
    folders = tuple(dict.fromkeys(pool.folders.require_addable(Path(root)) for root in roots))
    if pool.workspace in folders:
        hint = "find_references tells of uses in the workspace itself."
        raise InvalidArgument("a consumer is the workspace itself", hint=hint)
    taken: list[Path] = []
    try:
        for folder in folders:
            borrowed.take(pool, folder)
            taken.append(folder)
            await _note_languages(pool, folder)
        yield folders
    finally:
        leaving = [borrowed.give_back(pool, folder) for folder in taken]
        # Who is cancelled cannot wait for long, but the servers end all the same.
        await asyncio.shield(asyncio.gather(*(task for task in leaving if task is not None)))


async def _note_languages(pool: Pool, folder: Path) -> None:
    """What a folder is written in decides who may miss what lies there."""
    for each in (pool.workspace, folder):
        seen = await asyncio.to_thread(survey, each, pool.folders.terms_at(each).catalog)
        if not seen.note and each in pool.folders:
            pool.folders.hold_languages(each, (language.language for language in seen.languages))

"""The watchers of a workspace, one a folder, while an event loop runs: opened when first needed, read whenever the
system has news.

What happens while nobody asks is passed on in batches, so that servers are warm by the next question; that question
reads the watchers themselves and waits for no batch. Above: ``pool``. Below: ``watcher``, ``elsewhere``, ``links``.
"""

import asyncio
import logging
from collections.abc import Callable, Collection
from pathlib import Path

from groundwire.errors import GroundwireError
from groundwire.pool.elsewhere import SingleFiles, changed_since, holds_sources, is_alone, is_too_large
from groundwire.pool.links import Links
from groundwire.pool.tree import Directory
from groundwire.pool.watcher import Watcher, open_watcher
from groundwire.workspace.changes import FileChange

log = logging.getLogger(__name__)

BATCH_S = 0.15
SOON_S = 0.003
"""While edits are expected they are passed on as soon as nothing was written for so long: a file that is read while it
is being written is a file that most servers have much to say about."""
_LONGEST_WRITING_S = 0.02
_MOST_ELSEWHERE = 16
"""Directories out of the workspace that are watched: the system gives every user only so many watchers."""


class Watching:
    """``begin`` may be called as often as one likes; nothing that happens after the first time is missed.

    ``on_news`` is called a moment after something happened that nobody has asked for yet.
    """

    def __init__(self, workspace: Path, on_news: Callable[[], None]) -> None:
        self._folders = [workspace]
        self._on_news = on_news
        self._watchers: dict[Path, Watcher] = {}
        self._batch: asyncio.TimerHandle | None = None
        self._is_soon = False
        self._is_put_off = False
        """Whether a batch is to be expected once the question that is asked right now is out."""
        self._news_since = 0.0
        self._considered: set[str] = set()
        self._left_out: list[str] = []
        self._files = SingleFiles()
        self._reached: list[FileChange] = []
        self._links = Links(())
        self._links_as_of: tuple[tuple[int, int], ...] = ()
        self.included: frozenset[str] = frozenset()
        """Directories that are watched because a server names them."""
        self.edits_expected_until = 0.0
        """By the clock of the event loop: until then somebody asks right after each edit, and news does not wait."""

    def include(self, names: frozenset[str]) -> None:
        """Watch directories of these names too, from now on."""
        for watcher in self.begin():
            watcher.include(names - self.included)
        self.included |= names

    def reach_out(self, directories: Collection[str], files: Collection[str], since: float) -> None:
        """Watch what servers read out of the workspace as well, as far as it is worth it.

        What changed there after ``since``, by the clock on the wall, is among the next changes.
        """
        self.begin()
        watched, folders = list(map(str, self._watchers)), list(map(str, self._folders))
        alone = [file for file in files if is_alone(file, folders)]
        self._files.add(alone, since)
        beside = {file.rpartition("/")[0] for file in files}.difference(file.rpartition("/")[0] for file in alone)
        for directory in sorted({*directories, *beside} - self._considered):
            self._considered.add(directory)
            if not holds_sources(directory, watched, folders):
                continue
            if len(watched) - len(folders) >= _MOST_ELSEWHERE or is_too_large(directory):
                self._left_out.append(directory)
                continue
            try:
                self._open(Path(directory))
            except (GroundwireError, OSError):  # gone meanwhile, say: no reason to answer nothing about the workspace
                self._left_out.append(directory)
                continue
            watched.append(directory)
            self._reached += changed_since(directory, since)

    def add(self, folder: Path) -> None:
        """Watch this one too, from now on."""
        self.begin()
        self._open(folder)
        self._folders.append(folder)

    def remove(self, folder: Path) -> None:
        """Watch it no longer."""
        self._folders.remove(folder)
        self._close(folder)

    def begin(self) -> Collection[Watcher]:
        """Watch from now on."""
        if not self._watchers:
            for folder in self._folders:
                self._open(folder)
        return self._watchers.values()

    def changes(self) -> list[FileChange]:
        """Every change in the workspace that finished by now and was not given before."""
        self._forget_batch()
        self.begin()
        found: list[FileChange] = []
        for folder, watcher in self._watchers.items():
            (found if folder in self._folders else self._reached).extend(watcher.drain())
        self._reached += self._files.changes()
        return found

    def changes_elsewhere(self) -> list[FileChange]:
        """Those out of the workspace, as of the last ``changes``."""
        found, self._reached = self._reached, []
        return found

    def has_news_beside(self, paths: Collection[str]) -> bool:
        """Whether anything but these files may have changed."""
        found = bool(self._reached)
        for watcher in self.begin():  # every one, for it keeps what it reads
            found = watcher.has_news_beside(paths) or found
        found = found or self._files.have_changed()
        # What was read from the system's queue does not show there any more. The question that is asked now is about
        # these files, and what else there is to tell of them can wait for its answer.
        if (self._batch is None or self._is_soon) and not self._is_put_off:
            self._is_put_off = True
            asyncio.get_running_loop().call_soon(self._expect_put_off)
        return found

    @property
    def odd_names(self) -> Collection[str]:
        """The paths of files whose names are no UTF-8."""
        return [path for watcher in self._watchers.values() for path in watcher.odd_names]

    def links(self) -> Links:
        """The symbolic links that are there."""
        seen = [watcher.links for watcher in self._watchers.values()]
        state = tuple((count, len(links)) for count, links in seen)
        if state != self._links_as_of:
            self._links_as_of, self._links = state, Links(link for _, links in seen for link in links)
        return self._links

    def seen(self, path: Path) -> Directory | None:
        """What was last seen of a directory; None: it is not watched."""
        holding = ((folder, watcher) for folder, watcher in self._watchers.items() if path.is_relative_to(folder))
        found = (watcher.seen.below(path.relative_to(folder).parts) for folder, watcher in holding)
        return next(filter(None, found), None)

    @property
    def note(self) -> str:
        """Why changes on disk may be missed; empty when they are not."""
        notes = dict.fromkeys(watcher.note for watcher in self._watchers.values() if watcher.note)
        if self._left_out:
            more = f" and {len(self._left_out) - 1} more" if len(self._left_out) > 1 else ""
            notes[f"changes out of the workspace, in {self._left_out[0]}{more}, are not noticed"] = None
        return "; ".join(notes)

    def end(self) -> None:
        """Give everything back."""
        self._forget_batch()
        for folder in list(self._watchers):
            self._close(folder)

    def _open(self, folder: Path) -> None:
        watcher = self._watchers[folder] = open_watcher(folder)
        if self.included:
            watcher.include(self.included)
        descriptor = watcher.fileno()
        if descriptor is not None:
            asyncio.get_running_loop().add_reader(descriptor, self._collect, watcher)

    def _close(self, folder: Path) -> None:
        watcher = self._watchers.pop(folder, None)
        if watcher is None:
            return
        descriptor = watcher.fileno()
        if descriptor is not None:
            asyncio.get_running_loop().remove_reader(descriptor)
        watcher.close()

    def _collect(self, watcher: Watcher) -> None:
        watcher.collect()
        now = asyncio.get_running_loop().time()
        if self._batch is None:
            self._news_since = now
            self._expect_batch(is_soon=now < self.edits_expected_until)
        elif self._is_soon and now < self._news_since + _LONGEST_WRITING_S:
            self._expect_batch(is_soon=True)

    def _expect_put_off(self) -> None:
        if self._is_put_off:
            self._expect_batch(is_soon=False)

    def _expect_batch(self, *, is_soon: bool) -> None:
        self._forget_batch()
        self._is_soon = is_soon
        self._batch = asyncio.get_running_loop().call_later(SOON_S if is_soon else BATCH_S, self._tell)

    def _tell(self) -> None:
        self._batch = None
        try:
            self._on_news()
        except GroundwireError as error:  # whoever asks next meets it again, and is told
            log.warning("changes on disk could not be passed on: %s", error)

    def _forget_batch(self) -> None:
        self._is_put_off = False
        if self._batch is not None:
            self._batch.cancel()
            self._batch = None
